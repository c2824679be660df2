import { Context } from "effect"

export interface TimingService {
  /** Milliseconds since some fixed instant, never decreasing. */
  readonly now: () => number
  /** Runs `run` once, `millis` from now (at most 2^31). The returned function cancels it, and may be called late. */
  readonly after: (millis: number, run: () => void) => () => void
  /** Runs `run` at the end of this turn of the event loop. */
  readonly soon: (run: () => void) => void
}

export const systemTiming: TimingService = {
  // This clock is monotonic, because a wall clock that is set back must not stop a stream.
  now: () => performance.now(),
  after: (millis, run) => {
    const timer = setTimeout(run, millis)
    // The process is kept alive by its sockets, never by a timer.
    timer.unref()
    return () => clearTimeout(timer)
  },
  soon: (run) => void setImmediate(run)
}

/**
 * The monotonic clock and the timers for work done once per message: plain functions, because an Effect for each would cost
 * more than the message. Tests provide one that they control.
 */
export class Timing extends Context.Reference<Timing>()("Timing", { defaultValue: () => systemTiming }) {}
