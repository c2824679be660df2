/**
 * A clock for BeamNG.drive, which sends none: the time of arrival, as long as datagrams arrive when they are sent.
 *
 * When the service is delayed, datagrams wait in its socket and then arrive together. While the game is paused,
 * datagrams repeat the last motion. Both look like a time in which the car drove less far than its speed implies. From
 * then on the driven distance gives the time, until the waiting datagrams have caught up. If they never catch up, the
 * delay was a short pause, which takes no time, or a gap, in which the car's motion is unknown.
 */
import { distance, MOVING, type Moving, speedOf } from "../../packets/Moving.ts"

/** A shorter time without a motion is usual, s. */
const HELD_UP_S = 0.03
/** A smaller delay counts as caught up, s. */
const LATE_S = 0.02
/** After this much driving, at least half as much must have been caught up, or nothing is waiting, s. */
const CAUGHT_UP_WITHIN_S = 0.5
/** A longer pause is a gap, in which no lap counts (contract, section 4), s. */
const GAP_S = 1
/** After this many packets without a motion between them, none will come. */
const MAX_ALONE = 10

/** The time that the car took from one to the other, s; NaN where its speed does not show it. */
const durationOf = (from: Moving, to: Moving): number => {
  const speed = (speedOf(from) + speedOf(to)) / 2
  return speed > MOVING ? distance(from, to) / speed : Number.NaN
}

export class MotionClock {
  #last: Moving | undefined
  #arrival = Number.NaN
  /** How far the arrival's clock is ahead, by pauses and by waiting datagrams, s. */
  #paused = 0
  #late = 0
  /** The delay when it was last checked, and the time driven since then, s. */
  #lateBefore = 0
  #driven = 0
  /** Packets since the last motion. */
  #alone = 0

  /** The time of a motion that is later than all before it, s on the feed's clock. */
  at(motion: Moving, arrival: number): number {
    const last = this.#last
    this.#alone = 0
    if (last !== undefined) {
      // It is a repetition, or the game is paused.
      if (distance(last, motion) === 0 && speedOf(motion) > MOVING) return this.#time
      this.#follow(arrival - this.#arrival, durationOf(last, motion))
    }
    this.#last = motion
    this.#arrival = arrival
    return this.#time
  }

  /** The time of other packets, which arrive beside the motions. */
  beside(arrival: number): number {
    if (this.#last === undefined) return arrival
    const since = arrival - this.#arrival
    return this.#time + (this.#alone++ < MAX_ALONE ? Math.min(since, HELD_UP_S) : since)
  }

  get #time(): number {
    return this.#arrival - this.#paused - this.#late
  }

  /** `passed` by the arrivals, `driven` by the motions, s. */
  #follow(passed: number, driven: number): void {
    if (passed > HELD_UP_S && driven < passed / 2) {
      this.#late += passed - driven
      this.#lateBefore = this.#late
      this.#driven = 0
    } else if (this.#late > 0 && !Number.isNaN(driven)) {
      this.#late += passed - driven
      this.#driven += driven
      if (this.#late <= LATE_S) this.#late = 0
      else if (this.#driven >= CAUGHT_UP_WITHIN_S) this.#lookAgain()
    }
  }

  #lookAgain(): void {
    if (this.#late > this.#lateBefore - this.#driven / 2) {
      if (this.#late <= GAP_S) this.#paused += this.#late
      this.#late = 0
    }
    this.#lateBefore = this.#late
    this.#driven = 0
  }
}
