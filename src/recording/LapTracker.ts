/**
 * Cuts a session into laps: a plain state machine over batches, without clock or I/O, so that the same
 * points always give the same laps.
 *
 * Laps come from, in this order of trust (native-feed.md): the simulator's lap messages; `lap_number` in the
 * points; the start line crossed by the positions. A feed may give several; the first message settles it for
 * good, as does the session's word that it tells its laps. Until a whole lap went by without one, a lap found
 * otherwise is held back for `MESSAGE_GRACE_S`, in which the message may still come, so that no lap is recorded
 * twice. A message that comes later than that for a lap already given out is ignored.
 *
 * Times are epoch seconds. A lap is half open: a point on the line belongs to the lap that begins there. Laps
 * never overlap, and none is without duration.
 */
import { toMicros } from "../domain/Time.ts"
import { isLapNumber } from "../domain/Lap.ts"
import type { PointBatch } from "../domain/PointBatch.ts"
import { MOST_LAYOUTS, type SectorLines } from "../domain/SectorLines.ts"
import { justAfter } from "../domain/Time.ts"
import type { FeedPoints } from "./admission.ts"
import { Course } from "./Course.ts"
import {
  type Continuation,
  cutOf,
  type CutSectors,
  type LapCut,
  type LapMessage,
  type TrackFacts,
  uncut
} from "./laps.ts"
import { LineWatch, type Passage } from "./LineWatch.ts"

/** How long after the line a lap message may come, on the feed's clock. */
export const MESSAGE_GRACE_S = 2
/** A lap message's time and span that differ by more do not describe the same lap; its sectors cannot be derived. */
const MAX_CLOCK_ERROR_S = 0.5

interface OpenLap {
  number: number
  start: number
  /** It began at the line, not where the feed did. */
  fromLine: boolean
}

interface FoundLaps {
  readonly cuts: ReadonlyArray<LapCut>
  readonly next: number
}

/** The first of the points `from` to `to` that tells another lap number than the last one told; `to` if none does. */
const nextTold = (numbers: Float64Array | undefined, last: number, from: number, to: number): number => {
  if (numbers === undefined) return to
  // A point that does not say is in the lap of the one before.
  for (let i = from; i < to; i++) if (numbers[i] !== last && isLapNumber(numbers[i]!)) return i
  return to
}

/** Up to a metre past the line is at the line. */
const isAtLine = (travelled: number) => travelled >= 0 && travelled <= 1

export class LapTracker {
  #facts: TrackFacts
  #settled: "messages" | "points" | undefined
  #held: LapCut | undefined
  #open: OpenLap | undefined
  #nextNumber: number
  /** The end of the last lap given out, and its number. */
  #recordedUntil: number
  #recordedNumber: number | undefined
  /** The last lap number and distance that the points told; NaN where they did not. */
  #lapNumber = Number.NaN
  #lapDistance = Number.NaN
  /** When the points last showed a crossing that a lap message is still to confirm. */
  #passed = Number.NaN
  /** The first point since the last message, and the lap that was under way at the first crossing since then. */
  #firstSince = Number.NaN
  #numberSince: number | undefined
  #line = new LineWatch()
  #course = new Course()
  /** The layouts of the circuit that were driven, the oldest first. */
  #layouts: Array<SectorLines>

  constructor(
    facts: TrackFacts,
    continuation: Continuation = { nextNumber: 1, lastLapEnd: -Infinity },
    layouts: ReadonlyArray<SectorLines> = []
  ) {
    this.#facts = facts
    this.#layouts = [...layouts]
    if (facts.tellsLaps === true) this.#settled = "messages"
    this.#nextNumber = continuation.nextNumber
    this.#recordedUntil = continuation.lastLapEnd
  }

  /** For another session of the same feed, which begins where this one is: nothing of the lap under way is known there. */
  anew(): LapTracker {
    return new LapTracker(this.#facts, undefined, this.#layouts)
  }

  /** The link was lost: the next point comes after a gap. */
  linkLost(): void {
    this.#course.interrupt()
  }

  /** The session goes on with a feed that states these facts; the next point comes after a gap. */
  rejoin(facts: TrackFacts): void {
    this.#facts = facts
    if (facts.tellsLaps === true) this.#settled = "messages"
    this.#course.interrupt()
  }

  /** Admitted points, in order; the laps that they complete. */
  points(points: FeedPoints): ReadonlyArray<LapCut> {
    return this.pointsFrom(points, 0, Infinity).cuts
  }

  /**
   * The points from the index `start` on, until they have completed so many laps: `next` is the first that is left, their
   * number where none is. What nearly always is one call is several for a feed that has a lap in every point.
   */
  pointsFrom({ batch, lapNumber, lapDistance }: FeedPoints, start: number, most: number): FoundLaps {
    const cuts: Array<LapCut> = []
    const { length } = batch
    if (start >= length) return { cuts, next: length }
    if (Number.isNaN(this.#firstSince)) this.#firstSince = batch.timestamps[0]!
    // From one point that may end a lap to the next: where nothing happens, loops over columns do all.
    let from = start
    while (from < length && cuts.length < most) {
      const told = nextTold(lapNumber, this.#lapNumber, from, length)
      const passage = this.#nextPassage(batch, from, told)
      const at = this.#open === undefined ? from : (passage?.index ?? told)
      this.#course.advance(batch, from, Math.min(at + 1, length))
      if (at > from) this.#lapDistance = lapDistance?.[at - 1] ?? Number.NaN
      from = at + 1
      if (at >= length) break
      const number = at === told ? lapNumber![at]! : this.#lapNumber
      const travelled = lapDistance?.[at] ?? Number.NaN
      if (this.#open === undefined) this.#begin(this.#course.time, number, travelled)
      else if (passage === undefined) this.#byNumber(number, travelled, cuts)
      else this.#byLine(passage, cuts)
      this.#lapNumber = number
      this.#lapDistance = travelled
    }
    this.#releaseHeld(this.#course.time - MESSAGE_GRACE_S, cuts)
    return { cuts, next: Math.min(from, length) }
  }

  /** The simulator's word on a lap; the laps that it completes, none for one that is recorded already. */
  message(message: LapMessage): ReadonlyArray<LapCut> {
    const held = this.#held
    const open = this.#open
    const start = message.start ?? held?.start_time ?? open?.start ?? Number.NaN
    const end = message.end ?? held?.end_time ?? this.#passedSince(start) ?? justAfter(this.#course.time)
    // The feed's clock and a crossing found in its points differ a little: laps must not overlap for that.
    const begin = Math.max(start, this.#recordedUntil)
    const known = this.#isRecorded(message, start, end)
    this.#settled = "messages"
    if (known || !(end > begin)) return []
    const untold = this.#untoldBefore(begin)
    this.#held = undefined
    const unbroken = this.#course.unbroken(start, end)
    // Who times all laps knows where this one began; whether that was heard, too, the points tell.
    const isTimed = this.#facts.tellsLaps === true && message.start !== undefined
    const fromLine = isTimed || (held === undefined ? (open?.fromLine ?? false) : held.lap_time !== null)
    const { lapTime, sectors, valid = fromLine && unbroken } = message
    // Who does not number laps drives the next one.
    const lapNumber = message.lapNumber ?? open?.number ?? this.#nextNumber
    const derivable =
      lapTime !== null &&
      sectors.every((sector) => sector === null) &&
      Math.abs(end - start - lapTime) <= MAX_CLOCK_ERROR_S &&
      unbroken
    const span = { number: lapNumber, start: begin, end }
    const isTold = sectors.some((sector) => sector !== null)
    const told = derivable
      ? this.#derived(start, end, lapTime, valid)
      : { times: sectors, source: isTold ? ("simulator" as const) : null }
    this.#open = { number: lapNumber + 1, start: end, fromLine: true }
    this.#firstSince = Number.NaN
    this.#numberSince = undefined
    return [...untold, cutOf(span, lapTime, told, valid)].map((cut) => this.#give(cut))
  }

  #derived(start: number, end: number, lapTime: number, valid: boolean): CutSectors {
    const lays = valid && this.#layouts.length < MOST_LAYOUTS
    const cut = this.#course.sectors(start, end, lapTime, this.#layouts, lays)
    if (cut.lines !== undefined) this.#layouts.push(cut.lines)
    return cut
  }

  /** What was driven to its end before a told lap began, at `begin`, and never told of: a lap without a time. */
  #untoldBefore(begin: number): ReadonlyArray<LapCut> {
    const number = this.#numberSince
    const open = this.#open
    const isSome = begin - this.#firstSince > MAX_CLOCK_ERROR_S
    if (this.#facts.tellsLaps !== true || number === undefined || open === undefined || !isSome) return []
    return [cutOf({ number, start: open.start, end: begin }, null, uncut, false)]
  }

  /** The session ends here: what was found but held back, and the lap that was under way, which is not valid. */
  finish(): ReadonlyArray<LapCut> {
    const cuts: Array<LapCut> = []
    this.#releaseHeld(Infinity, cuts)
    const open = this.#open
    const last = this.#course.time
    if (open !== undefined && last >= open.start) {
      const span = { number: open.number, start: open.start, end: justAfter(last) }
      cuts.push(this.#give(cutOf(span, null, uncut, false)))
    }
    this.#open = undefined
    return cuts
  }

  #begin(time: number, number: number, travelled: number): void {
    this.#open = {
      number: Number.isNaN(number) ? this.#nextNumber : number,
      start: Math.max(time, this.#recordedUntil),
      fromLine: isAtLine(travelled)
    }
  }

  /** When the points showed the end of a lap that began at `start`; a passage just after it is its beginning. */
  #passedSince(start: number): number | undefined {
    return this.#passed > (start + this.#course.time) / 2 ? this.#passed : undefined
  }

  /** Whether the lap of a message is recorded already: the feed starts over, or the message came after the grace. */
  #isRecorded({ start: said, end: saidEnd, lapTime, lapNumber }: LapMessage, start: number, end: number) {
    if (said === undefined && saidEnd === undefined && lapTime === null && this.#settled !== "messages") {
      return this.#held === undefined && lapNumber === this.#recordedNumber
    }
    const from = said ?? (lapTime === null ? start : end - lapTime)
    return this.#recordedUntil > (from + end) / 2
  }

  #byNumber(number: number, travelled: number, cuts: Array<LapCut>): void {
    const last = this.#lapNumber
    if (number === last) return
    if (Number.isNaN(last)) {
      // The number is told from here on; what the lap began as was a guess.
      if (this.#open !== undefined) this.#open.number = number
    } else if (number > last) {
      this.#cross(this.#lineTime(travelled), number === last + 1, number, true, cuts)
    } else {
      // The count starts over (a restart, the car put back): it was not by driving over the line.
      this.#cross(this.#course.time, false, number, isAtLine(travelled), cuts)
    }
  }

  /** Where no lap number was ever told, the line's crossings tell; none before the first point. */
  #nextPassage(batch: PointBatch, from: number, to: number): Passage | undefined {
    const { startLine } = this.#facts
    if (this.#open === undefined || startLine === undefined || !Number.isNaN(this.#lapNumber))
      return undefined
    return this.#line.next(startLine, this.#course.x, this.#course.y, batch, from, to)
  }

  #byLine({ fraction, way }: Passage, cuts: Array<LapCut>): void {
    if (way !== "forwards" && this.#open !== undefined) this.#open.fromLine = false
    if (way === "backwards") return
    this.#cross(this.#course.placedWithin(fraction), true, undefined, true, cuts)
  }

  /**
   * When the line was crossed between the last point and this one, which lies `travelled` metres past it: by
   * the circuit's length where it is known, else by the speed.
   */
  #lineTime(travelled: number): number {
    const left = (this.#facts.circuitLength ?? Number.NaN) - this.#lapDistance
    const step = left + travelled
    return left >= 0 && travelled >= 0 && step > 0 && step < Infinity
      ? this.#course.within(left / step)
      : this.#course.timeAtMetresBack(travelled)
  }

  /** The lap under way ends at `at`. `counted`: as one lap; `onLine`: the next one begins at the line. */
  #cross(
    at: number,
    counted: boolean,
    number: number | undefined,
    onLine: boolean,
    cuts: Array<LapCut>
  ): void {
    const open = this.#open
    if (open === undefined) return
    if (this.#settled === "messages") {
      this.#passed = at
      this.#numberSince ??= open.number
      if (number !== undefined) open.number = number
      return
    }
    this.#releaseHeld(Infinity, cuts)
    // A lap without duration is none: the one that begins here only has another number.
    if (at > open.start) this.#held = this.#found(open, at, open.fromLine && counted)
    if (this.#settled === "points") this.#releaseHeld(Infinity, cuts)
    this.#open = {
      number: number ?? open.number + 1,
      start: Math.max(at, open.start),
      fromLine: onLine && !this.#course.isFirstAfterGap(at)
    }
  }

  #found({ number, start }: OpenLap, end: number, timed: boolean): LapCut {
    const valid = timed && this.#course.unbroken(start)
    const lapTime = timed ? toMicros(end - start) : null
    const sectors = valid && lapTime !== null ? this.#derived(start, end, lapTime, valid) : uncut
    return cutOf({ number, start, end }, lapTime, sectors, valid)
  }

  /** A held lap that no message claimed in time is one; if it ran from line to line, no messages will come. */
  #releaseHeld(before: number, cuts: Array<LapCut>): void {
    const held = this.#held
    if (held === undefined || held.end_time > before) return
    this.#held = undefined
    if (held.lap_time !== null) this.#settled ??= "points"
    cuts.push(this.#give(held))
  }

  #give(cut: LapCut): LapCut {
    this.#recordedUntil = cut.end_time
    this.#recordedNumber = cut.lap_number
    this.#course.forgetBefore(cut.end_time)
    return cut
  }
}
