import { Effect } from "effect"

/**
 * Lets the event loop turn between two pieces of synchronous work; a fiber's own yields do not. If many fibers do this,
 * they run their pieces in order, as many in one turn as fit in its slice (SlicedScheduler).
 */
export const breathe = Effect.async<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})
