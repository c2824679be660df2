/**
 * Orders the readings of a simulator's clock, in a protocol that does not number its packets.
 *
 * The first datagram of a session may overtake one of the session before. So the filter believes a reading that does not
 * follow the last one only when another reading follows it.
 */

/** The relation of a reading to an earlier one. `ahead`, `back`: too far for a packet that was lost or overtaken on the way. */
export type Relation = "next" | "same" | "late" | "ahead" | "back"

/** `unsure`: it does not follow, and no later reading has confirmed it yet; its point is dropped. */
export type Verdict = "first" | "unsure" | Relation

/** How far a reading may be behind the last one and still have been overtaken, or ahead of the time that passed, s. */
export const SLACK_S = 1

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
  #suspect: Arrived<Reading> | undefined

  constructor(relation: (last: Reading, next: Reading, elapsed: number) => Relation) {
    this.#relate = relation
  }

  /** The next reading is the first. */
  reset(): void {
    this.#last = undefined
    this.#suspect = undefined
  }

  /** Judges a reading that came at `arrival`, s. After `ahead` and `back` the readings continue from there. */
  take(reading: Reading, arrival: number): Verdict {
    const arrived = { reading, arrival }
    const last = this.#last
    if (last === undefined) {
      this.#last = arrived
      return "first"
    }
    const relation = this.#relation(last, arrived)
    if (relation === "ahead" || relation === "back") {
      const suspect = this.#suspect
      const confirmed = suspect !== undefined && follows(this.#relation(suspect, arrived))
      this.#suspect = confirmed ? undefined : arrived
      if (!confirmed) return "unsure"
    } else this.#suspect = undefined
    if (relation !== "late") this.#last = arrived
    return relation
  }

  #relation(last: Arrived<Reading>, next: Arrived<Reading>): Relation {
    return this.#relate(last.reading, next.reading, next.arrival - last.arrival)
  }
}

const follows = (relation: Relation) => relation === "next" || relation === "same"
