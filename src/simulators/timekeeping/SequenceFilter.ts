/**
 * Orders the readings of a simulator's clock, in a protocol that does not number its packets.
 *
 * The first datagram of a session may overtake one of the session before. So the filter believes a reading that does
 * not follow the last one only when another reading follows it. Until a reading has followed the first, the first is
 * believed no more than the second: the one that a third follows becomes the first.
 */

/** The relation of a reading to an earlier one. `ahead`, `back`: too far for a packet that was lost or overtaken on the way. */
export type Relation = "next" | "same" | "late" | "ahead" | "back"

/** `unsure`: it does not follow, and no later reading has confirmed it yet; its point is dropped. */
export type Verdict = "first" | "unsure" | Relation

/** How far a reading may be behind the last one and still have been overtaken, or ahead of the time that passed, s. */
export const SLACK_S = 1
/**
 * A reading leaps if it is ahead of the time that passed by more than this many intervals of the feed and by more than
 * LEAST_LEAP_S. After the service was busy, or from a recording that is played fast, packets come together, and some of
 * them are lost. A false reading that does not leap costs no more points than this.
 */
const LEAP_INTERVALS = 4
const LEAST_LEAP_S = 0.25
/** The interval is the mean of about this many. */
const AVERAGED = 16

/** Relates two readings of one clock, s, of which the second came `elapsed` s after the first. */
export const relate = (last: number, next: number, elapsed: number): Relation => {
  const step = next - last
  if (step === 0) return "same"
  if (step > 0) return step <= elapsed + SLACK_S ? "next" : "ahead"
  return step > -SLACK_S ? "late" : "back"
}

interface Arrived<Reading> {
  readonly reading: Reading
  readonly arrival: number
}

export class SequenceFilter<Reading> {
  readonly #relate: (last: Reading, next: Reading, elapsed: number) => Relation
  #last: Arrived<Reading> | undefined
  /** Whether a reading has followed the first. */
  #isBegun = false
  #suspect: Arrived<Reading> | undefined
  /** The mean of the time between two readings, s. */
  #interval = LEAST_LEAP_S / LEAP_INTERVALS
  /** When the newest reading came. */
  #newAt = Number.NaN

  constructor(relation: (last: Reading, next: Reading, elapsed: number) => Relation) {
    this.#relate = relation
  }

  /** The next reading is the first. */
  reset(): void {
    this.#last = undefined
    this.#isBegun = false
    this.#suspect = undefined
  }

  /** Judges a reading that came at `arrival`, s. After `ahead` and `back` the readings continue from there. */
  take(reading: Reading, arrival: number): Verdict {
    const arrived = { reading, arrival }
    const last = this.#last
    if (last === undefined) return this.#begin(arrived)
    const closely = this.#relation(last, arrived, Math.max(LEAST_LEAP_S, LEAP_INTERVALS * this.#interval))
    const relation = closely === "ahead" ? this.#relation(last, arrived, SLACK_S) : closely
    if (closely === "ahead" || closely === "back" || (closely === "late" && !this.#isBegun)) {
      const suspect = this.#suspect
      const confirmed = suspect !== undefined && follows(this.#relation(suspect, arrived, SLACK_S))
      this.#suspect = confirmed ? undefined : arrived
      if (!confirmed) return "unsure"
      if (!this.#isBegun) return this.#begin(arrived)
    } else this.#suspect = undefined
    this.#isBegun ||= follows(relation)
    if (relation !== "late") this.#last = arrived
    if (relation === "next") this.#measure(arrival)
    return relation
  }

  #begin(first: Arrived<Reading>): Verdict {
    this.#isBegun = this.#last !== undefined
    this.#last = first
    this.#newAt = first.arrival
    return "first"
  }

  /** `slack`: how far it may be ahead of the time that passed, s. */
  #relation(last: Arrived<Reading>, next: Arrived<Reading>, slack: number): Relation {
    return this.#relate(
      last.reading,
      next.reading,
      next.arrival - last.arrival - SLACK_S + Math.min(slack, SLACK_S)
    )
  }

  #measure(arrival: number): void {
    this.#interval += (Math.min(arrival - this.#newAt, SLACK_S) - this.#interval) / AVERAGED
    this.#newAt = arrival
  }
}

const follows = (relation: Relation) => relation === "next" || relation === "same"
