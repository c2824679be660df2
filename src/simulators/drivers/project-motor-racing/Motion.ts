/** Telemetry has no number and no time: what came late or twice is told by what a moving car cannot do. */
import { type Moving, speedOf } from "../../packets/Moving.ts"

/** Slower cars may well say the same twice, m/s. */
const MOVING = 1
/** The same again so soon came twice; later the game is paused: s. */
const PAUSED_AFTER_S = 0.25
/** A car that is farther behind where it was than it drives in so long was not overtaken on the way, but put there: s. */
const OVERTAKEN_S = 0.5

export class Motion {
  #last: Moving | undefined
  #bytes: Buffer | undefined
  #newsAt = Number.NEGATIVE_INFINITY
  /** Since it was last asked. */
  #hasMoved = false

  takeMoved(): boolean {
    const moved = this.#hasMoved
    this.#hasMoved = false
    return moved
  }

  /** `late`: overtaken, or come twice. `still`: the game is paused. */
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
