/**
 * Finds the sign of quantities whose sign the simulator's fact sheet does not state, from how the car moves along its path.
 * Until the sign is certain, it is absent, and so are the channels that need it. Plain code; one object serves one link.
 */
import { ABSENT } from "../domain/RowBatch.ts"

/** The direction of a slower car means nothing, m/s. */
const MOVING = 5
/** Velocities this far apart in time are compared, s: closer ones differ by noise, farther ones by a loss or a pause. */
const MIN_STEP_S = 0.1
const MAX_STEP_S = 0.3
/** No car accelerates more, m/s²: above this it was put somewhere else. */
const MAX_ACCELERATION = 80
/** The sign is certain after this many moments, of which this share agrees. */
const MOMENTS = 60
const AGREEMENT = 0.8
const ALIGNED = 0.97
const UNALIGNED = 0.8

/** The car's motion, from the change of its velocity: right and forward positive, absent where unknown and between two readings. */
export class PathMotion {
  #time = Number.NaN
  #x = 0
  #y = 0
  /** m/s² to the right and forward. */
  lateral = ABSENT
  longitudinal = ABSENT
  /** rad/s, clockwise. */
  yawRate = ABSENT
  /** The direction of motion: rad clockwise from +y. */
  heading = ABSENT

  /** The velocity in our axes at `time`: m/s, s. */
  follow(time: number, x: number, y: number): void {
    const step = time - this.#time
    this.lateral = ABSENT
    this.longitudinal = ABSENT
    this.yawRate = ABSENT
    this.heading = ABSENT
    if (step >= 0 && step < MIN_STEP_S) return
    const isNear = step >= MIN_STEP_S && step <= MAX_STEP_S
    const [dx, dy] = [x - this.#x, y - this.#y]
    this.#time = time
    this.#x = x
    this.#y = y
    const speed = Math.hypot(x, y)
    if (!(isNear && speed >= MOVING && Math.hypot(dx, dy) / step <= MAX_ACCELERATION)) return
    this.longitudinal = (dx * x + dy * y) / speed / step
    this.lateral = (dx * y - dy * x) / speed / step
    this.yawRate = this.lateral / speed
    this.heading = Math.atan2(x, y)
  }
}

/** The sign of a quantity that equals another one except for its sign. */
export class Sense {
  #moments = 0
  #product = 0
  #own = 0
  #other = 0
  /** 1 or -1, once it is known. */
  sign = ABSENT

  /** `reference`: the expected value, absent where unknown. `mayTell`: whether enough was seen. */
  follow(value: number, reference: number, mayTell = true): void {
    if (!Number.isNaN(this.sign) || !Number.isFinite(value) || !Number.isFinite(reference)) return
    this.#moments++
    this.#product += value * reference
    this.#own += value ** 2
    this.#other += reference ** 2
    if (this.#moments < MOMENTS || !mayTell) return
    const agreement = this.#product / Math.sqrt(this.#own * this.#other)
    if (Math.abs(agreement) >= AGREEMENT) this.sign = Math.sign(agreement)
  }
}

/** The sums of the differences between two directions, as a vector. */
interface Difference {
  cos: number
  sin: number
}

const add = (into: Difference, angle: number): void => {
  into.cos += Math.cos(angle)
  into.sin += Math.sin(angle)
}

/** The sense and the zero of a yaw, from the direction of motion. The car has to drive in several directions. */
export class YawSense {
  #moments = 0
  readonly #same: Difference = { cos: 0, sin: 0 }
  readonly #opposite: Difference = { cos: 0, sin: 0 }
  sign = ABSENT
  /** rad, a multiple of a quarter turn: ours is sign * theirs + zero. */
  zero = ABSENT

  /** Both rad; `heading`: clockwise from +y. */
  follow(yaw: number, heading: number): void {
    if (!Number.isNaN(this.sign) || !Number.isFinite(yaw) || !Number.isFinite(heading)) return
    this.#moments++
    add(this.#same, heading - yaw)
    add(this.#opposite, heading + yaw)
    if (this.#moments < MOMENTS) return
    const same = this.#length(this.#same)
    const opposite = this.#length(this.#opposite)
    if (same >= ALIGNED && opposite < UNALIGNED) this.#settle(1, this.#same)
    else if (opposite >= ALIGNED && same < UNALIGNED) this.#settle(-1, this.#opposite)
  }

  #length({ cos, sin }: Difference): number {
    return Math.hypot(cos, sin) / this.#moments
  }

  #settle(sign: number, { cos, sin }: Difference): void {
    this.sign = sign
    this.zero = (Math.round((Math.atan2(sin, cos) / Math.PI) * 2) * Math.PI) / 2
  }
}
