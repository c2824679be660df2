/**
 * The clock of a session's feed. It decides which times may follow one another (timekeeping.md, rules 1 and 2), and
 * converts them to epoch seconds. Plain.
 *
 * A single time is not trusted against all others. A time that leaps ahead or falls back is accepted if the time after
 * it agrees; otherwise that one point is refused. If the time leaps by more than an hour, somebody has set the clock:
 * the clock is anchored anew, and the session goes on. A clock that falls to its start, or falls after a session
 * message or a lost link, belongs to another session.
 */
import { MAX_GAP_S } from "../../domain/lapLimits.ts"
import { isPointTime, LATEST_POINT, toMicros } from "../../domain/Time.ts"
import type { Rejection } from "../Rejection.ts"

/**
 * A time may be ahead of the last one by the real time that has passed and this much more, s. A replay may be fast, and
 * a recording may have holes. A time farther ahead comes from another clock.
 */
export const MAX_LEAD_S = 3600

/** A time leaps if it is ahead of the last one by more than this many of the feed's intervals. */
const MAX_STEPS = 3
/** Fewer repeated times than this are an accident. */
const MIN_REPEATED = 10
/** A point that is earlier than the last one by less than this, s, comes late: the clock did not fall. */
const LATE_S = 1
/** A feed may send its last buffered points, up to this old, s, again: the clock did not fall. */
const RESENT_S = 10
/** Two stated zeros this close are the same, s: a source may compute its zero anew, and imprecisely, for each link. */
const SAME_ZERO_S = 1
/** Exceeds the rounding error, s, of a present-day time after a zero is subtracted and added again: twice 240 ns. */
export const MIN_STEP_S = 1e-6

/** The verdict on a point. `wait`: for the next time. `another`: it and all later points belong to another session. */
export type Verdict = "keep" | "wait" | "another" | Rejection

/** How to treat a clock that fell: refuse its points (the driver decides), anchor it anew, or begin another session. */
export type Falls = "refused" | "anchored" | "another"

/** A sign that another session may have begun: a session message on the same or on another link, or a lost link. */
type Sign = "message" | "rejoined" | "link"

export class FeedClock {
  /** Epoch seconds of the clock's zero; undefined until the first row arrives. */
  zero: number | undefined
  falls: Falls = "refused"
  /** The times are those of a file, which increase and may leap: they are not held against their arrival. */
  isOfFile = false
  /** The zero that the feed stated last. */
  #stated: number | undefined
  #sign: Sign | undefined
  /** The feed starts over. Its repeated points are refused, and do not count as a clock that fell. */
  #isRepeated = false
  #first: number
  #last: number
  #lastArrival: number
  /** For the points being judged: the time since the last one arrived, and the largest step that is no leap, s. */
  #ago = 0
  #limit = MAX_LEAD_S
  /** The step between the last two kept times, s. */
  #step = MIN_STEP_S
  #arrival = Number.NaN
  /** The number of points that had the time of the point before. */
  #repeated = 0

  /** `first` and `last`: times of the session's points, epoch seconds. `lastArrival`: when the last one arrived. */
  constructor(
    zero: number | undefined,
    lastArrival: number,
    { first, last }: { readonly first: number; readonly last: number } = { first: Infinity, last: -Infinity }
  ) {
    this.zero = zero
    this.#stated = zero
    this.#first = first
    this.#last = last
    this.#lastArrival = lastArrival
  }

  /** The last kept time, epoch seconds; -Infinity before the first. */
  get last(): number {
    return this.#last
  }

  /** The latest plausible time at `arrival`, epoch seconds. */
  latest(arrival: number): number {
    return this.#last === -Infinity || this.isOfFile
      ? Infinity
      : this.#last + this.#since(arrival) + MAX_LEAD_S
  }

  /** The expected time of a row that arrives at `arrival`, judged by the points; -Infinity before the first. */
  expected(arrival: number): number {
    return this.#last + this.#since(arrival)
  }

  /** The feed states its zero, or none, on the link on which the session runs. */
  restated(zero: number | undefined): void {
    this.#stated = zero ?? this.#stated
    this.#sign = "message"
  }

  /** The session goes on over another link. `zero`: what the feed states there; `kept`: the zero for a feed that states none. */
  rejoined(zero: number | undefined, kept: number | undefined): void {
    // The user may have named a session that was recorded from the same feed before.
    this.#isRepeated = zero !== undefined && (this.#stated !== undefined || this.falls === "anchored")
    this.zero = this.#stated !== undefined && this.states(zero) ? this.zero : (zero ?? kept)
    this.#stated = zero ?? this.#stated
    this.#sign = "rejoined"
  }

  /** The link is gone. */
  linkLost(): void {
    this.#sign = "link"
  }

  /** Whether a feed that states this zero can run on this clock. */
  states(zero: number | undefined): boolean {
    return zero === undefined || !(Math.abs(zero - (this.#stated ?? zero)) > SAME_ZERO_S)
  }

  /** Whether a session message came since the last point was kept. */
  get isStated(): boolean {
    return this.#sign === "message" || this.#sign === "rejoined"
  }

  /** Anchors the clock at the first row. The rows arrived at `arrival`; `end` is an instant after all kept rows. */
  anchor(times: Float64Array, arrival: number, end: number): void {
    if (this.zero !== undefined) return
    const first = times.find((time) => isPointTime(Math.abs(time)))
    if (first !== undefined) this.zero = Math.max(arrival, end) - first
  }

  /** A time of the feed's clock in epoch seconds; undefined before the clock is anchored, or without a time. */
  epoch(time: number | undefined): number | undefined {
    return time === undefined || this.zero === undefined ? undefined : this.zero + time
  }

  /**
   * Converts times to epoch seconds in place, up to the first one that does not plainly follow the one before. Returns
   * how many it converted, nearly always all. `interval`: the feed's own, s; NaN if unknown.
   */
  follow(times: Float64Array, arrival: number, interval: number): number {
    this.#arrival = arrival
    this.#ago = this.#since(arrival)
    this.#limit = this.isOfFile
      ? Infinity
      : Number.isNaN(interval)
        ? MAX_GAP_S
        : Math.min(MAX_STEPS * interval, MAX_LEAD_S)
    const zero = this.zero ?? 0
    // The times increase, so the first one shows that all are late enough.
    if (!isPointTime(zero + times[0]!)) return 0
    let previous = this.#last
    let lead = previous === -Infinity ? Infinity : this.#ago + this.#limit
    for (let i = 0; i < times.length; i++) {
      const time = zero + times[i]!
      if (!(time > previous && time - previous <= lead && time <= LATEST_POINT)) return i
      times[i] = time
      previous = time
      lead = this.#limit
    }
    return times.length
  }

  /**
   * The number of points since the last call that had the time of the point before, and the resolution of the times, s;
   * undefined if these points are few enough to be an accident.
   */
  takeRepeated(): { readonly points: number; readonly resolution: number } | undefined {
    if (this.#repeated < MIN_REPEATED) return undefined
    const points = this.#repeated
    this.#repeated = 0
    return { points, resolution: toMicros(this.#step) }
  }

  /** Notes the times of points that were kept. */
  took(times: Float64Array): void {
    if (times.length === 0) return
    const last = times[times.length - 1]!
    this.#took(times[0]!, times[times.length - 2] ?? this.#last, last)
  }

  #took(first: number, before: number, last: number): void {
    if (this.#first === Infinity) this.#first = first
    else this.#step = last - before
    this.#last = last
    this.#lastArrival = this.#arrival
    this.#ago = 0
    this.#sign = undefined
    this.#isRepeated = false
  }

  /**
   * Judges the next point by its `time` and by `next`, the time after it (epoch seconds; undefined if it has not
   * arrived). May move the clock's zero. Then both times move by the same amount.
   */
  judge(time: number, next: number | undefined): Verdict {
    if (!Number.isFinite(time)) return "not_finite"
    const ahead = time - this.#last
    if (ahead > 0 && isPointTime(time)) {
      // A pause would allow this leap. If the time after it shows that there was no pause, the point is refused.
      const isOdd = ahead > this.#limit && next !== undefined && next > this.#last && next <= time
      if (this.#last === -Infinity || (ahead <= this.#ago + this.#limit && !isOdd)) return this.#keep(time)
      if (ahead <= this.#ago + MAX_LEAD_S) {
        return next === undefined ? "wait" : next > time ? this.#keep(time) : "implausible_time"
      }
    }
    if (ahead === 0) this.#repeated++
    const refusal = ahead > 0 || !isPointTime(time) ? "implausible_time" : "out_of_order"
    if (!isPointTime(Math.abs(time - (this.zero ?? 0)))) return refusal
    if (ahead <= 0 && !this.#mayFall(time)) return refusal
    if (ahead <= 0 && this.#sign === "message" && time <= this.#first) return this.#fell(time)
    if (next === undefined) return "wait"
    const agrees = next > time && (ahead > 0 ? next - time <= MAX_LEAD_S : next <= this.#last)
    if (!agrees) return refusal
    return ahead > 0 ? this.#anchorAnew(time) : this.#fell(time)
  }

  #mayFall(time: number): boolean {
    if (this.falls === "refused" || this.#isRepeated) return false
    const isAtStart = time < this.#first + LATE_S
    if (this.#sign === "message" && time <= this.#first) return true
    return this.#last - time > (isAtStart || this.#sign === "message" ? LATE_S : RESENT_S)
  }

  #fell(time: number): Verdict {
    const isAnother = this.#sign !== undefined || time < this.#first + LATE_S
    return this.falls === "another" && isAnother ? "another" : this.#anchorAnew(time)
  }

  #anchorAnew(time: number): Verdict {
    // The feed's own steps are more regular than arrivals.
    const step = this.#ago <= Math.max(this.#limit, MAX_GAP_S) ? this.#step : this.#ago
    const now = this.#last + step
    if (!isPointTime(now)) return "implausible_time"
    this.zero = (this.zero ?? 0) + now - time
    return this.#keep(now)
  }

  #keep(time: number): Verdict {
    this.#took(time, this.#last, time)
    return "keep"
  }

  #since(arrival: number): number {
    return this.#last === -Infinity ? 0 : Math.max(0, arrival - this.#lastArrival)
  }
}
