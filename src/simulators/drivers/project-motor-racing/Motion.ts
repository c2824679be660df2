/** Finds late and repeated telemetry, which has no number and no time, by what a moving car cannot do. */
import { type Moving, speedOf } from "../../packets/Moving.ts"

/** A slower car may send equal packets, m/s. */
const MOVING = 1
/** An equal packet within this time is a repetition; after it the game is paused, s. */
const PAUSED_AFTER_S = 0.25
/** If the car is further behind its last place than it drives in this time, it was put there, and its packet is not late, s. */
const OVERTAKEN_S = 0.5

export class Motion {
  #last: Moving | undefined
  #bytes: Buffer | undefined
  #newsAt = Number.NEGATIVE_INFINITY
  /** Whether the car has moved since the last call. */
  #hasMoved = false

  takeMoved(): boolean {
    const moved = this.#hasMoved
    this.#hasMoved = false
    return moved
  }

  /** `late`: overtaken or repeated. `still`: the game is paused. */
  take(moving: Moving, bytes: Buffer, arrival: number): "next" | "late" | "still" {
    const last = this.#last
    const speed = speedOf(moving)
    if (this.#bytes?.equals(bytes) === true && speed > MOVING) {
      return arrival - this.#newsAt < PAUSED_AFTER_S ? "late" : "still"
    }
    if (last !== undefined) {
      const [x, y, z] = [moving.x - last.x, moving.y - last.y, moving.z - last.z]
      const way = Math.hypot(x, y, z)
      const along =
        x * (last.velocityX + moving.velocityX) +
        y * (last.velocityY + moving.velocityY) +
        z * (last.velocityZ + moving.velocityZ)
      if (speed > MOVING && along < 0 && way < speed * OVERTAKEN_S) return "late"
      if (way > 0) this.#hasMoved = true
    }
    this.#last = moving
    this.#bytes = bytes
    this.#newsAt = arrival
    return "next"
  }
}
