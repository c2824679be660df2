/** The last lap as a game tells it that lags: of every other lap, so many packets later than its end. */
import type { DrivenLap } from "../model/lap.ts"
import type { Frame } from "./Emulator.ts"

export class LateLap {
  readonly #packets: number
  #late = 0
  #reported: DrivenLap | undefined

  constructor(packets = 1) {
    this.#packets = packets
  }

  /** At each frame, once: the lap that is reported of by now. */
  at({ lapEnded, lastLap }: Frame): DrivenLap | undefined {
    if (lapEnded && lastLap !== undefined && lastLap.lapNumber % 2 === 0) this.#late = this.#packets
    if (this.#late > 0) this.#late--
    else this.#reported = lastLap
    return this.#reported
  }
}
