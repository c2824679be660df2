/**
 * Tells a process that hangs from one that is busy: it asks again and again, and takes the process to hang when that has
 * answered none of so many questions in a row.
 *
 * It counts questions, not time: while the whole machine is suspended, or this process stopped as well, it asks nothing, and
 * a process that wakes up answers the next question.
 */
import { Duration, Effect, Option } from "effect"

/** Asked so many times within the limit: one answer that comes late must not be all there is to go by. */
const BEATS = 6

/** Succeeds when the process has answered nothing for `limit`; never where it ends, which the supervisor sees by itself. */
export const untilHung = Effect.fn("untilHung")(function* (
  alive: Effect.Effect<void, unknown>,
  limit: Duration.Duration
) {
  const beat = Duration.times(limit, 1 / BEATS)
  const answered = alive.pipe(
    Effect.timeoutOption(beat),
    Effect.map(Option.isSome),
    // It has ended.
    Effect.catchAll(() => Effect.never)
  )
  for (let missed = 0; missed < BEATS;) {
    if (yield* answered) {
      missed = 0
      yield* Effect.sleep(beat)
    } else missed++
  }
})
