/**
 * The unit of a speed that is km/h or mph as the player has it, or m/s by one source: told from how far the car went
 * (richard-burns-rally.md, section 5). Until it is, the speed is that of the velocity.
 */

/** So many moments above so much tell, m/s. */
const MOMENTS = 50
const FAST = 20 / 3.6
/** What a speed in m/s, km/h and mph is more than one in m/s. */
const units = [1, 3.6, 3600 / 1609.344] as const
/** Share by which the middle of all moments may be off: mph and km/h are much further apart. */
const OFF = 0.08
const KMH = 3.6

export class SpeedUnit {
  #ratios: Array<number> = []
  /** How much more than m/s it is; undefined while it is unknown, and where it is none of them. */
  #unit: number | undefined
  /** Where the car was, m, and when, s. */
  #x = Number.NaN
  #y = Number.NaN
  #z = Number.NaN
  #clock = Number.NaN

  /** The player may have changed it. */
  reset(): void {
    this.#ratios = []
    this.#unit = undefined
    this.#clock = Number.NaN
  }

  /** km/h. `velocity`: m/s; `x`, `y`, `z`: m; `clock`: s. */
  read(speed: number, velocity: number, x: number, y: number, z: number, clock: number): number {
    if (this.#ratios.length < MOMENTS) {
      const driven = Math.hypot(x - this.#x, y - this.#y, z - this.#z)
      const passed = clock - this.#clock
      if (passed > 0 && driven > 0 && velocity > FAST) this.#learn(speed / (driven / passed))
      this.#x = x
      this.#y = y
      this.#z = z
      this.#clock = clock
    }
    return (this.#unit === undefined ? velocity : speed / this.#unit) * KMH
  }

  #learn(ratio: number): void {
    this.#ratios.push(ratio)
    if (this.#ratios.length < MOMENTS) return
    // The one in the middle: a car that was put back on the road went far in a moment.
    const middle = this.#ratios.toSorted((a, b) => a - b)[MOMENTS / 2]!
    this.#unit = units.find((unit) => Math.abs(middle / unit - 1) <= OFF)
  }
}
