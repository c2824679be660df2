/** How far a car drove, from its points, batch by batch; earlier batches are not kept. */
import { ABSENT, type PointBatch } from "../../domain/RowBatch.ts"

/** Over a longer step (s) the car's movement is unknown: the contract's data gap. */
const GAP_S = 1
/** Without positions, the car is assumed to drive on during a gap for this long at most, s. */
const BLIND_S = 2
/** Faster is a glitch, m/s. */
const FASTEST = 200
/** Slower is standing, km/h: a feed without speed may send 0 all the time. */
const STANDING = 0.5

/**
 * Metres by the trapezoids of speed over time. Over a gap of more than 1 s they are bounded by the straight between the
 * positions on either side, so that a pause of minutes adds no distance. Positions measure a feed that never sends a
 * speed, and any stretch where the speed was absent for longer than a gap. Batches come in order; their sizes do not
 * matter.
 */
export class Odometer {
  #time = Number.NaN
  /** The newest reported speed, its time, and the distance at that time. */
  #speed = ABSENT
  #sped = Number.NaN
  #bySpeedThen = 0
  /** The newest reported position, and its time. */
  #x = ABSENT
  #y = ABSENT
  #placed = Number.NaN
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
      const isReported = !Number.isNaN(v)
      if (t[i]! - this.#time > 0) this.#step(t[i]!, v, x[i]!, y[i]!)
      if (v * 3.6 > STANDING) this.#moves = true
      this.#time = t[i]!
      if (isReported) {
        this.#speed = v
        this.#sped = t[i]!
        this.#bySpeedThen = this.#bySpeed
      }
      if (Number.isNaN(x[i]! + y[i]!)) continue
      this.#x = x[i]!
      this.#y = y[i]!
      this.#placed = t[i]!
    }
  }

  /** Takes a point with speed `v` (m/s) at `x`, `y`; each may be absent. */
  #step(time: number, v: number, x: number, y: number): void {
    const way = Math.hypot(x - this.#x, y - this.#y)
    const byWay = Math.min(way, FASTEST * (time - this.#placed))
    if (byWay >= 0) this.#byPositions += byWay
    const since = time - this.#sped
    const mean = (this.#speed + v) / 2
    if (mean >= 0 && since <= GAP_S) this.#bySpeed = this.#bySpeedThen + mean * since
    else if (mean >= 0 && time - this.#time > GAP_S) {
      const located = way >= 0 && (x !== 0 || y !== 0)
      this.#bySpeed += Math.min(mean * (time - this.#time), located ? way : mean * BLIND_S)
    } else if (byWay >= 0) this.#bySpeed += byWay
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
