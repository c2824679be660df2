/** Faults put into laps with known values: each function returns a copy of the lap. */
import type { LapData } from "../../src/analysis/place/alignment.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import type { Channel } from "../../src/domain/pointChannels.ts"
import { lowerBound, RowBatch } from "../../src/domain/RowBatch.ts"
import { copyOf } from "./sessions.ts"
import { bell } from "./uniform.ts"

/** Seconds of a lap to be changed, since it began. */
export type Span = readonly [from: number, to: number]

/** The points that lie in the span. */
const within = ({ lap, points }: LapData, [from, to]: Span): Span => [
  lowerBound(points.timestamps, lap.startTime + from),
  lowerBound(points.timestamps, lap.startTime + to)
]

/** A lap's official times, each as it is after a change of the clock since the lap's start. */
const withTimes = (lap: RecordedLap, longer: (time: number) => number): RecordedLap => {
  const end = longer(lap.lapTime!)
  const timed = { lapTime: end, endTime: lap.startTime + end }
  if (lap.sector1Time === null || lap.sector2Time === null) return { ...lap, ...timed }
  const one = longer(lap.sector1Time)
  const two = longer(lap.sector1Time + lap.sector2Time)
  return { ...lap, ...timed, sector1Time: one, sector2Time: two - one, sector3Time: end - two }
}

/** Drives the span slower by a factor: points, speeds, the engine, and the official times with them. */
export const slower = (original: LapData, span: Span, factor: number): LapData => {
  const { lap, points } = copyOf(original)
  const [from, to] = within(original, span)
  const t = points.timestamps
  const speed = points.column("speed")
  const longer = (time: number) =>
    time + (factor - 1) * (Math.min(Math.max(time, span[0]), span[1]) - span[0])
  for (let i = 0; i < t.length; i++) t[i] = lap.startTime + longer(t[i]! - lap.startTime)
  const rpm = points.column("rpm")
  for (let i = from; i < to; i++) {
    speed[i] = speed[i]! / factor
    rpm[i] = rpm[i]! / factor
  }
  return { points, lap: withTimes(lap, longer) }
}

/**
 * Drives the same way at other speeds: `factorAt` is the new speed over the own one, by the time since the lap began.
 * Points, speeds, the engine, and the official times change with it.
 */
export const retimed = (original: LapData, factorAt: (time: number, speed: number) => number): LapData => {
  const { lap, points } = copyOf(original)
  const t = points.timestamps
  const old = original.points.timestamps
  const speed = points.column("speed")
  const rpm = points.column("rpm")
  const factor = Float64Array.from(old, (time, i) => factorAt(time - lap.startTime, speed[i]!))
  for (let i = 1; i < t.length; i++) {
    const mean = (factor[i - 1]! + factor[i]!) / 2
    t[i] = t[i - 1]! + (mean === 1 ? old[i]! - old[i - 1]! : (old[i]! - old[i - 1]!) / mean)
  }
  for (let i = 0; i < t.length; i++) {
    speed[i] = speed[i]! * factor[i]!
    rpm[i] = rpm[i]! * factor[i]!
  }
  const longer = (time: number) => {
    const i = Math.min(Math.max(1, lowerBound(old, lap.startTime + time)), t.length - 1)
    return (
      t[i - 1]! +
      (lap.startTime + time - old[i - 1]!) * ((t[i]! - t[i - 1]!) / (old[i]! - old[i - 1]!)) -
      lap.startTime
    )
  }
  return { ...original, points, lap: withTimes(lap, longer) }
}

/** Changes a channel in the span. */
export const changed = (
  original: LapData,
  span: Span,
  channel: Channel,
  change: (value: number, i: number) => number
): LapData => {
  const copy = copyOf(original)
  const [from, to] = within(original, span)
  const column = copy.points.column(channel)
  for (let i = from; i < to; i++) column[i] = change(column[i]!, i - from)
  return copy
}

export const frozen = (original: LapData, span: Span, ...channels: ReadonlyArray<Channel>): LapData =>
  channels.reduce((copy, channel) => {
    const first = original.points.column(channel)[within(original, span)[0]]!
    return changed(copy, span, channel, () => first)
  }, original)

export const without = ({ lap, points }: LapData, span: Span): LapData => {
  const [from, to] = within({ lap, points }, span)
  return { lap, points: RowBatch.concat([points.slice(0, from), points.slice(to, points.length)]) }
}

/** At an instant, the clock runs on for `seconds` and the car does not. The official time is without them. */
export const paused = (original: LapData, at: number, seconds: number): LapData => {
  const { lap, points } = copyOf(original)
  const t = points.timestamps
  for (let i = within(original, [at, at])[0]; i < t.length; i++) t[i] = t[i]! + seconds
  return { points, lap: { ...lap, endTime: lap.endTime + seconds } }
}

/** On the throttle in neutral: the engine races, the car rolls. */
export const inNeutral = (original: LapData, span: Span): LapData => {
  const slow = slower(original, span, 1.06)
  const longer: Span = [span[0], span[0] + (span[1] - span[0]) * 1.06]
  const speed = slow.points.column("speed")[within(slow, longer)[0]]!
  return changed(
    changed(
      changed(
        changed(slow, longer, "gear", () => 0),
        longer,
        "rpm",
        () => 9000
      ),
      longer,
      "throttle",
      () => 0.8
    ),
    longer,
    "speed",
    (_, i) => speed - i * 0.05
  )
}

/** The positions are reported so many metres away, in the direction `angle` (rad). */
export const movedAside = (original: LapData, span: Span, metres: number, angle: number): LapData =>
  changed(
    changed(original, span, "position_x", (x) => x + metres * Math.cos(angle)),
    span,
    "position_y",
    (y) => y + metres * Math.sin(angle)
  )

/** The wheel that measures the speed locks: its speed falls to a share within 0.1 s, and returns as quickly. */
export const lockedWheel = (original: LapData, span: Span, share: number): LapData => {
  const copy = copyOf(original)
  const t = original.points.timestamps
  const speed = copy.points.column("speed")
  const [from, to] = [original.lap.startTime + span[0], original.lap.startTime + span[1]]
  for (let i = 0; i < t.length; i++) {
    const inside = Math.min(t[i]! - from, to - t[i]!) / 0.1
    speed[i] = speed[i]! * (1 - (1 - share) * Math.min(1, Math.max(0, inside)))
  }
  return copy
}

/** Noise of this deviation, s, on the time of every point, which stay in order: as packets arrive. */
export const lateStamps = (original: LapData, seconds: number, next: () => number): LapData => {
  const copy = copyOf(original)
  const t = copy.points.timestamps
  for (let i = 0; i < t.length; i++) t[i] = t[i]! + seconds * bell(next)
  for (let i = 1; i < t.length; i++) t[i] = Math.max(t[i]!, t[i - 1]! + 1e-4)
  return copy
}
