/**
 * A drive as frames: a simulator's state at each moment, with pauses and restarts. Pure, without a clock: the same options give
 * the same frames.
 */
import type { Circuit } from "../model/Circuit.ts"
import { rpmAt } from "../model/controls.ts"
import { CarChannels } from "../model/CarChannels.ts"
import { SimulatedDrive } from "../model/SimulatedDrive.ts"
import type { DrivePoints, PointColumns } from "../model/DrivePoints.ts"
import type { DrivenLap } from "../model/lap.ts"
import type { Vehicle } from "../model/vehicles.ts"
import type { Frame } from "./Emulator.ts"

/** Both in seconds; `at` since the emulator started. */
export interface Pause {
  readonly at: number
  readonly seconds: number
}

export interface FramesOptions {
  readonly circuit: Circuit
  readonly vehicle: Vehicle
  /** Number of laps of a session; 0: without end. */
  readonly laps: number
  /** Seed of the first session; every restart uses the next one. */
  readonly seed: number
  /** Frames a second. */
  readonly rate: number
  readonly pauses: ReadonlyArray<Pause>
  /** Times of restarts, s since the emulator started. */
  readonly restarts: ReadonlyArray<number>
}

/** Frames computed at a time: the drive finds its lap once for all of them. */
const AHEAD = 128
/** The heading is the direction of the movement over this time, s: short, but long against the rounding of positions. */
const HEADING_S = 0.001
/** After the last lap the car rolls for so long, braking evenly, s. */
const ROLL_OUT_S = 10
const ROLL_OUT_BRAKE = 0.2
/** Moments are quotients and sums of doubles; one counts as reached this share of a second early. */
const NEARLY_S = 1e-9

/** How far into the drive a car is, and its share of the speed there, `over` seconds after it stopped racing. */
const rollOut = (over: number) => {
  const rolled = Math.min(over, ROLL_OUT_S)
  return { driven: rolled - rolled ** 2 / (2 * ROLL_OUT_S), share: 1 - rolled / ROLL_OUT_S }
}

const sectorOf = ({ sectors }: DrivenLap, lapTime: number) =>
  lapTime < sectors[0] ? 0 : lapTime < sectors[0] + sectors[1] ? 1 : 2

/** Points of the drive and a moment later, which give the heading. */
interface Stretch {
  readonly first: number
  readonly points: DrivePoints
  readonly later: PointColumns
}

export class Frames {
  readonly #options: FramesOptions
  #drive: SimulatedDrive
  #car: CarChannels
  #index = 0
  #session = 0
  /** Driven frames of this session, without pauses. */
  #driven = 0
  #stretch: Stretch | undefined
  /** When the session's last lap was completed. */
  #finish: number | undefined
  #last: Frame | undefined
  #lastLap: DrivenLap | undefined
  #bestLap: number | undefined

  constructor(options: FramesOptions) {
    this.#options = options
    this.#drive = this.#newDrive()
    this.#car = new CarChannels(this.#drive)
  }

  next(): Frame {
    const { pauses, rate, restarts } = this.#options
    const upTime = this.#index / rate
    const now = upTime + NEARLY_S
    if (restarts.filter((at) => at <= now).length > this.#session) this.#restart()
    const last = this.#last
    const paused = pauses.some(({ at, seconds }) => at <= now && now < at + seconds)
    const frame =
      paused && last?.session === this.#session
        ? { ...last, index: this.#index, upTime, paused, lapEnded: false }
        : this.#drivenFrame(upTime, paused)
    this.#index++
    this.#last = frame
    return frame
  }

  #restart(): void {
    this.#session++
    this.#driven = 0
    this.#stretch = undefined
    this.#lastLap = undefined
    this.#bestLap = undefined
    this.#finish = undefined
    this.#drive = this.#newDrive()
    this.#car = new CarChannels(this.#drive)
  }

  #newDrive(): SimulatedDrive {
    const { circuit, seed, vehicle } = this.#options
    return new SimulatedDrive({ circuit, vehicle, seed: (seed + this.#session) >>> 0 })
  }

  #finishedBy(sessionTime: number): number | undefined {
    const { laps } = this.#options
    // Laps are computed when needed: all of them at the start would take a while.
    if (laps > 0 && this.#drive.lapAt(sessionTime) > laps) this.#finish ??= this.#drive.lap(laps).end
    return this.#finish
  }

  /** The next moment of the session. In a pause, which may come at the start, it is the next driven one. */
  #drivenFrame(upTime: number, paused: boolean): Frame {
    const { rate, vehicle } = this.#options
    const sessionTime = this.#driven / rate
    const finish = this.#finishedBy(sessionTime)
    const finished = finish !== undefined
    const { driven, share } = rollOut(finished ? sessionTime - finish : 0)
    const { first, later, points } = finished
      ? this.#stretchAt(finish + driven, 1, 1)
      : this.#stretchFrom(this.#driven)
    const at = finished ? 0 : this.#driven - first
    if (!paused) this.#driven++
    const { batch, lapDistance, lapNumber } = points
    const lap = this.#drive.lap(lapNumber[at]!)
    const lapEnded = lap.lapNumber > (this.#lastLap?.lapNumber ?? 0) + 1
    if (lapEnded) this.#complete(this.#drive.lap(lap.lapNumber - 1))
    // In the order of `channels`.
    const value = (channel: number) => batch.data[channel * batch.length + at]!
    const [speed, gear, x, y] = [value(1) * share, share === 0 ? 0 : value(3), value(7), value(8)]
    const lapTime = sessionTime - lap.start
    return {
      index: this.#index,
      upTime,
      sessionTime,
      session: this.#session,
      paused,
      finished,
      speed,
      rpm: finished ? rpmAt(vehicle, gear, speed / 3.6) : value(2),
      gear,
      throttle: finished ? 0 : value(4),
      brake: finished ? ROLL_OUT_BRAKE : value(5),
      steering: value(6),
      x,
      y,
      z: value(9),
      heading: Math.atan2(later.column("position_y")[at]! - y, later.column("position_x")[at]! - x),
      lap,
      lapTime,
      lapDistance: lapDistance[at]!,
      sector: sectorOf(lap, lapTime),
      lastLap: this.#lastLap,
      lapEnded,
      bestLap: this.#bestLap,
      carValue: this.#car.at(finished ? finish + driven : sessionTime, share)
    }
  }

  #complete(lap: DrivenLap): void {
    this.#lastLap = lap
    if (lap.valid) this.#bestLap = Math.min(this.#bestLap ?? Infinity, lap.lapTime)
  }

  /** The part of the session that its frame `frame` lies in. */
  #stretchFrom(frame: number): Stretch {
    const known = this.#stretch
    if (known !== undefined && frame < known.first + known.points.batch.length) return known
    this.#stretch = this.#stretchAt(frame, AHEAD, this.#options.rate)
    return this.#stretch
  }

  #stretchAt(first: number, count: number, rate: number): Stretch {
    return {
      first,
      points: this.#drive.points(first, count, rate),
      later: this.#drive.points(first + HEADING_S * rate, count, rate).batch
    }
  }
}
