/**
 * The slip of the wheels: how fast they turn against the car's speed, from wheel speeds, else rotations, else the
 * simulator's own slip. A wheel that turns at the car's speed has slip 0; a standing one has -1.
 *
 * The relation of a wheel's value to the car's speed (the radius, and the sensor's error) is the session's own median,
 * so that a constant error does not count as slip.
 */
import type { RecordedLap } from "../../domain/Lap.ts"
import type { Channel } from "../../domain/pointChannels.ts"
import { lowerBound, type PointBatch } from "../../domain/RowBatch.ts"
import type { SamplesAround } from "../compare/channelTraces.ts"
import { median } from "../math/robust.ts"

export const WHEELS = { fl: "front left", fr: "front right", rl: "rear left", rr: "rear right" } as const
export type Wheel = keyof typeof WHEELS
export const wheels = Object.keys(WHEELS) as ReadonlyArray<Wheel>

/** The best first: speed at the tread, then rotation, which needs the radius, then the simulator's own slip. */
const KINDS = ["wheel_speed", "wheel_rotation", "slip_ratio"] as const
const SLIP = "slip_ratio"

const namesOf = (kind: string) => wheels.map((wheel) => `${kind}_${wheel}`)

/** The channels of a session that show slip; none where no kind is reported for all wheels. */
export const slipChannels = (tells: (name: string) => boolean): ReadonlyArray<string> =>
  KINDS.map(namesOf).find((names) => names.every(tells)) ?? []

/** Cars slower than this creep, park and turn on the spot, km/h. */
const MIN_KMH = 40
/** Between points further apart than this, the car's speed is unknown, s. */
export const MAX_STEP_S = 0.3
/** Samples for a wheel's scale: more change no median by much. */
const SAMPLED = 20_000
/** The median of fewer samples shows nothing about a wheel. */
const MIN_SAMPLES = 100

/** What a lap shows of its wheels. */
export interface WheeledLap {
  readonly lap: RecordedLap
  readonly points: PointBatch
  readonly column: (channel: Channel) => Float64Array
  readonly around: ReadonlyArray<SamplesAround>
}

/** A wheel's samples on a lap while the car was at speed. */
interface Row {
  readonly wheel: Wheel
  readonly times: Float64Array
  /** As reported. */
  readonly value: Float64Array
  /** km/h of the car. */
  readonly speed: Float64Array
}

const rowsOf = ({ around, column, lap, points }: WheeledLap, kind: string): ReadonlyArray<Row> => {
  const samples = around.find(({ batch }) => batch.channels.includes(`${kind}_fl`))?.batch
  if (samples === undefined || points.length < 2) return []
  const from = lowerBound(samples.timestamps, lap.startTime)
  const until = lowerBound(samples.timestamps, lap.endTime)
  const t = points.timestamps
  const own = column("speed")
  const index: Array<number> = []
  const speeds: Array<number> = []
  for (let i = from, k = 1; i < until; i++) {
    const time = samples.timestamps[i]!
    while (k < t.length - 1 && t[k]! < time) k++
    const step = t[k]! - t[k - 1]!
    const share = (time - t[k - 1]!) / step
    const speed = own[k - 1]! + share * (own[k]! - own[k - 1]!)
    // NaN where the value is absent.
    if (!(step <= MAX_STEP_S && share >= 0 && share <= 1 && speed >= MIN_KMH)) continue
    index.push(i)
    speeds.push(speed)
  }
  const times = Float64Array.from(index, (i) => samples.timestamps[i]!)
  const speed = Float64Array.from(speeds)
  return wheels.map((wheel) => {
    const values = samples.column(`${kind}_${wheel}`)
    return { wheel, times, speed, value: Float64Array.from(index, (i) => values[i]!) }
  })
}

/** The value of each rolling wheel at 1 km/h; undefined where the session has too few samples. */
const scaleOf = (rows: ReadonlyArray<Row>): number | undefined => {
  const ratios: Array<number> = []
  const every = Math.max(1, Math.floor(rows.reduce((sum, { value }) => sum + value.length, 0) / SAMPLED))
  for (const { speed, value } of rows) {
    for (let i = 0; i < value.length; i += every) {
      const ratio = value[i]! / speed[i]!
      if (!Number.isNaN(ratio)) ratios.push(ratio)
    }
  }
  const scale = ratios.length < MIN_SAMPLES ? 0 : median(ratios)
  return scale > 0 ? scale : undefined
}

export interface SlippingRow extends Row {
  readonly channel: string
  readonly slip: Float64Array
  readonly rolling: (speed: number) => number
}

export interface SlippingLap<Lap extends WheeledLap = WheeledLap> {
  readonly evidence: Lap
  readonly rows: ReadonlyArray<SlippingRow>
}

export const slippingLaps = <Lap extends WheeledLap>(
  laps: ReadonlyArray<Lap>
): ReadonlyArray<SlippingLap<Lap>> => {
  const names = laps.flatMap(({ around }) => around.flatMap(({ batch }) => batch.channels))
  const reported = new Set(names)
  const kind = KINDS.find((one) => namesOf(one).every((name) => reported.has(name)))
  if (kind === undefined) return []
  const read = laps.map((evidence) => ({ evidence, rows: rowsOf(evidence, kind) }))
  const scales = new Map(
    wheels.map((wheel) => [
      wheel,
      kind === SLIP ? 0 : scaleOf(read.flatMap(({ rows }) => rows.filter((row) => row.wheel === wheel)))
    ])
  )
  return read.map(({ evidence, rows }) => ({
    evidence,
    rows: rows.flatMap((row) => {
      const scale = scales.get(row.wheel)
      if (scale === undefined) return []
      const rolling = (speed: number) => scale * speed
      const slip = kind === SLIP ? row.value : row.value.map((one, i) => one / rolling(row.speed[i]!) - 1)
      return [{ ...row, channel: `${kind}_${row.wheel}`, slip, rolling }]
    })
  }))
}
