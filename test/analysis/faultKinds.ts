/** The kinds of faults that are put into laps at random places (injected.ts), with random size and length. */
import type { AnomalyType } from "../../src/domain/analysis/anomalies.ts"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import type { Channel } from "../../src/domain/pointChannels.ts"
import { lowerBound } from "../../src/domain/RowBatch.ts"
import {
  changed,
  frozen,
  inNeutral,
  lockedWheel,
  movedAside,
  paused,
  slower,
  type Span,
  without
} from "./faults.ts"

export type Random = () => number

export interface Kind {
  readonly name: string
  /** The anomalies that it causes, and their channels. */
  readonly types: ReadonlyArray<AnomalyType>
  readonly channels: ReadonlyArray<string>
  /** Channels that must be present, or there is nothing to change. */
  readonly needs: ReadonlyArray<Channel>
  /** s. */
  readonly lasts: Span
  /** Whether such a fault contradicts anything in this span. */
  readonly shows: (lap: LapData, span: Span) => boolean
  readonly put: (lap: LapData, span: Span, next: Random) => LapData
}

export const valuesIn = ({ lap, points }: LapData, [from, to]: Span, channel: Channel): Float64Array =>
  points
    .column(channel)
    .slice(
      lowerBound(points.timestamps, lap.startTime + from),
      lowerBound(points.timestamps, lap.startTime + to) + 1
    )

/** m/s^2 by which the lap gains speed in each quarter of a second of a span. */
export const gains = (lap: LapData, [from, to]: Span): ReadonlyArray<number> => {
  const { lap: record, points } = lap
  const t = points.timestamps
  const found: Array<number> = []
  for (let at = from; at + 0.25 <= to; at += 0.25) {
    const i = lowerBound(t, record.startTime + at)
    const j = Math.min(t.length - 1, lowerBound(t, record.startTime + at + 0.25))
    const speed = points.column("speed")
    found.push((speed[j]! - speed[i]!) / 3.6 / (t[j]! - t[i]!))
  }
  return found
}

export const always = () => true
export const between = (next: Random, low: number, high: number) => low + (high - low) * next()
/** A channel on its stop, or within a hundredth of it, looks the same when it is frozen. */
const offItsStops = (channel: Channel) => (lap: LapData, span: Span) => {
  const first = Math.abs(valuesIn(lap, span, channel)[0]!)
  return first !== 0 && (channel === "steering" || (first > 0.01 && first < 0.99))
}
const standing = (channel: Channel, lasts: Span, shows: Kind["shows"] = always): Kind => ({
  name: `${channel} frozen`,
  types: ["frozen_channel", "pause", "implausible_value"],
  channels: [channel],
  needs: [channel],
  lasts,
  shows,
  put: (lap, span) => frozen(lap, span, channel)
})
const times = (channel: Channel, span: Span, lap: LapData, factor: number) =>
  changed(lap, span, channel, (value) => value * factor)

/** Channels that contradict each other. */
export const contradicting: ReadonlyArray<Kind> = [
  {
    name: "brake and throttle down while the car gains speed",
    types: ["contradiction", "implausible_value"],
    channels: ["brake"],
    needs: ["brake", "throttle"],
    lasts: [1, 4],
    shows: (lap, span) => gains(lap, span).every((gain) => gain > 1),
    put: (lap, span) =>
      changed(
        changed(lap, span, "brake", () => 1),
        span,
        "throttle",
        () => 1
      )
  },
  {
    name: "a throttle that is stuck open through a braking of a second",
    types: ["contradiction", "implausible_value"],
    channels: ["throttle"],
    needs: ["throttle"],
    lasts: [1.2, 4],
    shows: (lap, span) => {
      let row = 0
      return gains(lap, span).some((gain) => {
        row = gain < -5 ? row + 1 : 0
        return row >= 5
      })
    },
    put: (lap, span) => changed(lap, span, "throttle", () => 1)
  },
  {
    name: "revolutions 20 to 28 % too high",
    types: ["contradiction", "implausible_value"],
    channels: ["rpm"],
    needs: ["rpm", "gear"],
    lasts: [1.5, 5],
    shows: always,
    put: (lap, span, next) => times("rpm", span, lap, between(next, 1.2, 1.28))
  },
  {
    name: "positions 20 to 80 m aside",
    types: ["contradiction", "implausible_value"],
    channels: ["position", "speed", "timestamp"],
    needs: ["position_x"],
    lasts: [0.8, 6],
    shows: always,
    put: (lap, span, next) => movedAside(lap, span, between(next, 20, 80), 2 * Math.PI * next())
  }
]

/** Faults of the driver, or of the car. */
const driven: ReadonlyArray<Kind> = [
  {
    name: "15 to 40 % slower",
    types: ["speed_loss", "lock_up_or_spin"],
    channels: ["speed", "brake"],
    needs: ["speed"],
    lasts: [1.5, 5],
    shows: always,
    put: (lap, span, next) => slower(lap, span, between(next, 1.15, 1.4))
  },
  {
    name: "no gear on the throttle",
    types: ["missed_gear"],
    channels: ["gear"],
    needs: ["gear", "rpm", "throttle"],
    lasts: [0.6, 1.5],
    shows: (lap, span) => valuesIn(lap, span, "throttle").every((value) => value > 0.6),
    put: (lap, span) => inNeutral(lap, span)
  }
]

/** Faults of the data. */
const ofData: ReadonlyArray<Kind> = [
  standing("speed", [2, 6]),
  standing("rpm", [2, 6]),
  {
    ...standing("position_x", [1.5, 5]),
    name: "position frozen",
    channels: ["position"],
    put: (lap, span) => frozen(lap, span, "position_x", "position_y")
  },
  standing("steering", [2.5, 8], offItsStops("steering")),
  standing("throttle", [3.5, 8], offItsStops("throttle")),
  standing("brake", [3.5, 8], offItsStops("brake")),
  {
    ...standing("gear", [22, 45]),
    types: ["frozen_channel", "contradiction"],
    channels: ["gear", "rpm"]
  },
  {
    name: "a wheel locked, or slipping, at the speed's sensor",
    types: ["implausible_value", "lock_up_or_spin", "contradiction", "frozen_channel"],
    channels: ["speed"],
    needs: ["speed"],
    lasts: [0.6, 2],
    shows: always,
    put: (lap, span, next) => lockedWheel(lap, span, between(next, 0.2, 0.6))
  },
  {
    name: "a speed 20 to 35 % too low",
    types: ["implausible_value", "contradiction", "speed_loss", "frozen_channel"],
    channels: ["speed", "rpm"],
    needs: ["speed"],
    lasts: [1.5, 5],
    shows: always,
    put: (lap, span, next) => times("speed", span, lap, between(next, 0.65, 0.8))
  },
  {
    name: "a spike of speed",
    types: ["implausible_value"],
    channels: ["speed"],
    needs: ["speed"],
    lasts: [0.1, 0.4],
    shows: always,
    put: (lap, span, next) => {
      const more = between(next, 100, 250)
      return changed(lap, span, "speed", (value) => value + more)
    }
  },
  {
    name: "a leap of the position",
    types: ["implausible_value"],
    channels: ["position"],
    needs: ["position_x"],
    lasts: [0.1, 0.4],
    shows: always,
    put: (lap, span, next) => movedAside(lap, span, between(next, 100, 400), 2 * Math.PI * next())
  },
  {
    name: "revolutions of no engine",
    types: ["implausible_value"],
    channels: ["rpm"],
    needs: ["rpm"],
    lasts: [0.1, 0.4],
    shows: always,
    put: (lap, span, next) => {
      const factor = next() < 0.5 ? -next() - 0.1 : between(next, 3, 5)
      return times("rpm", span, lap, factor)
    }
  },
  {
    name: "no points",
    types: ["data_gap"],
    channels: ["timestamp"],
    needs: [],
    lasts: [1.2, 3],
    shows: always,
    put: (lap, span) => without(lap, span)
  },
  {
    name: "a pause",
    types: ["pause"],
    channels: ["timestamp"],
    needs: [],
    lasts: [6, 30],
    shows: always,
    put: (lap, [from, to]) => paused(lap, from, to - from)
  }
]

export const kinds: ReadonlyArray<Kind> = [...contradicting, ...ofData, ...driven]
