import { Effect } from "effect"

/** Lets the event loop turn between two pieces of synchronous work; a fiber's own yields do not. */
export const breathe = Effect.async<void>((resume) => {
  const handle = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(handle))
})
