import { Effect } from "effect"

/** What fibers do in one turn of the event loop, however many let it turn; a piece of work may take longer than the rest. */
const SLICE_MS = 4

const waiting = new Set<() => void>()
let isDue = false

const turn = () => {
  isDue = false
  const begin = performance.now()
  const next = () => {
    for (const resume of waiting) {
      if (performance.now() - begin > SLICE_MS) return schedule()
      waiting.delete(resume)
      resume()
      // The fiber has begun to run in a microtask before this one.
      return queueMicrotask(next)
    }
  }
  next()
}

const schedule = () => {
  if (!isDue) setImmediate(turn)
  isDue = true
}

/**
 * Lets the event loop turn between two pieces of synchronous work; a fiber's own yields do not. Of many fibers that let it turn
 * each has its piece in order, and as many in one turn as fit in SLICE_MS.
 */
export const breathe = Effect.async<void>((resume) => {
  const go = () => resume(Effect.void)
  waiting.add(go)
  schedule()
  return Effect.sync(() => waiting.delete(go))
})
