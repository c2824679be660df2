/** Picks from a driver's events, and the sessions and laps that the recorder cuts from them. */
import { type Channel, channels } from "../../../../src/domain/pointChannels.ts"
import { type PointBatch, RowBatch } from "../../../../src/domain/RowBatch.ts"
import type { SimulatorEvent } from "../../../../src/domain/SimulatorEvent.ts"
import type { LapCut } from "../../../../src/recording/laps/laps.ts"
import { LapTracker } from "../../../../src/recording/laps/LapTracker.ts"
import { lapDistancesOf, lapNumbersOf } from "../../lapColumns.ts"
import { type EventKind, type EventOf, isOf, isPoints, kindOf } from "../../rows.ts"

export const eventsOf = <Kind extends EventKind>(events: ReadonlyArray<SimulatorEvent>, kind: Kind) =>
  events.filter(isOf(kind))

/** A channel's values in all points. */
export const column = (events: ReadonlyArray<SimulatorEvent>, channel: Channel): ReadonlyArray<number> =>
  eventsOf(events, "Points").flatMap(({ batch }) => Array.from(batch.column(channel)))

/** The number of points that were dropped, for this reason or for any. */
export const discarded = (events: ReadonlyArray<SimulatorEvent>, reason?: string): number =>
  eventsOf(events, "Discarded").reduce(
    (sum, dropped) => sum + (reason === undefined || dropped.reason === reason ? dropped.points : 0),
    0
  )

/** Events that `story` leaves out: counts of dropped data, and channels beyond those of points. */
const unnamed = new Set<EventKind>(["Discarded", "Foreign", "ChannelsDeclared", "Samples"])

/** The names of the events that are no points, and how many points lie between them, in order. */
export const story = (events: ReadonlyArray<SimulatorEvent>): ReadonlyArray<string | number> => {
  const reported: Array<string | number> = []
  for (const event of events) {
    if (unnamed.has(kindOf(event))) continue
    const last = reported.at(-1)
    if (!isPoints(event)) reported.push(event._tag)
    else if (typeof last === "number") reported[reported.length - 1] = last + event.batch.length
    else reported.push(event.batch.length)
  }
  return reported
}

/** How many values are not greater than the one before. */
export const falls = (values: ReadonlyArray<number>): number =>
  values.filter((value, n) => n > 0 && !(value > values[n - 1]!)).length

export interface RecordedSession {
  readonly circuit: string
  readonly vehicle: string
  readonly batch: PointBatch
  readonly lapNumber: ReadonlyArray<number>
  readonly lapDistance: ReadonlyArray<number>
  readonly missing: number
  /** The laps that the simulator reported. */
  readonly reported: ReadonlyArray<EventOf<"LapCompleted">>
  /** The laps that are recorded. */
  readonly laps: ReadonlyArray<LapCut>
}

const sessionOf = (
  started: EventOf<"SessionStarted">,
  events: ReadonlyArray<SimulatorEvent>
): RecordedSession => {
  const tracker = new LapTracker(started)
  const laps: Array<LapCut> = []
  for (const event of events) {
    if (isPoints(event)) laps.push(...tracker.points(event))
    if (event._tag === "LapCompleted") laps.push(...tracker.message(event))
  }
  const points = eventsOf(events, "Points")
  return {
    circuit: started.circuit,
    vehicle: started.vehicle,
    batch: RowBatch.concat(points.map(({ batch }) => batch)),
    lapNumber: points.flatMap(lapNumbersOf),
    lapDistance: points.flatMap(lapDistancesOf),
    missing: points.reduce((sum, { missing }) => sum + missing, 0),
    reported: eventsOf(events, "LapCompleted"),
    laps: [...laps, ...tracker.finish()]
  }
}

export const recorded = (events: ReadonlyArray<SimulatorEvent>): ReadonlyArray<RecordedSession> => {
  const starts = events.flatMap((event, n) => (event._tag === "SessionStarted" ? [n] : []))
  return starts.map((start, s) =>
    sessionOf(events[start] as EventOf<"SessionStarted">, events.slice(start + 1, starts[s + 1]))
  )
}

/** The point's values by channel. */
export const pointAt = (batch: PointBatch, i: number): { readonly [name: string]: number } =>
  Object.fromEntries(channels.map((channel) => [channel, batch.column(channel)[i]!]))

/** The area of a closed line: positive if it runs counter-clockwise, seen from above. */
export const signedArea = (x: ArrayLike<number>, y: ArrayLike<number>): number => {
  let twice = 0
  for (let i = 0; i < x.length; i++) {
    const j = (i + 1) % x.length
    twice += x[i]! * y[j]! - x[j]! * y[i]!
  }
  return twice / 2
}
