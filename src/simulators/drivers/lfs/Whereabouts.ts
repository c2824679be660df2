/**
 * Where our car is at the moment of an OutGauge packet, which does not say it itself.
 *
 * OutSim tells position, velocity and the time of both, so the car is followed from there to the moment asked for: over
 * the 10 ms between two packets that is exact to a millimetre. MCI tells a position without its time; each is the
 * position of one moment only, the next one asked for. Either way no position is told twice for a car that moves.
 */
import { METRE } from "./insim.ts"
import { type Motion, motionIn, problemWith } from "./decodeOutSim.ts"
import { compCar } from "./layout.ts"

/** Farther apart in time, OutSim does not belong to what was asked for: s. */
const FOLLOWED_S = 0.25
/** A packet closer behind the newest was overtaken on the way; further behind, the clock went back: s. */
const OVERTAKEN_S = 1

export class Whereabouts {
  #sim: Motion | undefined
  /** A MCI packet, where our car begins in it, and whether no moment had this position yet. */
  #cars: Buffer = Buffer.alloc(0)
  #carAt = 0
  #isCarNew = false
  x = 0
  y = 0
  z = 0
  /** Of OutSim 2: rad, and metres since the line; NaN where it does not come. */
  inputSteer = Number.NaN
  lapDistance = Number.NaN

  /** What was known is of another time. */
  reset(): void {
    this.#sim = undefined
    this.#isCarNew = false
  }

  /** Our car's part of a MCI packet. */
  tellCar(bytes: Buffer, at: number): void {
    this.#cars = bytes
    this.#carAt = at
    this.#isCarNew = true
  }

  /** An OutSim packet: whether it is the newest, or why it cannot be read. */
  tellSim(bytes: Buffer): boolean | string {
    const refusal = problemWith(bytes)
    if (refusal !== undefined) return refusal
    const sim = motionIn(bytes)
    const step = sim.clock - (this.#sim?.clock ?? -Infinity)
    if (step <= 0 && step > -OVERTAKEN_S) return false
    this.#sim = sim
    return true
  }

  /** Puts the position at `clock` (s of the simulator) into x, y, z (m); whether there is one. */
  at(clock: number): boolean {
    const sim = this.#sim
    const since = clock - (sim?.clock ?? Infinity)
    if (sim !== undefined && Math.abs(since) <= FOLLOWED_S) {
      this.x = sim.x / METRE + sim.velocityX * since
      this.y = sim.y / METRE + sim.velocityY * since
      this.z = sim.z / METRE + sim.velocityZ * since
      this.inputSteer = sim.inputSteer
      this.lapDistance = sim.lapDistance
      // It was not needed, and is not where the car is once OutSim stops.
      this.#isCarNew = false
      return true
    }
    if (!this.#isCarNew) return false
    this.#isCarNew = false
    const { X, Y, Z } = compCar.read
    this.x = X(this.#cars, this.#carAt) / METRE
    this.y = Y(this.#cars, this.#carAt) / METRE
    this.z = Z(this.#cars, this.#carAt) / METRE
    this.inputSteer = Number.NaN
    this.lapDistance = Number.NaN
    return true
  }
}
