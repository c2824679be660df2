import { Context } from "effect"

export interface TimingService {
  /** Milliseconds since some fixed instant, never decreasing. */
  readonly now: () => number
  /** Runs `run` once, `millis` from now (at most 2^31); the answer calls it off, and may be called late. */
  readonly after: (millis: number, run: () => void) => () => void
  /** Runs `run` at the end of this turn of the event loop. */
  readonly soon: (run: () => void) => void
}

export const systemTiming: TimingService = {
  // Monotonic: a wall clock that is set back must not stop a stream.
  now: () => performance.now(),
  after: (millis, run) => {
    const timer = setTimeout(run, millis)
    // What keeps the process alive is its sockets, never a timer.
    timer.unref()
    return () => clearTimeout(timer)
  },
  soon: (run) => void setImmediate(run)
}

/**
 * The monotonic clock and the timers of what happens once a message: plain functions, since an Effect each would cost more
 * than the message. Tests provide one that they turn by hand.
 */
export class Timing extends Context.Reference<Timing>()("Timing", { defaultValue: () => systemTiming }) {}
