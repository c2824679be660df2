/** The last lap as reported by a game that lags: every other lap comes so many packets after its end. */
import type { DrivenLap } from "../model/lap.ts"
import type { Frame } from "./Emulator.ts"

export class LateLap {
  readonly #packets: number
  #late = 0
  #reported: DrivenLap | undefined

  constructor(packets = 1) {
    this.#packets = packets
  }

  /** Called once for each frame: the lap that is reported now. */
  at({ lapEnded, lastLap }: Frame): DrivenLap | undefined {
    if (lapEnded && lastLap !== undefined && lastLap.lapNumber % 2 === 0) this.#late = this.#packets
    if (this.#late > 0) this.#late--
    else this.#reported = lastLap
    return this.#reported
  }
}
