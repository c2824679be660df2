/** Compares a driver's channels with what the emulator's car did. */
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { type Emulated, RATE } from "./emulating.ts"
import { eventsOf, recorded } from "./recorded.ts"

/** A channel's rows: s, and its values. */
export interface Reported {
  readonly group: string
  readonly times: ReadonlyArray<number>
  readonly values: ReadonlyArray<number>
}

/** By name. */
export const declaredChannels = (events: ReadonlyArray<SimulatorEvent>): ReadonlyMap<string, Reported> => {
  const reported = new Map<string, { group: string; times: Array<number>; values: Array<number> }>()
  for (const { batch, group } of eventsOf(events, "Samples")) {
    for (const name of batch.channels.filter((channel) => channel !== "timestamp")) {
      const known = reported.get(name) ?? { group, times: [], values: [] }
      reported.set(name, known)
      known.times.push(...batch.timestamps)
      known.values.push(...batch.column(name))
    }
  }
  return reported
}

/** When `emulate` lets the first frame arrive, s. */
const FIRST_S = 100

/** The maximum share of rows without a channel; and the maximum where the driver must first learn its sign. */
const MAX_ABSENT = 0.01
const MAX_LEARNING = 0.3

/**
 * The channels that differ from what the car did at the time of each row by more than a tolerance, or that too many rows lack;
 * with the largest difference and the share of rows that lack them. Channels of `late` may be absent in the beginning.
 */
export const wrongChannels = (
  { events, frames }: Pick<Emulated, "events" | "frames">,
  within: Readonly<Record<string, number>>,
  late: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const reported = declaredChannels(events)
  return Object.entries(within).flatMap(([channel, tolerance]) => {
    const { times, values } = reported.get(channel) ?? { times: [], values: [] }
    let absent = 0
    let most = 0
    for (const [i, time] of times.entries()) {
      const frame = frames[Math.round((time - FIRST_S) * RATE)]
      if (frame === undefined || frame.finished) continue
      if (Number.isNaN(values[i]!)) absent++
      else {
        const apart = Math.abs(values[i]! - frame.carValue(channel))
        most = Math.max(most, channel === "yaw" ? Math.min(apart, 360 - apart) : apart)
      }
    }
    const share = absent / times.length
    const isRight = most <= tolerance && share <= (late.includes(channel) ? MAX_LEARNING : MAX_ABSENT)
    return isRight ? [] : [`${channel}: ${times.length} rows, off by ${most}, ${share} absent`]
  })
}

/** No car's direction or speed changes faster, unless it hits something, m/s². */
const MAX_ACCELERATION = 40

/** The channels that do not follow the path, with the cosine between them and the path's own value. */
export const wrongSigns = (
  { events }: Pick<Emulated, "events">,
  channels: ReadonlyArray<"g_lateral" | "g_longitudinal" | "yaw_rate"> = [
    "g_lateral",
    "yaw_rate",
    "g_longitudinal"
  ],
  least = 0.9
): ReadonlyArray<string> => {
  const reported = declaredChannels(events)
  const { batch } = recorded(events)[0]!
  const at = new Map([...batch.timestamps].map((time, i) => [time, i]))
  const [xs, ys] = [batch.column("position_x"), batch.column("position_y")]
  const times = batch.timestamps
  const speed = batch.column("speed")
  const agreement = (channel: string, of: (i: number) => number) => {
    let [both, own, other] = [0, 0, 0]
    const rows = reported.get(channel)
    for (const [n, time] of (rows?.times ?? []).entries()) {
      const i = at.get(time)
      const value = rows!.values[n]!
      if (i === undefined || i < 3 || i > times.length - 4 || Number.isNaN(value)) continue
      // A car that stands, or spins on the spot, has no direction.
      if (speed[i]! < 30 || Math.abs((turn(i) * speed[i]!) / 3.6) > MAX_ACCELERATION) continue
      if (Math.abs(step(i)) / 3.6 > MAX_ACCELERATION) continue
      const reference = of(i)
      both += value * reference
      own += value ** 2
      other += reference ** 2
    }
    return both / Math.sqrt(own * other)
  }
  const heading = (i: number) => Math.atan2(xs[i + 2]! - xs[i - 2]!, ys[i + 2]! - ys[i - 2]!)
  const turn = (i: number) => {
    const angle = heading(i + 1) - heading(i - 1)
    return Math.atan2(Math.sin(angle), Math.cos(angle)) / (times[i + 1]! - times[i - 1]!)
  }
  const step = (i: number) => (speed[i + 1]! - speed[i - 1]!) / (times[i + 1]! - times[i - 1]!)
  const should = {
    g_lateral: (i: number) => turn(i) * speed[i]!,
    yaw_rate: turn,
    g_longitudinal: step
  }
  return channels.flatMap((channel) => {
    const agreed = agreement(channel, should[channel])
    return agreed > least ? [] : [`${channel}: ${agreed}`]
  })
}
