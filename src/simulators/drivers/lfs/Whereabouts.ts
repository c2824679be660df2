/**
 * The position of our car at the moment of an OutGauge packet, which does not have it.
 *
 * OutSim sends position, velocity and their time, so the position is extrapolated to the requested moment: over the 10
 * ms between two packets that is exact to a millimetre. MCI sends a position without its time; each is used once, for
 * the next requested moment. Either way a moving car never has the same position twice.
 */
import { METRE } from "./insim.ts"
import { type Motion, motionIn, problemWith } from "./decodeOutSim.ts"
import { compCar } from "./layout.ts"

/** OutSim further apart in time does not belong to the requested moment, s. */
const FOLLOWED_S = 0.25
/** A packet this little behind the newest was overtaken; further behind, the clock went back, s. */
const OVERTAKEN_S = 1

export class Whereabouts {
  #sim: Motion | undefined
  /** An MCI packet, where our car begins in it, and whether its position is still unused. */
  #cars: Buffer = Buffer.alloc(0)
  #carAt = 0
  #isCarNew = false
  x = 0
  y = 0
  z = 0
  /** From OutSim 2: rad, and metres since the line; NaN where it does not come. */
  inputSteer = Number.NaN
  lapDistance = Number.NaN

  /** Forgets the positions of another time. */
  reset(): void {
    this.#sim = undefined
    this.#isCarNew = false
  }

  /** Takes our car's part of an MCI packet. */
  tellCar(bytes: Buffer, at: number): void {
    this.#cars = bytes
    this.#carAt = at
    this.#isCarNew = true
  }

  /** Takes an OutSim packet; returns whether it is the newest, or why it cannot be read. */
  tellSim(bytes: Buffer): boolean | string {
    const refusal = problemWith(bytes)
    if (refusal !== undefined) return refusal
    const sim = motionIn(bytes)
    const step = sim.clock - (this.#sim?.clock ?? -Infinity)
    if (step <= 0 && step > -OVERTAKEN_S) return false
    this.#sim = sim
    return true
  }

  /** Puts the position at `clock` (s of the simulator) into x, y, z (m); returns whether there is one. */
  at(clock: number): boolean {
    const sim = this.#sim
    const since = clock - (sim?.clock ?? Infinity)
    if (sim !== undefined && Math.abs(since) <= FOLLOWED_S) {
      this.x = sim.x / METRE + sim.velocityX * since
      this.y = sim.y / METRE + sim.velocityY * since
      this.z = sim.z / METRE + sim.velocityZ * since
      this.inputSteer = sim.inputSteer
      this.lapDistance = sim.lapDistance
      // MCI's position was not needed, and will be too old when OutSim stops.
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
