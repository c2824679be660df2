import { Context, type Effect } from "effect"
import type { LiveEvent } from "./hub/messages.ts"

/** Announces to the live clients of every process what a request has changed. The recorder announces what it stores itself. */
export class Announcer extends Context.Tag("live/Announcer")<
  Announcer,
  { readonly announce: (event: LiveEvent) => Effect.Effect<void> }
>() {}
