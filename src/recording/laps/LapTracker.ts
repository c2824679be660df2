/**
 * Cuts a session into laps: a plain state machine over batches, without clock or I/O, so that the same points always give the
 * same laps.
 *
 * The sources of laps, in order of trust (native-feed.md): the simulator's lap messages; `lap_number` in the points;
 * crossings of the start line by the positions. A feed may have several. From the first lap message on, only lap
 * messages count; a session message that announces lap messages has the same effect. Until a whole lap has passed
 * without a message, a lap that was found otherwise is held back for `MESSAGE_GRACE_S`. Its message may still come in
 * that time, so no lap is recorded twice. A later message for a lap that was given out is ignored.
 *
 * Times are epoch seconds. A lap is half open: a point on the line belongs to the lap that begins there. Laps never overlap,
 * and each has a duration.
 *
 * Over 250 lines: points, line crossings and messages change the same open and held lap, so they stay one machine. Code
 * that needs neither lap has files of its own (`DrivenDistance`, `StartLineDetector`, `GivenLaps`, `SectorCutter`,
 * `lapNumbers`).
 */
import type { PointBatch } from "../../domain/RowBatch.ts"
import type { SectorLines } from "../../domain/SectorLines.ts"
import { justAfter, toMicros } from "../../domain/Time.ts"
import type { FeedPoints } from "../feed/admission.ts"
import { GivenLaps } from "./GivenLaps.ts"
import { type FoundLaps, isAtLine, nextLapNumber, numberedSince } from "./lapNumbers.ts"
import { SectorCutter } from "./SectorCutter.ts"
import { DrivenDistance } from "./DrivenDistance.ts"
import { DrivenWay, type Looked } from "./DrivenWay.ts"
import { type Continuation, cutOf, type LapCut, type LapMessage, type TrackFacts, uncut } from "./laps.ts"
import { StartLineDetector, type Passage } from "./StartLineDetector.ts"

/** How long after the line a lap message may come, on the feed's clock. */
export const MESSAGE_GRACE_S = 2
/**
 * If a lap message's lap time and its span differ by more, s, they describe different laps, and sectors cannot be
 * derived.
 */
const MAX_CLOCK_ERROR_S = 0.5

/**
 * If a message's lap time is below this share of the least time in which the car can drive the lap, it is another lap's
 * time.
 */
const TOO_FAST_SHARE = 0.9

/** A car that rolls faster does not stand, whatever its distance says, km/h. */
const STANDING_KMH = 5

/** A car that is farther from the line than this share of the circuit is not at the line. */
const LINE_SHARE = 0.1

/** Before the first point of a batch. */
const nothing: Looked = { put: -1, until: 0 }

interface OpenLap {
  number: number
  start: number
  /** The lap began at the line, not where the feed began. */
  fromLine: boolean
  /** The distance past the line at which the car has stood since the session began: a lap on the grid begins when it leaves. */
  standsAt?: number | undefined
}

export class LapTracker {
  #facts: TrackFacts
  #settled: "messages" | "points" | undefined
  #held: LapCut | undefined
  #open: OpenLap | undefined
  #nextNumber: number
  readonly #given: GivenLaps
  /**
   * Since when each point has had a lap number, s; NaN after a point that is in no lap; undefined before the first
   * number.
   */
  #numberedSince: number | undefined
  /** The last lap number and distance in the points; NaN if absent. */
  #lapNumber = Number.NaN
  #lapDistance = Number.NaN
  /** The time of the last crossing in the points that no lap message has confirmed yet. */
  #passed = Number.NaN
  #startLine = new StartLineDetector()
  #driven = new DrivenDistance()
  #way = new DrivenWay()
  /** The points of the batch that `DrivenWay` has looked at. */
  #looked: Looked = nothing
  readonly #sectors: SectorCutter

  constructor(
    facts: TrackFacts,
    continuation: Continuation = { nextNumber: 1, lastLapEnd: -Infinity },
    layouts: ReadonlyArray<SectorLines> = []
  ) {
    this.#facts = facts
    this.#sectors = new SectorCutter(layouts)
    if (facts.tellsLaps === true) this.#settled = "messages"
    this.#nextNumber = continuation.nextNumber
    this.#given = new GivenLaps(continuation.lastLapEnd)
  }

  /**
   * A tracker for another session of the same feed that begins at the present point. It knows nothing of the lap under
   * way.
   */
  anew(): LapTracker {
    return new LapTracker(this.#facts, undefined, this.#sectors.layouts)
  }

  /** The feed's own interval, s; NaN before the second point. */
  get interval(): number {
    return this.#driven.interval
  }

  /** Continues with the facts that the feed states now. */
  restate(facts: TrackFacts): void {
    this.#facts = facts
    if (facts.tellsLaps === true) this.#settled = "messages"
  }

  /** To be called when the feed's clock began anew: the next point comes after a gap. */
  interrupt(): void {
    this.#driven.interrupt()
  }

  /** Takes admitted points, in order. Returns the laps that they complete. */
  points(points: FeedPoints): ReadonlyArray<LapCut> {
    return this.pointsFrom(points, 0, Infinity).cuts
  }

  /**
   * Takes points from the index `start` on until they have completed `most` laps. `next` is the index of the first point not
   * taken, or the number of points. One call usually takes all; a feed with a lap in every point needs several.
   */
  pointsFrom({ batch, lap }: FeedPoints, start: number, most: number): FoundLaps {
    const cuts: Array<LapCut> = []
    const lapNumber = lap?.column("current_lap")
    const lapDistance = lap?.column("lap_distance")
    const { length } = batch
    if (start >= length) return { cuts, next: length }
    if (start === 0 && this.#facts.numbersLaps === true) {
      this.#numberedSince = numberedSince(lapNumber, batch.timestamps, this.#numberedSince)
    }
    // Each pass goes on to the next point that may end a lap. In between, loops over columns do all the work.
    let from = start
    if (start === 0) this.#looked = nothing
    while (from < length && cuts.length < most) {
      if (from >= this.#looked.until) this.#lookOn(batch, from)
      this.#leaveGrid(batch, lapDistance, from)
      const { put, until } = this.#looked
      const end = put < 0 ? until : put
      const reported = nextLapNumber(lapNumber, this.#lapNumber, from, end)
      const passage = this.#nextPassage(batch, from, reported)
      const at = this.#open === undefined ? from : (passage?.index ?? reported)
      this.#driven.advance(batch, from, at === until ? at : at + 1)
      if (at > from) this.#lapDistance = lapDistance?.[at - 1] ?? Number.NaN
      from = at === until ? at : at + 1
      if (at === until) continue
      const number = at === reported && at !== put ? lapNumber![at]! : this.#lapNumber
      const travelled = lapDistance?.[at] ?? Number.NaN
      if (this.#open === undefined) this.#begin(this.#driven.time, number, travelled)
      else if (at === put) this.#wasPut()
      else if (passage === undefined) this.#byNumber(number, travelled, cuts)
      else this.#byLine(passage, cuts)
      this.#lapNumber = number
      this.#lapDistance = travelled
    }
    if (from >= this.#looked.until) this.#spoilSlow()
    this.#releaseHeld(this.#driven.time - MESSAGE_GRACE_S, cuts)
    return { cuts, next: Math.min(from, length) }
  }

  /** Takes a lap message. Returns the laps that it completes; none if the lap was recorded already. */
  message(message: LapMessage): ReadonlyArray<LapCut> {
    const held = this.#held
    const open = this.#open
    const start = message.start ?? held?.startTime ?? open?.start ?? Number.NaN
    const end = message.end ?? held?.endTime ?? this.#passedSince(start) ?? justAfter(this.#driven.time)
    // The feed's clock and a crossing found in its points differ a little. Laps must not overlap because of that.
    const begin = Math.max(start, this.#given.until)
    const known = this.#isGiven(message, start, end)
    this.#settled = "messages"
    if (known || !(end > begin)) return []
    this.#held = undefined
    const unbroken = this.#driven.unbroken(start, end)
    // A simulator that times all laps knows where this lap began; the points show whether the service received its beginning.
    const isTimed = this.#facts.tellsLaps === true && message.start !== undefined
    const fromLine = isTimed || (held === undefined ? (open?.fromLine ?? false) : held.lapTime !== null)
    const isTooFast = this.#isTooFast(message, start, end)
    const lapTime = isTooFast ? null : message.lapTime
    const { sectorSource, sectors } = message
    const valid = !isTooFast && (message.valid ?? (fromLine && unbroken))
    // Without a lap number, the message means the next lap.
    const lapNumber = message.lapNumber ?? open?.number ?? this.#nextNumber
    const derivable =
      lapTime !== null &&
      sectorSource === undefined &&
      sectors.every((sector) => sector === null) &&
      Math.abs(end - start - lapTime) <= MAX_CLOCK_ERROR_S &&
      unbroken
    const span = { number: lapNumber, start: begin, end }
    const isReported = sectors.some((sector) => sector !== null)
    const reported = derivable
      ? this.#sectors.cut(this.#driven, { start, end, lapTime, valid })
      : { times: sectors, source: isReported ? (sectorSource ?? "simulator") : null }
    this.#open = { number: lapNumber + 1, start: end, fromLine: true }
    const { driver } = message
    return [
      this.#give({ ...cutOf(span, lapTime, reported, valid), ...(driver === undefined ? {} : { driver }) })
    ]
  }

  /**
   * Whether the car cannot have driven the lap in its lap time. Not judged if the simulator times all laps: it may have
   * rewound.
   */
  #isTooFast({ lapTime }: LapMessage, start: number, end: number): boolean {
    if (lapTime === null || this.#facts.tellsLaps === true) return false
    return lapTime < TOO_FAST_SHARE * this.#driven.leastTime(start, end)
  }

  /** Ends the session. Returns laps that were found and held back, and the lap under way, which is not valid. */
  finish(): ReadonlyArray<LapCut> {
    const cuts: Array<LapCut> = []
    this.#releaseHeld(Infinity, cuts)
    const open = this.#open
    const last = this.#driven.time
    // After the finish, and in the garage, no lap is under way.
    const start = Math.max(open?.start ?? Number.NaN, this.#numberedSince ?? -Infinity)
    const isFound = open?.fromLine === true || this.#facts.lapsFromLine !== true
    if (open !== undefined && isFound && this.#facts.tellsLastLap !== true && last >= start) {
      const span = { number: open.number, start, end: justAfter(last) }
      cuts.push(this.#give(cutOf(span, null, uncut, false)))
    }
    this.#open = undefined
    return cuts
  }

  #begin(time: number, number: number, travelled: number): void {
    this.#open = {
      number: Number.isNaN(number) ? this.#nextNumber : number,
      start: Math.max(time, this.#given.until),
      fromLine: isAtLine(travelled),
      standsAt: isAtLine(travelled) ? travelled : undefined
    }
  }

  /** Moves the begin of a first lap that stands at its line to the last point that does. */
  #leaveGrid(batch: PointBatch, distances: Float64Array | undefined, from: number): void {
    const open = this.#open
    if (open?.standsAt === undefined) return
    const { length, timestamps } = batch
    const speed = batch.column("speed")
    let leaves = from
    while (leaves < length && distances?.[leaves] === open.standsAt && !(speed[leaves]! > STANDING_KMH))
      leaves++
    if (leaves > from) open.start = timestamps[leaves - 1]!
    if (leaves < length) open.standsAt = undefined
  }

  /** When the points showed the end of a lap that began at `start`. A crossing just after the start is its beginning. */
  #passedSince(start: number): number | undefined {
    return this.#passed > (start + this.#driven.time) / 2 ? this.#passed : undefined
  }

  /** Whether a message's lap was given out already: the feed starts over, or the message came after the grace. */
  #isGiven(message: LapMessage, start: number, end: number): boolean {
    const isBare = message.start === undefined && message.end === undefined && message.lapTime === null
    return isBare && this.#settled !== "messages"
      ? this.#held === undefined && this.#given.isLast(message.lapNumber)
      : this.#given.includes(message, start, end)
  }

  #byNumber(number: number, travelled: number, cuts: Array<LapCut>): void {
    const last = this.#lapNumber
    if (number === last) return
    if (this.#isMidway(travelled)) {
      // There is no line here: the lap number is wrong now, or was wrong before.
      if (this.#open !== undefined) Object.assign(this.#open, { number, fromLine: false })
    } else if (Number.isNaN(last)) {
      // The points have the number from here on; the number at the lap's beginning was a guess.
      if (this.#open !== undefined) this.#open.number = number
    } else if (number > last) {
      this.#cross(
        this.#driven.lineTime(this.#facts.circuitLength, this.#lapDistance, travelled),
        number === last + 1,
        number,
        true,
        cuts
      )
    } else {
      // The count starts over (a restart, or the car was put back): the car did not drive over the line.
      this.#cross(this.#driven.time, false, number, isAtLine(travelled), cuts)
    }
  }

  /** Whether the car is far from the line, and drove on there. */
  #isMidway(travelled: number): boolean {
    const length = this.#facts.circuitLength ?? Number.NaN
    const before = this.#lapDistance
    return before > LINE_SHARE * length && travelled > before && travelled < (1 - LINE_SHARE) * length
  }

  /** The next passage of the line. Used only if the points have no lap number; undefined before the first point. */
  #nextPassage(batch: PointBatch, from: number, to: number): Passage | undefined {
    const { startLine } = this.#facts
    if (this.#open === undefined || startLine === undefined || !Number.isNaN(this.#lapNumber))
      return undefined
    return this.#startLine.next(startLine, this.#driven.x, this.#driven.y, batch, from, to)
  }

  /**
   * Looks where the game moved the car, and whether it ran slower than time. Checked only if positions can show laps,
   * that is, with a start line.
   */
  #lookOn(batch: PointBatch, from: number): void {
    this.#spoilSlow()
    const { length } = batch
    this.#looked =
      this.#facts.startLine === undefined ? { put: -1, until: length } : this.#way.look(batch, from, length)
  }

  /** A lap in which the game ran slower than time has no time. */
  #spoilSlow(): void {
    if (this.#way.takeSlow()) this.#driven.spoil()
  }

  /**
   * To be called when the game moved the car: the lap under way has no time, and the next one may begin immediately.
   */
  #wasPut(): void {
    this.#driven.spoil()
    this.#startLine.rearm()
    if (this.#open !== undefined) this.#open.fromLine = false
  }

  #byLine({ fraction, way }: Passage, cuts: Array<LapCut>): void {
    if (way !== "forwards" && this.#open !== undefined) this.#open.fromLine = false
    if (way === "backwards") return
    this.#cross(this.#driven.placedWithin(fraction), true, undefined, true, cuts)
  }

  /** Ends the lap under way at `at`. `counted`: it counts as one lap; `onLine`: the next one begins at the line. */
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
      if (number !== undefined) open.number = number
      return
    }
    this.#releaseHeld(Infinity, cuts)
    // An interval without duration is not a lap: only the number of the lap that begins here changes.
    const isLap = open.fromLine || this.#facts.lapsFromLine !== true
    if (at > open.start && isLap) this.#held = this.#found(open, at, open.fromLine && counted)
    if (this.#settled === "points") this.#releaseHeld(Infinity, cuts)
    this.#open = {
      number: number ?? open.number + (isLap ? 1 : 0),
      start: Math.max(at, open.start),
      fromLine: onLine && !this.#driven.isFirstAfterGap(at)
    }
  }

  #found({ number, start }: OpenLap, end: number, timed: boolean): LapCut {
    const valid = timed && this.#driven.unbroken(start)
    const lapTime = timed ? toMicros(end - start) : null
    const sectors =
      valid && lapTime !== null ? this.#sectors.cut(this.#driven, { start, end, lapTime, valid }) : uncut
    return cutOf({ number, start, end }, lapTime, sectors, valid)
  }

  /**
   * Gives out a held lap that no message claimed in time. If it ran from line to line, the feed sends no lap messages.
   */
  #releaseHeld(before: number, cuts: Array<LapCut>): void {
    const held = this.#held
    if (held === undefined || held.endTime > before) return
    this.#held = undefined
    if (held.lapTime !== null) this.#settled ??= "points"
    cuts.push(this.#give(held))
  }

  #give(cut: LapCut): LapCut {
    this.#given.add(cut)
    this.#driven.forgetBefore(cut.endTime)
    return cut
  }
}
