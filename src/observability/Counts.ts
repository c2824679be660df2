import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../domain/errors.ts"
import type { Family } from "./prometheus.ts"

/** What the service counts, in all its processes; what each has of its own is told apart by the label `process`. */
export class Counts extends Context.Tag("observability/Counts")<
  Counts,
  Effect.Effect<ReadonlyArray<Family>, StoreUnavailable>
>() {}
