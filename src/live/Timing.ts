import { Context } from "effect"

/**
 * The clock and the alarm of the live side: plain functions, because they are used once a message. Tests
 * provide one that they turn by hand.
 */
export class Timing extends Context.Reference<Timing>()("live/Timing", {
  defaultValue: (): TimingService => ({
    // Monotonic: a wall clock that is set back must not stop a stream.
    now: () => performance.now(),
    after: (millis, run) => {
      const timer = setTimeout(run, millis)
      // What keeps the process alive is its sockets, never an alarm.
      timer.unref()
      return () => clearTimeout(timer)
    },
    soon: (run) => void setImmediate(run)
  })
}) {}

export interface TimingService {
  /** Milliseconds since some fixed instant, never decreasing. */
  readonly now: () => number
  /** Runs `run` once, `millis` from now (at most 2^31); the answer calls it off, and may be called late. */
  readonly after: (millis: number, run: () => void) => () => void
  /** Runs `run` at the end of this turn of the event loop. */
  readonly soon: (run: () => void) => void
}
