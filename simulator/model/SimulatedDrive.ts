/**
 * A drive on a circuit as a function of time: pure, no clock, no I/O. The same circuit, vehicle and seed give the same drive, at
 * any rate and in any order of reading.
 */
import { rpmAt } from "./controls.ts"
import { Cursor } from "./Cursor.ts"
import { type DrivePoints, PointColumns } from "./DrivePoints.ts"
import {
  driveLap,
  rollingStart,
  type DrivenLap,
  type DriveOptions,
  type LapStart,
  type LapTrace
} from "./lap.ts"
import { LEAD } from "./plan.ts"

/** Number of laps in memory: readers a lap apart must not compute them again and again; a lap has some megabytes. */
const KEPT_LAPS = 4

/** The resolution of a good sensor: a millionth of a metre, a ten-thousandth of other units. */
const round6 = (value: number) => Math.round(value * 1e6) / 1e6 + 0
const round4 = (value: number) => Math.round(value * 1e4) / 1e4 + 0

/**
 * Between the nodes j and j + 1 at `f` 0..1 of the way: the cubic Hermite through both, its tangents from the
 * neighbours by way, not by node, so that the point moves as fast along the curve as the car does.
 */
const between = (column: Float64Array, step: Float64Array, j: number, f: number): number => {
  const way = step[j]!
  const p = column[j]!
  const rise = column[j + 1]! - p
  const m = ((column[j + 1]! - column[j - 1]!) * way) / (step[j - 1]! + way)
  const n = ((column[j + 2]! - p) * way) / (way + step[j + 1]!)
  return p + f * (m + f * (3 * rise - 2 * m - n + f * (m + n - 2 * rise)))
}

/** Between the nodes j and j + 1, straight. */
export const linear = (column: Float64Array, j: number, f: number): number =>
  column[j]! + f * (column[j + 1]! - column[j]!)

export class SimulatedDrive {
  readonly options: DriveOptions
  /** The state at the start of each lap, lap 1 at index 0, as far as the drive was read. */
  readonly #starts: Array<LapStart>
  readonly #traces = new Map<number, LapTrace>()

  constructor(options: DriveOptions) {
    this.options = options
    this.#starts = [rollingStart(options.vehicle)]
  }

  /** A lap by its number, from 1, node by node. */
  trace(lap: number): LapTrace {
    const kept = this.#traces.get(lap)
    if (kept !== undefined) return kept
    while (this.#starts.length < lap) this.trace(this.#starts.length)
    const trace = driveLap(this.options, this.#starts[lap - 1]!)
    if (this.#starts.length === lap) this.#starts.push(trace.next)
    this.#traces.set(lap, trace)
    if (this.#traces.size > KEPT_LAPS) this.#traces.delete(this.#traces.keys().next().value!)
    return trace
  }

  lap(lap: number): DrivenLap {
    return this.trace(lap).lap
  }

  /** The number of the lap that runs at `time` (s, from 0). */
  lapAt(time: number): number {
    while (this.#starts.at(-1)!.time <= time) this.trace(this.#starts.length)
    let low = 0
    let high = this.#starts.length - 1
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (this.#starts[middle]!.time <= time) low = middle
      else high = middle
    }
    return low + 1
  }

  /** The points with `from` <= timestamp < `to` (s) of a drive sampled at `rate` Hz from its start. */
  between(from: number, to: number, rate: number): DrivePoints {
    const first = Math.ceil(from * rate)
    return this.points(first, Math.max(0, Math.ceil(to * rate) - first), rate)
  }

  /** `count` points from the point numbered `first`; point i is at i / rate seconds. */
  points(first: number, count: number, rate: number): DrivePoints {
    const batch = new PointColumns(count)
    const lapNumber = new Float64Array(count)
    const lapDistance = new Float64Array(count)
    const timestamp = batch.column("timestamp")
    const speed = batch.column("speed")
    const rpm = batch.column("rpm")
    const gear = batch.column("gear")
    const throttle = batch.column("throttle")
    const brake = batch.column("brake")
    const steering = batch.column("steering")
    const x = batch.column("position_x")
    const y = batch.column("position_y")
    const z = batch.column("position_z")
    const { circuit, vehicle } = this.options
    const cursor = new Cursor(this)
    for (let i = 0; i < count; i++) {
      const time = (first + i) / rate
      const { controls, lap, path } = cursor.moveTo(time)
      const { node: j, share: f, speed: v } = cursor
      timestamp[i] = time
      speed[i] = round4(v * 3.6)
      gear[i] = controls.gear[j]!
      rpm[i] = round4(rpmAt(vehicle, controls.gear[j]!, v))
      throttle[i] = round4(linear(controls.throttle, j, f))
      brake[i] = round4(linear(controls.brake, j, f))
      steering[i] = round4(linear(controls.steering, j, f))
      x[i] = round6(between(path.x, path.step, j, f))
      y[i] = round6(between(path.y, path.step, j, f))
      z[i] = round6(between(path.z, path.step, j, f))
      lapNumber[i] = lap.lapNumber
      lapDistance[i] = round6((j - LEAD + f) * circuit.step)
    }
    return { batch, lapNumber, lapDistance }
  }
}
