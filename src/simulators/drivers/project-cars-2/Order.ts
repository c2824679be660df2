/**
 * What follows what, by the number that all packets have, and what of the telemetry was lost, by its number among its
 * own kind. That this is what the second number counts is taken from its name, so it is believed only once two packets
 * in a row were numbered in a row.
 */
import { type Relation, SequenceFilter } from "../../SequenceFilter.ts"
import { PacketType } from "./layout.ts"

/** A packet so many behind the newest was overtaken; further behind, the game counts anew. */
const OVERTAKEN = 256
/** More packets than any build sends, a second and at once. */
const MAX_PACKETS = 10_000
/** A greater step is another count, not a loss: a silence so long is a lost link. */
const MAX_LOST = 1000

/** What comes all the time, of the session that runs. */
const ofSession = [PacketType.telemetry, PacketType.timings, PacketType.timeStats] as const
/** Names come in parts, which may well share a number. */
const inParts: ReadonlySet<number> = new Set([PacketType.participants, PacketType.vehicles])

const relation = (last: number, next: number, elapsed: number): Relation => {
  const step = next - last
  if (step === 0) return "same"
  if (step > 0) return step <= MAX_PACKETS * (elapsed + 1) ? "next" : "ahead"
  return step > -OVERTAKEN ? "late" : "back"
}

export class Order {
  readonly #sequence = new SequenceFilter(relation)
  /** Of the newest packet of each type. */
  readonly #newest = new Map<number, number>()
  #telemetry = Number.NaN
  #isProved = false

  /** `late`: overtaken, come twice, or not borne out yet. `anew`: the game counts from the start again. */
  take(type: number, number: number, arrival: number): "next" | "late" | "anew" {
    const verdict = this.#sequence.take(number, arrival)
    if (verdict === "unsure") return "late"
    if (verdict === "back" || verdict === "ahead") {
      this.#newest.clear()
      this.interrupt()
    }
    if (!inParts.has(type) && number <= (this.#newest.get(type) ?? -1)) return "late"
    this.#newest.set(type, number)
    return verdict === "back" ? "anew" : "next"
  }

  /** A session begins after this number: what was sent before it, and comes yet, is late. */
  beginAfter(number: number): void {
    for (const type of ofSession) this.#newest.set(type, Math.max(number, this.#newest.get(type) ?? -1))
  }

  /** The next step of telemetry's own number says nothing. */
  interrupt(): void {
    this.#telemetry = Number.NaN
  }

  /** Telemetry that was lost before the one with this number among its kind. */
  lostBefore(number: number): number {
    const step = number - this.#telemetry
    this.#telemetry = number
    if (step === 1) this.#isProved = true
    return this.#isProved && step > 1 && step <= MAX_LOST ? step - 1 : 0
  }
}
