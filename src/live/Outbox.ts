/**
 * When what is to be told leaves for its listeners: a write to a socket costs the system call and not the bytes, so
 * messages that come fast share one.
 *
 * - A circle that was told nothing for SPACING_MS is told at the end of this turn of the event loop: a single car's
 *   60 Hz are never held. After that, what comes within SPACING_MS of the last parcel leaves together.
 * - All writing takes SHARE of the time at most, so that a process with more listeners than it can write to at the
 *   pace of the messages writes several messages at a time, and still has time for the feeds and for HTTP.
 * - Writing to many listeners is interrupted every SLICE_MS to let the event loop turn.
 *
 * Guarantees: a circle's parcels leave one after another, each whole before the next begins.
 *
 * Hard cases. What is flushed (an event comes, listeners move) does not wait for its time, but is charged for. A
 * full parcel does not wait either: memory is bounded, and whoever tells so much waits by being called late.
 */
import type { Circle, Departure } from "./Circle.ts"
import type { TimingService } from "../Timing.ts"

/** A quarter of the interval of a 60 Hz feed. */
export const SPACING_MS = 4

/** Of the wall clock's time; what is left is for the feeds, HTTP, and whatever else the process does. */
const SHARE = 2 / 3

/** Writing may be so far ahead of its share: small circles, each of which has its own moment, do not wait for one another. */
const SLACK_MS = 4

const SLICE_MS = 4

/** Looking at the clock costs a hundredth of a write; so many writes go between two looks. */
const LOOK_EVERY = 16

/** A timer may ring a fraction of a millisecond early. */
const EARLY_MS = 1

export class Outbox {
  readonly #timing: TimingService
  readonly #waiting = new Set<Circle>()
  readonly #underWay: Array<Departure> = []
  /** When the writing so far is paid for; the Generic Cell Rate Algorithm, as in Pace. */
  #due = -Infinity
  #soon = false
  #alarm: { readonly at: number; readonly cancel: () => void } | undefined

  constructor(timing: TimingService) {
    this.#timing = timing
  }

  /** A circle has something to tell. */
  post(circle: Circle): void {
    this.#waiting.add(circle)
    if (this.#underWay.length === 0) this.#arm(circle, this.#timing.now())
  }

  /** All that waits goes now. */
  flush(): void {
    const now = this.#timing.now()
    for (const circle of this.#waiting) this.#underWay.push(circle.depart(now))
    this.#waiting.clear()
    this.#write(Infinity)
  }

  #earliest(circle: Circle): number {
    return circle.full ? -Infinity : Math.max(circle.left + SPACING_MS, this.#due - SLACK_MS)
  }

  #arm(circle: Circle, now: number): void {
    if (this.#soon) return
    const at = this.#earliest(circle)
    if (at <= now) return this.#atEndOfTurn()
    if (this.#alarm !== undefined) {
      if (this.#alarm.at <= at) return
      this.#alarm.cancel()
    }
    this.#alarm = { at, cancel: this.#timing.after(Math.ceil(at - now), this.#ring) }
  }

  #atEndOfTurn(): void {
    this.#alarm?.cancel()
    this.#alarm = undefined
    this.#soon = true
    this.#timing.soon(this.#turn)
  }

  readonly #ring = () => {
    this.#alarm = undefined
    this.#turn()
  }

  readonly #turn = () => {
    this.#soon = false
    if (this.#underWay.length === 0) {
      const now = this.#timing.now()
      for (const circle of this.#waiting) {
        if (this.#earliest(circle) > now + EARLY_MS) continue
        this.#waiting.delete(circle)
        this.#underWay.push(circle.depart(now))
      }
    }
    this.#write(SLICE_MS)
  }

  /** Goes on with what is under way, for so long; then sees when the next parcels leave. */
  #write(millis: number): void {
    const begin = this.#timing.now()
    let now = begin
    for (; this.#underWay.length > 0 && now < begin + millis; now = this.#timing.now()) {
      const departure = this.#underWay[0]!
      const { listeners, parcel } = departure
      const until = Math.min(listeners.length, departure.next + LOOK_EVERY)
      while (departure.next < until) listeners[departure.next++]!.send(parcel)
      if (departure.next === listeners.length) this.#underWay.shift()
    }
    this.#due = Math.max(this.#due, begin) + (now - begin) / SHARE
    if (this.#underWay.length > 0) return this.#atEndOfTurn()
    for (const circle of this.#waiting) this.#arm(circle, now)
  }
}
