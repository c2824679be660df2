/**
 * What follows what among the readings of a simulator's clock, in a protocol that does not number its packets.
 *
 * A datagram of the session before may be overtaken by the first of the next one. So a reading that does not follow
 * the last one is believed only when another follows it.
 */

/** How a reading lies to one before it. `ahead`, `back`: too far for a packet lost or overtaken on the way. */
export type Relation = "next" | "same" | "late" | "ahead" | "back"

/** `unsure`: it does not follow, and nothing has borne it out yet; its point is not to be kept. */
export type Verdict = "first" | "unsure" | Relation

/** How far a reading may be behind the last one and still have been overtaken, or ahead of what the time passed allows: s. */
export const SLACK_S = 1

/** Of two readings of one clock, s, of which the second came `elapsed` s after the first. */
export const relate = (last: number, next: number, elapsed: number): Relation => {
  const step = next - last
  if (step === 0) return "same"
  if (step > 0) return step <= elapsed + SLACK_S ? "next" : "ahead"
  return step > -SLACK_S ? "late" : "back"
}

interface Heard<Reading> {
  readonly reading: Reading
  readonly arrival: number
}

export class SequenceFilter<Reading> {
  readonly #relate: (last: Reading, next: Reading, elapsed: number) => Relation
  #last: Heard<Reading> | undefined
  #suspect: Heard<Reading> | undefined

  constructor(relation: (last: Reading, next: Reading, elapsed: number) => Relation) {
    this.#relate = relation
  }

  /** The next reading is the first. */
  reset(): void {
    this.#last = undefined
    this.#suspect = undefined
  }

  /** The place of a reading that came at `arrival`, s. After `ahead` and `back` the readings go on from there. */
  take(reading: Reading, arrival: number): Verdict {
    const heard = { reading, arrival }
    const last = this.#last
    if (last === undefined) {
      this.#last = heard
      return "first"
    }
    const relation = this.#relation(last, heard)
    if (relation === "ahead" || relation === "back") {
      const suspect = this.#suspect
      const borneOut = suspect !== undefined && follows(this.#relation(suspect, heard))
      this.#suspect = borneOut ? undefined : heard
      if (!borneOut) return "unsure"
    } else this.#suspect = undefined
    if (relation !== "late") this.#last = heard
    return relation
  }

  #relation(last: Heard<Reading>, next: Heard<Reading>): Relation {
    return this.#relate(last.reading, next.reading, next.arrival - last.arrival)
  }
}

const follows = (relation: Relation) => relation === "next" || relation === "same"
