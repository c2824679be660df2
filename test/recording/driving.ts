/** Feeds for lap tracking: points as rows, a car on a circuit, and the laps that a tracker cuts. */
import { allChannels, without } from "../../src/domain/ChannelSet.ts"
import { lapBatch } from "../../src/domain/LapBatch.ts"
import { type Channel, channels } from "../../src/domain/pointChannels.ts"
import { ABSENT, RowBatch } from "../../src/domain/RowBatch.ts"
import type { FeedPoints } from "../../src/recording/feed/admission.ts"
import type { LapCut, LapMessage, TrackFacts } from "../../src/recording/laps/laps.ts"
import type { LapTracker } from "../../src/recording/laps/LapTracker.ts"

/** A point as a row; a channel that is left out is not declared. */
export interface Row extends Partial<Record<Channel, number>> {
  readonly timestamp: number
  readonly lap_number?: number
  readonly lap_distance?: number
}

const laps = (rows: ReadonlyArray<Row>, key: "lap_number" | "lap_distance") =>
  rows.some((row) => row[key] !== undefined)
    ? Float64Array.from(rows, (row) => row[key] ?? Number.NaN)
    : undefined

/** Points as a decoder gives them; a column that no row has is not declared. */
export const feedPoints = (rows: ReadonlyArray<Row>): FeedPoints => {
  const batch = RowBatch.allocate(rows.length, channels)
  let declared = allChannels
  for (const [c, channel] of channels.entries()) {
    batch.column(channel).set(rows.map((row) => row[channel] ?? ABSENT))
    if (rows.some((row) => row[channel] === undefined)) declared = without(declared, c)
  }
  const lap = lapBatch(batch.timestamps, laps(rows, "lap_number"), laps(rows, "lap_distance"))
  return { batch, declared, lap }
}

export const noFacts: TrackFacts = { circuitLength: undefined, startLine: undefined }

/** A circuit of 1000 m, driven at 50 m/s: 20 s a lap. */
export const LENGTH = 1000
export const SPEED = 50
export const LAP = LENGTH / SPEED

interface DriveOptions {
  readonly hz?: number
  /** Metres past the line at the first point; negative is before it. */
  readonly from?: number
  readonly firstNumber?: number
  readonly start?: number
}

/** Steady laps; the car passes the line at `start` - `from` / SPEED, and every LAP seconds after. */
export const drive = (seconds: number, options: DriveOptions = {}): ReadonlyArray<Required<Row>> => {
  const { hz = 60, from = 0, firstNumber = 1, start = 1000 } = options
  return Array.from({ length: Math.floor(seconds * hz) + 1 }, (_, i) => {
    const driven = from + (i / hz) * SPEED
    const laps = Math.floor(driven / LENGTH)
    const angle = (driven / LENGTH) * 2 * Math.PI
    return {
      timestamp: start + i / hz,
      speed: SPEED * 3.6,
      rpm: 0,
      gear: 0,
      throttle: 0,
      brake: 0,
      steering: 0,
      position_x: (LENGTH / (2 * Math.PI)) * Math.cos(angle),
      position_y: (LENGTH / (2 * Math.PI)) * Math.sin(angle),
      position_z: 0,
      lap_number: firstNumber + laps,
      lap_distance: driven - laps * LENGTH
    }
  })
}

/** A line across that circuit at the begin of its laps. */
export const startLine = { x1: 140, y1: 0, x2: 180, y2: 0 }

type Kept = "lap_number" | "lap_distance" | "position_x" | "position_y"

/** The rows with only the time, the speed and these. */
export const only = (rows: ReadonlyArray<Required<Row>>, ...kept: ReadonlyArray<Kept>): ReadonlyArray<Row> =>
  rows.map((row) => ({
    timestamp: row.timestamp,
    speed: row.speed,
    ...Object.fromEntries(kept.map((key) => [key, row[key]]))
  }))

export const message = (lapNumber: number | undefined, more: Partial<LapMessage> = {}): LapMessage => ({
  lapNumber,
  lapTime: null,
  sectors: [null, null, null],
  valid: undefined,
  start: undefined,
  end: undefined,
  ...more
})

export type Step = ReadonlyArray<Row> | LapMessage | "lost"

/** The laps that a tracker cuts from points and messages in turn, and at the end. */
export const track = (
  tracker: LapTracker,
  steps: ReadonlyArray<Step>,
  facts: TrackFacts = noFacts
): ReadonlyArray<LapCut> => {
  const cuts: Array<LapCut> = []
  for (const step of steps) {
    if (step === "lost") {
      tracker.restate(facts)
      tracker.interrupt()
    } else if ("lapNumber" in step) cuts.push(...tracker.message(step))
    else cuts.push(...tracker.points(feedPoints(step)))
  }
  return [...cuts, ...tracker.finish()]
}

/** A lap in short: its number, its time to the millisecond, and whether it is valid. */
export const short = ({ lapNumber, lapTime, valid }: LapCut) => [
  lapNumber,
  lapTime === null ? null : Math.round(lapTime * 1000) / 1000,
  valid
]

export const spans = (cuts: ReadonlyArray<LapCut>) => cuts.map((cut) => [cut.startTime, cut.endTime])

/** Rows in pieces that end before these indexes. */
export const pieces = (rows: ReadonlyArray<Row>, ...ends: ReadonlyArray<number>) =>
  [...ends, rows.length].map((end, i) => rows.slice(ends[i - 1] ?? 0, end))
