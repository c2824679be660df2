/** Finds late and repeated telemetry, and whether the car moves. */
import { distance, isOvertaken, MOVING, type Moving, PAUSED_AFTER_S, speedOf } from "../../packets/Moving.ts"

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
    if (this.#bytes?.equals(bytes) === true && speedOf(moving) > MOVING) {
      return arrival - this.#newsAt < PAUSED_AFTER_S ? "late" : "still"
    }
    if (last !== undefined) {
      if (isOvertaken(last, moving)) return "late"
      if (distance(last, moving) > 0) this.#hasMoved = true
    }
    this.#last = moving
    this.#bytes = bytes
    this.#newsAt = arrival
    return "next"
  }
}
