/** Further values of a drive's car: pure, a function of time, independent of the reader and the order of reading. */
import { Cursor } from "./Cursor.ts"
import { type Chassis, chassisOn } from "./chassis.ts"
import type { LapTrace } from "./lap.ts"
import { LEAD } from "./plan.ts"
import { linear, type SimulatedDrive } from "./SimulatedDrive.ts"
import { type Condition, freshCar, type Wear, wearOn } from "./wear.ts"

/** Number of laps in memory: two, for readers at both sides of the line. */
const KEPT_LAPS = 2

interface CarLap {
  readonly chassis: Chassis
  readonly wear: Wear
  /** Times of the laps before this one, s, of valid ones; NaN if there is none. */
  readonly lastLapTime: number
  readonly bestLapTime: number
}

/** The state of the car at the start of each lap: small, so that all can be kept. */
interface CarStart {
  readonly condition: Condition
  readonly lastLapTime: number
  readonly bestLapTime: number
}

export class DrivenCar {
  readonly drive: SimulatedDrive
  readonly #starts: Array<CarStart> = [
    { condition: freshCar, lastLapTime: Number.NaN, bestLapTime: Number.NaN }
  ]
  readonly #laps = new Map<number, CarLap>()

  constructor(drive: SimulatedDrive) {
    this.drive = drive
  }

  /** A lap by its number, from 1. */
  lap(lap: number): CarLap {
    const kept = this.#laps.get(lap)
    if (kept !== undefined) return kept
    while (this.#starts.length < lap) this.lap(this.#starts.length)
    const { circuit, vehicle } = this.drive.options
    const trace = this.drive.trace(lap)
    const start = this.#starts[lap - 1]!
    const chassis = chassisOn(vehicle, trace)
    const wear = wearOn(vehicle, circuit.length, trace, chassis, start.condition)
    const { lapTime, valid } = trace.lap
    // The best of no laps is NaN, which is less than nothing.
    const bestLapTime = valid && !(start.bestLapTime <= lapTime) ? lapTime : start.bestLapTime
    if (this.#starts.length === lap) {
      this.#starts.push({ condition: wear.next, lastLapTime: lapTime, bestLapTime })
    }
    const { bestLapTime: best, lastLapTime } = start
    const made = { chassis, wear, lastLapTime, bestLapTime: best }
    this.#laps.set(lap, made)
    if (this.#laps.size > KEPT_LAPS) this.#laps.delete(this.#laps.keys().next().value!)
    return made
  }
}

/** A moment of a drive, which moves from time to time. */
export class Moment {
  readonly #car: DrivenCar
  readonly #cursor: Cursor
  #lap: CarLap | undefined
  #trace: LapTrace | undefined
  /** s since the drive began; NaN before the first move. */
  time = Number.NaN

  constructor(car: DrivenCar) {
    this.#car = car
    this.#cursor = new Cursor(car.drive)
  }

  moveTo(time: number): void {
    const trace = this.#cursor.moveTo(time)
    if (trace !== this.#trace) this.#lap = this.#car.lap(trace.lap.lapNumber)
    this.#trace = trace
    this.time = time
  }

  get options() {
    return this.#car.drive.options
  }

  get trace(): LapTrace {
    return this.#trace!
  }

  get lap(): CarLap {
    return this.#lap!
  }

  /** m/s. */
  get speed(): number {
    return this.#cursor.speed
  }

  /** s since the lap began. */
  get since(): number {
    return this.#cursor.since
  }

  /** m since the line, along the centre line. */
  get lapDistance(): number {
    return (this.#cursor.node - LEAD + this.#cursor.share) * this.options.circuit.step
  }

  /** The value of a column over nodes. */
  at(column: Float64Array): number {
    return linear(column, this.#cursor.node, this.#cursor.share)
  }

  /** The value at the node before: for values that change in steps. */
  before(column: ArrayLike<number>): number {
    return column[this.#cursor.node]!
  }

  /** Direction along an axis of the positions, m per driven metre. */
  direction(column: Float64Array): number {
    const j = this.#cursor.node
    return (column[j + 1]! - column[j]!) / this.trace.path.step[j]!
  }
}
