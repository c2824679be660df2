/**
 * Where our car is at the moment of an OutGauge packet, which does not say it itself.
 *
 * OutSim tells position, velocity and the time of both, so the car is followed from there to the moment asked for: over
 * the 10 ms between two packets that is exact to a millimetre. MCI tells a position without its time; each is the
 * position of one moment only, the next one asked for. Either way no position is told twice for a car that moves.
 */
import { METRE } from "./insim.ts"
import { type Car, newCar } from "./decodeCars.ts"
import { decodeOutSim, newOutSim, type OutSim } from "./decodeOutSim.ts"

/** Farther apart in time, OutSim does not belong to what was asked for: s. */
const FOLLOWED_S = 0.25
/** A packet closer behind the newest was overtaken on the way; further behind, the clock went back: s. */
const OVERTAKEN_S = 1

export class Whereabouts {
  readonly car: Car = newCar()
  #sim: OutSim = newOutSim()
  #spare: OutSim = newOutSim()
  #hasSim = false
  #isCarNew = false
  x = 0
  y = 0
  z = 0
  /** Of OutSim 2: rad, and metres since the line; NaN where it does not come. */
  inputSteer = Number.NaN
  lapDistance = Number.NaN

  /** What was known is of another time. */
  reset(): void {
    this.#hasSim = false
    this.#isCarNew = false
  }

  /** `car` holds a new MCI position. */
  tellCar(): void {
    this.#isCarNew = true
  }

  /** Reads an OutSim packet; why it cannot be read. */
  tellSim(bytes: Buffer): string | undefined {
    const sim = this.#spare
    const refusal = decodeOutSim(bytes, sim)
    if (refusal !== undefined) return refusal
    const step = (sim.time - this.#sim.time) / 1000
    if (this.#hasSim && step <= 0 && step > -OVERTAKEN_S) return undefined
    this.#spare = this.#sim
    this.#sim = sim
    this.#hasSim = true
    return undefined
  }

  /** Puts the position at `clock` (s of the simulator) into x, y, z (m); whether there is one. */
  at(clock: number): boolean {
    const sim = this.#sim
    const since = clock - sim.time / 1000
    if (this.#hasSim && Math.abs(since) <= FOLLOWED_S) {
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
    this.x = this.car.x / METRE
    this.y = this.car.y / METRE
    this.z = this.car.z / METRE
    this.inputSteer = Number.NaN
    this.lapDistance = Number.NaN
    return true
  }
}
