import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../domain/errors.ts"
import type { Family } from "./prometheus.ts"

/** The metrics of the service, from all its processes; the label `process` separates those that each process has. */
export class Counts extends Context.Tag("observability/Counts")<
  Counts,
  Effect.Effect<ReadonlyArray<Family>, StoreUnavailable>
>() {}
