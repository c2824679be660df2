/** Frames in time: the clock of the emulators. */
import { Clock, Effect } from "effect"
import type { Frame } from "./Emulator.ts"
import { Frames, type FramesOptions } from "./frames.ts"

/** Frames are due on the grid of their rate; clock readings are doubles, so one is due this share of a step early. */
const NEARLY = 1e-6
/** Up to this much above a whole millisecond, a wait is the rounding of doubles, ms. */
const ROUNDING_MS = 1e-6
/**
 * After a longer hold-up of the machine the emulator does not catch up, s: thousands of datagrams at once would get lost. The drive
 * continues where it was.
 */
const MAX_BEHIND_S = 1

export interface DrivingOptions extends FramesOptions {
  /** A factor of real time. */
  readonly speed: number
}

/** Drives from now on and catches up with late frames. Each run is a drive of its own. */
export const driving =
  (options: DrivingOptions) =>
  (onFrame: (frame: Frame) => void): Effect.Effect<never> =>
    Effect.gen(function* () {
      const frames = new Frames(options)
      const hz = options.rate * options.speed
      let zero = yield* Clock.currentTimeNanos
      let next = 0
      for (;;) {
        const now = yield* Clock.currentTimeNanos
        const due = Math.floor((Number(now - zero) / 1e9) * hz + NEARLY) + 1
        const behind = Math.floor(due - next - MAX_BEHIND_S * hz)
        if (behind > 0) zero += BigInt(Math.round((behind / hz) * 1e9))
        for (const until = due - Math.max(0, behind); next < until; next++) onFrame(frames.next())
        const wait = (next / hz) * 1000 - Number(now - zero) / 1e6
        // Timers have whole milliseconds; rounded up, because an early timer would find no frame to send.
        yield* Effect.sleep(Math.max(1, Math.ceil(wait - ROUNDING_MS)))
      }
    })
