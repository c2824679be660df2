/**
 * Finds the unit of the speed, which is km/h or mph by the player's choice, or m/s by one source, from how far the car moved
 * (richard-burns-rally.md, section 5). Until it is known, the speed comes from the velocity.
 */

/** The number of moments that decide, each above this speed, m/s. */
const MOMENTS = 50
const FAST = 20 / 3.6
/** The factors from m/s to m/s, km/h and mph. */
const units = [1, 3.6, 3600 / 1609.344] as const
/** The tolerance of the median of all moments, as a share: mph and km/h are much further apart. */
const OFF = 0.08
const KMH = 3.6

export class SpeedUnit {
  #ratios: Array<number> = []
  /** The factor from m/s; undefined while it is unknown, and where no unit fits. */
  #unit: number | undefined
  /** The car's last place, m, and its time, s. */
  #x = Number.NaN
  #y = Number.NaN
  #z = Number.NaN
  #clock = Number.NaN

  /** The player may have changed the unit. */
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
    // The median: a car that was put back on the road moved far in a moment.
    const middle = this.#ratios.toSorted((a, b) => a - b)[MOMENTS / 2]!
    this.#unit = units.find((unit) => Math.abs(middle / unit - 1) <= OFF)
  }
}
