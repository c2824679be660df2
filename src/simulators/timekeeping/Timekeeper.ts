/**
 * Decides where sessions begin and end, from a game's moments in their order (timekeeping.md, rules 1 and 2), and
 * passes the moments of a session to its laps.
 *
 * A session goes on, over silences and links, until a report contradicts it. One packet is not believed against all
 * others: a contradiction counts when the next moment agrees with it, and the new session then begins at the first of
 * the two. Until then the points wait. A session's first point also waits for the next moment; if that contradicts it,
 * the point is dropped.
 */
import type { EventBuffer } from "../EventBuffer.ts"
import type { KnownSessionNames } from "./NamedSession.ts"
import { NamedSession } from "./NamedSession.ts"
import { numberIn } from "./lapClocks.ts"
import { Laps } from "./Laps.ts"
import type { Moment } from "./Moment.ts"

/** A best lap is reported as a float, or rounded, s. */
const ROUNDING_S = 0.002
/** A lap's clock that goes back by more starts anew, s; by less it may be corrected, or come late. */
const BACK_S = 1

export class Timekeeper {
  readonly #laps = new Laps()
  readonly #session: NamedSession
  readonly #begins: (moment: Moment) => void
  /** A moment that contradicts the session. */
  #suspect: Moment | undefined
  /** Whether the points since then wait for the next moment, and not for names. */
  #holds = false
  /** Whether a second moment agreed with the session's first one. */
  #isConfirmed = false

  /** `begins` is called before the first point of each session. */
  constructor(
    names: () => KnownSessionNames,
    begins: (moment: Moment) => void,
    areKnown: () => boolean = () => true
  ) {
    this.#session = new NamedSession(() => this.#isConfirmed && areKnown(), names)
    this.#begins = begins
  }

  /** The lap in which the car is; NaN in none. */
  get lapNumber(): number {
    return this.#suspect === undefined ? this.#laps.lapNumber : numberIn(this.#suspect)
  }

  /** When the lap under way began, s on the feed's clock; NaN where that is unknown, or without one. */
  get lapStart(): number {
    return this.#laps.start
  }

  /** Whether a session runs, and a point belongs to it. */
  get isBegun(): boolean {
    return this.#session.isBegun
  }

  /** Takes the moment of a point that comes next, or a moment without a point while a session runs. */
  read(moment: Moment, arrival: number, events: EventBuffer): void {
    const { last } = this.#laps
    if (last === undefined || !contradicts(last, moment, this.#isInLap)) this.#release(events)
    else if (!this.#isConfirmed && !this.#session.isRunning) events.late(this.drop(events))
    else if (!this.#takeSuspect(moment, arrival, events)) return
    this.#isConfirmed = this.#session.isBegun
    this.#begin(moment, arrival, events)
  }

  /** Called after packets without a moment: they may have brought the session's names. */
  settle(arrival: number, events: EventBuffer): void {
    this.#session.settle(arrival, events)
  }

  /** Called when the game reports, without a moment, laps that it keeps. */
  learn(events: EventBuffer): void {
    this.#laps.learn(events)
  }

  /** The next moment is another session's. */
  leave(events: EventBuffer): void {
    this.#session.leave(events)
    this.#isConfirmed = false
    this.#suspect = undefined
    this.#holds = false
    this.#laps.begin()
  }

  /** The events that wait are in no session: drops them, and returns the number of their points. */
  drop(events: EventBuffer): number {
    if (this.#session.isRunning) return 0
    const points = this.#session.drop(events)
    this.leave(events)
    return points
  }

  /** The same driver has another name. */
  rename(from: string, to: string, events: EventBuffer): void {
    if (this.#laps.rename(from, to) && this.#session.isRunning) events.rename({ driver: to })
  }

  /** The session is over. */
  end(events: EventBuffer): void {
    this.#release(events)
    this.#laps.close(true, events)
    if (this.#session.isBegun) this.#session.end(events)
    this.leave(events)
  }

  /** The link ends: nothing waits any longer. */
  linkLost(events: EventBuffer): void {
    this.#release(events)
    this.#session.startNow(events)
  }

  get #isInLap(): boolean {
    return !Number.isNaN(this.#laps.lapNumber)
  }

  #begin(moment: Moment, arrival: number, events: EventBuffer): void {
    if (!this.#session.isBegun) this.#begins(moment)
    this.#session.begin(arrival, events)
    this.#laps.read(moment, events)
  }

  /** Whether another session began with the moment before: this one contradicts the session, and not that one. */
  #takeSuspect(moment: Moment, arrival: number, events: EventBuffer): boolean {
    const suspect = this.#suspect
    if (suspect === undefined || contradicts(suspect, moment, true)) {
      this.#suspect = { ...moment }
      if (!this.#holds) this.#hold(events)
      return false
    }
    this.leave(events)
    this.#begin(suspect, arrival, events)
    return true
  }

  /** Reports the known data of the session first: the events after it may belong to another one. */
  #hold(events: EventBuffer): void {
    this.#laps.close(false, events)
    this.#session.startNow(events)
    this.#holds = true
    events.hold()
  }

  /** The session goes on: only one packet contradicted it. */
  #release(events: EventBuffer): void {
    this.#suspect = undefined
    if (this.#holds) events.release()
    this.#holds = false
  }
}

const differ = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && one !== other

const isGone = (last: number | null | undefined, now: number | null | undefined): boolean =>
  typeof last === "number" && now === null

/** Whether a count that fell fell into the lap before, as a rewind does; a restart begins a lap, or none. */
const isBefore = (last: Moment, now: Moment): boolean =>
  now.lapNumber === last.lapNumber - 1 && now.clock > now.time - last.time + last.clock

/** Whether the clock of the lap under way started anew. */
const isBegunAgain = (last: Moment, now: Moment): boolean =>
  now.lapNumber === last.lapNumber && now.isOver !== true && now.clock < last.clock - BACK_S

/** Whether `now` cannot be of the session of `last`. `isInLap`: whether that one had begun a lap. */
const contradicts = (last: Moment, now: Moment, isInLap: boolean): boolean => {
  if (last.session !== undefined && now.session !== undefined) return last.session !== now.session
  if (differ(last.course, now.course) || differ(last.car, now.car) || differ(last.kind, now.kind)) return true
  if (now.isRewound === true) return false
  // On the way to its first line a race's clock may start anew.
  if (isInLap && (now.sessionClock ?? 0) < (last.sessionClock ?? 0)) return true
  if (now.isRace !== false && now.lapNumber < last.lapNumber && !isBefore(last, now)) return true
  if (now.isRace === true && isInLap && isBegunAgain(last, now)) return true
  // The data of a lap that just ended may come later.
  if (now.lapNumber > last.lapNumber) return false
  const isWorse = (now.bestLap ?? 0) > (last.bestLap ?? Infinity) + ROUNDING_S
  return isWorse || isGone(last.lastLap, now.lastLap) || isGone(last.bestLap, now.bestLap)
}
