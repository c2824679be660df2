/**
 * Distinguishes a process that hangs from one that is busy. It asks the process repeatedly, and considers it hung if it
 * has answered none of BEATS questions in a row.
 *
 * It counts questions, not time. While the whole machine is suspended, or this process is stopped as well, it asks nothing,
 * and a process that wakes up answers the next question.
 */
import { Duration, Effect, Option } from "effect"

/** Questions within the limit: a single late answer must not decide. */
const BEATS = 6

/**
 * Succeeds when the process has answered nothing for `limit`. Never succeeds if the process ends, which the supervisor
 * notices by itself.
 */
export const untilHung = Effect.fn("untilHung")(function* (
  alive: Effect.Effect<void, unknown>,
  limit: Duration.Duration
) {
  const beat = Duration.times(limit, 1 / BEATS)
  const answered = alive.pipe(
    Effect.timeoutOption(beat),
    Effect.map(Option.isSome),
    // The process has ended.
    Effect.catchAll(() => Effect.never)
  )
  for (let missed = 0; missed < BEATS;) {
    if (yield* answered) {
      missed = 0
      yield* Effect.sleep(beat)
    } else missed++
  }
})
