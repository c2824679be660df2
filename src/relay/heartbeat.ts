/**
 * Tells a process that hangs from one that is busy: it is asked again and again, and hangs when it has answered none of
 * so many questions in a row.
 *
 * Questions are counted, not time: where the whole machine was suspended, or this process stopped as well, nobody was asked
 * meanwhile, and whoever wakes up answers the next.
 */
import { Duration, Effect, Option } from "effect"

/** Asked so many times within the limit: one answer that comes late must not be all there is to go by. */
const BEATS = 6

/** Succeeds when the process has answered nothing for `limit`; never where it ends, as whoever started it sees. */
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
