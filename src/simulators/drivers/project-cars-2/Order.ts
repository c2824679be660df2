/**
 * The order of packets, by the number that all packets have, and the lost telemetry, by its number within its
 * type. The meaning of the second number is taken from its name, so it is trusted only once two packets
 * in a row had numbers in a row.
 */
import { type Relation, SequenceFilter } from "../../timekeeping/SequenceFilter.ts"
import { PacketType } from "./layout.ts"

/** A packet less than this behind the newest was overtaken; further behind, the game counts anew. */
const OVERTAKEN = 256
/** Packets a second: the rate of a usual build, until the rate was measured, and the lowest rate that is believed. */
const USUAL_RATE = 100
const MIN_RATE = 30
/** The rate is measured over this long, s. */
const MEASURED_S = 1
/** A greater step belongs to another count, and is no loss: a silence this long is a lost link. */
const MAX_LOST = 1000

/** Packets that come all the time in the current session. */
const ofSession = [PacketType.telemetry, PacketType.timings, PacketType.timeStats] as const
/** Names come in parts, which may share a number. */
const inParts: ReadonlySet<number> = new Set([PacketType.participants, PacketType.vehicles])

export class Order {
  readonly #sequence = new SequenceFilter<number>((last, next, elapsed) => this.#relate(last, next, elapsed))
  /** Packets a second, and the packet since which they are measured: its number, and its arrival. */
  #rate = USUAL_RATE
  #since = Number.NaN
  #sinceArrival = Number.NaN
  /** By packet type, of its newest packet. */
  readonly #newest = new Map<number, number>()
  #telemetry = Number.NaN
  #isProved = false

  /** `late`: overtaken, repeated, or not confirmed yet. `anew`: the game counts from the start again. */
  take(type: number, number: number, arrival: number): "next" | "late" | "anew" {
    const verdict = this.#sequence.take(number, arrival)
    if (verdict === "unsure") return "late"
    if (verdict !== "late") this.#measure(number, arrival, verdict === "next")
    if (verdict === "back" || verdict === "ahead" || verdict === "first") {
      this.#newest.clear()
      this.interrupt()
    }
    if (!inParts.has(type) && number <= (this.#newest.get(type) ?? -1)) return "late"
    this.#newest.set(type, number)
    return verdict === "back" ? "anew" : "next"
  }

  #relate(last: number, next: number, elapsed: number): Relation {
    const step = next - last
    if (step === 0) return "same"
    if (step > 0) return step <= 2 * this.#rate * (elapsed + 1) ? "next" : "ahead"
    return step > -OVERTAKEN ? "late" : "back"
  }

  #measure(number: number, arrival: number, isNext: boolean): void {
    const passed = arrival - this.#sinceArrival
    if (isNext && passed < MEASURED_S) return
    if (isNext && passed >= MEASURED_S) this.#rate = Math.max(MIN_RATE, (number - this.#since) / passed)
    this.#since = number
    this.#sinceArrival = arrival
  }

  /** A session begins after this number: packets with a lower number that still arrive are late. */
  beginAfter(number: number): void {
    for (const type of ofSession) this.#newest.set(type, Math.max(number, this.#newest.get(type) ?? -1))
  }

  /** The next step of telemetry's own number means nothing. */
  interrupt(): void {
    this.#telemetry = Number.NaN
  }

  /** The number of telemetry packets that were lost before the one with this number. */
  lostBefore(number: number): number {
    const step = number - this.#telemetry
    this.#telemetry = number
    if (step === 1) this.#isProved = true
    return this.#isProved && step > 1 && step <= MAX_LOST ? step - 1 : 0
  }
}
