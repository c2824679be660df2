/**
 * Cuts a session into laps: a plain state machine over batches, without clock or I/O, so that the same
 * points always give the same laps.
 *
 * Laps come from, in this order of trust (native-feed.md): the simulator's lap messages; `lap_number` in the
 * points; the start line crossed by the positions. A feed may give several; the first message settles it for
 * good. Until a whole lap went by without one, a lap found otherwise is held back for `MESSAGE_GRACE_S`, in
 * which the message may still come, so that no lap is recorded twice.
 *
 * Times are epoch seconds. A lap is half open: a point on the line belongs to the lap that begins there.
 */
import type { NewLap } from "../domain/Lap.ts"
import type { StartLine } from "../domain/SimulatorEvent.ts"
import { justAfter } from "../domain/Time.ts"
import type { FeedPoints } from "./admission.ts"
import { crossing } from "./lineCrossing.ts"
import { Trail } from "./Trail.ts"

/** A pause in the data longer than this makes a lap invalid where the simulator does not say (contract, section 4). */
export const MAX_GAP_S = 1
/** How long after the line a lap message may come, on the feed's clock. */
export const MESSAGE_GRACE_S = 2
/** How far from the last crossing a car must have been before another counts: one that stands on the line with a jittery GPS crosses it often. */
const MIN_AWAY_M = 50
/** A lap message's time and span that differ by more do not describe the same lap; its sectors cannot be derived. */
const MAX_CLOCK_ERROR_S = 0.5

export type LapCut = Omit<NewLap, "session_id">

export interface LapMessage {
  readonly lapNumber: number
  readonly lapTime: number | null
  readonly sectors: readonly [number | null, number | null, number | null]
  readonly valid: boolean | undefined
  readonly start: number | undefined
  readonly end: number | undefined
}

export interface TrackFacts {
  readonly circuitLength: number | undefined
  readonly startLine: StartLine | undefined
}

/** Where in a session that exists already the recording goes on. */
export interface Continuation {
  readonly nextNumber: number
  readonly lastLapEnd: number
}

interface OpenLap {
  number: number
  start: number
  /** It began at the line, not where the feed did. */
  fromLine: boolean
}

type Sectors = readonly [number | null, number | null, number | null]
const untimed: Sectors = [null, null, null]

/** Epoch doubles resolve 0.24 us: beyond microseconds a difference of two has only noise. */
const toMicros = (seconds: number) => Math.round(seconds * 1e6) / 1e6

/** Mean of two speeds in km/h, as m/s. */
const meanSpeed = (a: number, b: number) => (Math.abs(a) + Math.abs(b)) / 7.2

const cutOf = (
  span: { readonly number: number; readonly start: number; readonly end: number },
  lapTime: number | null,
  [sector1, sector2, sector3]: Sectors,
  valid: boolean
): LapCut => ({
  lap_number: span.number,
  lap_time: lapTime,
  sector1_time: sector1,
  sector2_time: sector2,
  sector3_time: sector3,
  valid,
  start_time: span.start,
  end_time: span.end
})

export class LapTracker {
  #facts: TrackFacts
  #settled: "messages" | "points" | undefined
  #held: LapCut | undefined
  #open: OpenLap | undefined
  #nextNumber: number
  /** The end of the last lap given out. */
  #recordedUntil: number
  /** The end of the last gap in the data, and whether the next point ends one whatever its time. */
  #gapEnd = -Infinity
  #rejoined = false
  #lastTime = Number.NaN
  #lastSpeed = 0
  #lastX = 0
  #lastY = 0
  #lastLapNumber = Number.NaN
  #lastLapDistance = Number.NaN
  #distance = 0
  #direction = 0
  #crossedX = Number.NaN
  #crossedY = Number.NaN
  #wasAway = true
  #trail = new Trail()

  constructor(facts: TrackFacts, continuation: Continuation = { nextNumber: 1, lastLapEnd: -Infinity }) {
    this.#facts = facts
    this.#nextNumber = continuation.nextNumber
    this.#recordedUntil = continuation.lastLapEnd
  }

  /** The link was lost: the next point comes after a gap. `facts` are those the feed states now. */
  rejoin(facts: TrackFacts): void {
    this.#facts = facts
    this.#rejoined = true
  }

  /** Admitted points, in order; the laps that they complete. */
  points({ batch, lapNumber, lapDistance }: FeedPoints): ReadonlyArray<LapCut> {
    const times = batch.timestamps
    const speeds = batch.column("speed")
    const xs = batch.column("position_x")
    const ys = batch.column("position_y")
    const line = lapNumber === undefined ? this.#facts.startLine : undefined
    const cuts: Array<LapCut> = []
    for (let i = 0; i < batch.length; i++) {
      const time = times[i]!
      const speed = speeds[i]!
      const x = xs[i]!
      const y = ys[i]!
      const number = lapNumber === undefined ? Number.NaN : lapNumber[i]!
      const travelled = lapDistance === undefined ? Number.NaN : lapDistance[i]!
      if (this.#open === undefined) this.#begin(time, number, travelled)
      else {
        const step = time - this.#lastTime
        const mean = meanSpeed(this.#lastSpeed, speed)
        this.#distance += mean > 0 ? mean * step : Math.hypot(x - this.#lastX, y - this.#lastY)
        if (step > MAX_GAP_S || this.#rejoined) this.#gapEnd = time
      }
      this.#rejoined = false
      this.#trail.push(time, this.#distance)
      if (lapNumber !== undefined) {
        const last = this.#lastLapNumber
        if (!Number.isNaN(number) && !Number.isNaN(last) && number !== last) {
          this.#cross(this.#lineTimeByDistance(time, speed, travelled), number === last + 1, number, cuts)
        }
      } else if (line !== undefined && !Number.isNaN(this.#lastTime)) {
        const found = crossing(line, this.#lastX, this.#lastY, x, y)
        if (found !== undefined && this.#counts(found.direction, x, y)) {
          this.#cross(this.#lastTime + found.fraction * (time - this.#lastTime), true, undefined, cuts)
        }
        this.#wasAway ||= Math.hypot(x - this.#crossedX, y - this.#crossedY) > MIN_AWAY_M
      }
      this.#lastTime = time
      this.#lastSpeed = speed
      this.#lastX = x
      this.#lastY = y
      if (!Number.isNaN(number)) this.#lastLapNumber = number
      this.#lastLapDistance = travelled
    }
    this.#releaseHeld(this.#lastTime - MESSAGE_GRACE_S, cuts)
    return cuts
  }

  /** The simulator's word on a lap; undefined for one that was recorded before (a feed that starts over). */
  message(message: LapMessage): LapCut | undefined {
    const start = message.start ?? this.#held?.start_time ?? this.#open?.start ?? Number.NaN
    const end = message.end ?? justAfter(this.#lastTime)
    this.#settled = "messages"
    this.#held = undefined
    if (!(end > this.#recordedUntil) || !(end > start)) return undefined
    const fromLine = this.#open?.fromLine ?? false
    const given = message.sectors.some((sector) => sector !== null)
    const derivable =
      !given && message.lapTime !== null && Math.abs(end - start - message.lapTime) <= MAX_CLOCK_ERROR_S
    const cut = cutOf(
      { number: message.lapNumber, start, end },
      message.lapTime,
      derivable ? this.#sectors(start, end, message.lapTime) : message.sectors,
      message.valid ?? (fromLine && this.#unbroken(start))
    )
    this.#open = { number: message.lapNumber + 1, start: end, fromLine: true }
    return this.#give(cut)
  }

  /** The session ends here: what was found but held back, and the lap that was under way, which is not valid. */
  finish(): ReadonlyArray<LapCut> {
    const cuts: Array<LapCut> = []
    this.#releaseHeld(Infinity, cuts)
    const open = this.#open
    if (open !== undefined && this.#lastTime >= open.start) {
      const span = { number: open.number, start: open.start, end: justAfter(this.#lastTime) }
      cuts.push(this.#give(cutOf(span, null, untimed, false)))
    }
    this.#open = undefined
    return cuts
  }

  #begin(time: number, number: number, travelled: number): void {
    // Up to a metre past the line at the first point is a start from the line.
    this.#open = {
      number: Number.isNaN(number) ? this.#nextNumber : number,
      start: time,
      fromLine: travelled >= 0 && travelled <= 1
    }
  }

  /** A crossing backwards (a spin, a push back) is none; the first one tells which way is forward. */
  #counts(direction: number, x: number, y: number): boolean {
    if (this.#direction === 0) this.#direction = direction
    if (direction !== this.#direction || !this.#wasAway) return false
    this.#wasAway = false
    this.#crossedX = x
    this.#crossedY = y
    return true
  }

  /**
   * When the line was crossed between the last point and this one, which lies `travelled` metres past it: by
   * the circuit's length where it is known, else by the speed.
   */
  #lineTimeByDistance(time: number, speed: number, travelled: number): number {
    const step = time - this.#lastTime
    const length = this.#facts.circuitLength
    const left = length === undefined ? Number.NaN : length - this.#lastLapDistance
    if (left >= 0 && left + travelled > 0) return this.#lastTime + (left / (left + travelled)) * step
    const mean = meanSpeed(this.#lastSpeed, speed)
    if (travelled >= 0 && mean > 0) return Math.max(this.#lastTime, time - travelled / mean)
    return time
  }

  #cross(at: number, counted: boolean, nextNumber: number | undefined, cuts: Array<LapCut>): void {
    const open = this.#open
    if (open === undefined) return
    if (this.#settled === "messages") {
      if (nextNumber !== undefined) open.number = nextNumber
      return
    }
    this.#releaseHeld(Infinity, cuts)
    const fromLine = open.fromLine && counted
    const whole = fromLine && this.#unbroken(open.start)
    const lapTime = fromLine ? toMicros(at - open.start) : null
    const sectors = whole ? this.#sectors(open.start, at, lapTime) : untimed
    this.#held = cutOf({ number: open.number, start: open.start, end: at }, lapTime, sectors, whole)
    if (this.#settled === "points") this.#releaseHeld(Infinity, cuts)
    this.#open = { number: nextNumber ?? open.number + 1, start: at, fromLine: true }
  }

  /** A held lap that no message claimed in time is one; if it ran from line to line, no messages will come. */
  #releaseHeld(before: number, cuts: Array<LapCut>): void {
    const held = this.#held
    if (held === undefined || held.end_time > before) return
    this.#held = undefined
    if (held.lap_time !== null) this.#settled = "points"
    cuts.push(this.#give(held))
  }

  #give(cut: LapCut): LapCut {
    this.#recordedUntil = cut.end_time
    this.#trail.forgetBefore(cut.end_time)
    return cut
  }

  #unbroken(start: number): boolean {
    return !(this.#gapEnd > start)
  }

  /** Sector times that nobody gives are taken at one and two thirds of the lap's distance (native-feed.md). */
  #sectors(start: number, end: number, lapTime: number | null): Sectors {
    const from = this.#trail.distanceAt(start)
    const length = this.#trail.distanceAt(end) - from
    if (lapTime === null || !(length > 0)) return untimed
    const sector1 = toMicros(this.#trail.timeAt(from + length / 3) - start)
    const sector2 = toMicros(this.#trail.timeAt(from + (2 * length) / 3) - start - sector1)
    return [sector1, sector2, toMicros(lapTime - sector1 - sector2)]
  }
}
