/** How far a car drove, from its points, piece by piece: nothing of what went by is kept. */
import type { PointBatch } from "../domain/PointBatch.ts"

/** Beyond this step (s) nobody knows what the car did: the contract's data gap. */
const GAP_S = 1
/** With no positions to show where the car went, a gap is believed to have been driven for this long at most, s. */
const BLIND_S = 2
/** Faster is a glitch, m/s. */
const FASTEST = 200
/** Slower is standing, km/h: a feed without speed says 0 all the time. */
const STANDING = 0.5

/**
 * Metres by the trapezoids of speed over time. Over a gap of more than 1 s they are bounded by the way between the
 * positions on either side (the straight: a pause of minutes is no distance). A feed that never tells a speed is
 * measured by its positions. Batches come in order; their sizes do not matter.
 */
export class Odometer {
  #time = Number.NaN
  #speed = 0
  #x = 0
  #y = 0
  #bySpeed = 0
  #byPositions = 0
  #moves = false

  add(batch: PointBatch): void {
    const t = batch.timestamps
    const speed = batch.column("speed")
    const x = batch.column("position_x")
    const y = batch.column("position_y")
    for (let i = 0; i < batch.length; i++) {
      const v = Math.min(Math.abs(speed[i]!) / 3.6, FASTEST)
      const step = t[i]! - this.#time
      if (step > 0) {
        const way = Math.hypot(x[i]! - this.#x, y[i]! - this.#y)
        const driven = ((this.#speed + v) / 2) * step
        const located = x[i] !== 0 || y[i] !== 0
        this.#bySpeed +=
          step <= GAP_S ? driven : Math.min(driven, located ? way : ((this.#speed + v) / 2) * BLIND_S)
        this.#byPositions += Math.min(way, FASTEST * step)
      }
      if (v * 3.6 > STANDING) this.#moves = true
      this.#time = t[i]!
      this.#speed = v
      this.#x = x[i]!
      this.#y = y[i]!
    }
  }

  get metres(): number {
    return this.#moves ? this.#bySpeed : this.#byPositions
  }

  get kilometres(): number {
    return this.metres / 1000
  }
}

/** The metres of one batch. */
export const metresOf = (batch: PointBatch): number => {
  const odometer = new Odometer()
  odometer.add(batch)
  return odometer.metres
}
