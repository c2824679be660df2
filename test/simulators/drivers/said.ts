/** Short forms of a driver's events, for tests. */
import type { Channel } from "../../../src/domain/pointChannels.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { type EventKind, isOf, isPoints, kindOf } from "../rows.ts"

type Events = ReadonlyArray<SimulatorEvent>

export const only = <Kind extends EventKind>(events: Events, kind: Kind) => events.filter(isOf(kind))

export const column = (events: Events, channel: Channel): ReadonlyArray<number> =>
  only(events, "Points").flatMap(({ batch }) => Array.from(batch.column(channel)))

export const late = (events: Events): number =>
  only(events, "Discarded").reduce((sum, { points, reason }) => sum + (reason === "late" ? points : 0), 0)

/** Events that `story` leaves out: counts of dropped data, and channels beyond those of points. */
const beside = new Set<EventKind>(["Discarded", "Foreign", "ChannelsDeclared", "Samples"])

/** The events that are no points, and how many points lie between them, in order. */
export const story = (events: Events): ReadonlyArray<string | number> => {
  const reported: Array<string | number> = []
  for (const event of events) {
    if (beside.has(kindOf(event))) continue
    const last = reported.at(-1)
    if (!isPoints(event)) reported.push(event._tag)
    else if (typeof last === "number") reported[reported.length - 1] = last + event.batch.length
    else reported.push(event.batch.length)
  }
  return reported
}

/** Twice the signed area that a path encloses: positive if it runs counter-clockwise. */
export const turning = (xs: ReadonlyArray<number>, ys: ReadonlyArray<number>): number =>
  xs.reduce((sum, x, n) => {
    const next = (n + 1) % xs.length
    return sum + x * ys[next]! - xs[next]! * ys[n]!
  }, 0)

/** How many values are not greater than the one before. */
export const falls = (values: ReadonlyArray<number>): number =>
  values.filter((value, n) => n > 0 && !(value > values[n - 1]!)).length
