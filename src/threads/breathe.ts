import { Effect } from "effect"

/** What fibers do in one turn of the event loop, however many let it turn; a piece of work may take longer than the rest. */
const SLICE_MS = 4

/** Those that came since the last turn began; and of those before, the ones that this turn has not come to yet. */
let waiting = new Set<() => void>()
let round = new Set<() => void>()
let isDue = false

const turn = () => {
  isDue = false
  if (round.size === 0) [round, waiting] = [waiting, round]
  const begin = performance.now()
  const next = () => {
    for (const resume of round) {
      if (performance.now() - begin > SLICE_MS) break
      round.delete(resume)
      resume()
      // The fiber has begun to run in a microtask before this one.
      return queueMicrotask(next)
    }
    if (round.size > 0 || waiting.size > 0) schedule()
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
  return Effect.sync(() => waiting.delete(go) || round.delete(go))
})
