/** The channels of our car. LFS's settings decide which of them are sent. */
import type { EventBuffer } from "../../EventBuffer.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import { channels } from "./channels.ts"
import { isOutSim2, mainAt } from "./decodeOutSim.ts"
import { heard, NO_TIME_MS } from "./insim.ts"

const seconds = (ms: number): number => (ms < NO_TIME_MS ? ms / 1000 : Number.NaN)

export class LfsChannels {
  readonly #rows = new ChannelRows()
  #outSim: keyof typeof channels = "none"
  #lastLap = Number.NaN
  #split1 = Number.NaN
  #split2 = Number.NaN
  #pitStops = Number.NaN
  #isInPit = Number.NaN

  constructor() {
    this.#rows.use(channels.none)
    this.#rows.begin()
  }

  /** Called when a session begins. */
  begin(): void {
    this.#rows.begin()
    this.#lastLap = Number.NaN
    this.#split1 = Number.NaN
    this.#split2 = Number.NaN
    this.#pitStops = Number.NaN
    this.#isInPit = Number.NaN
  }

  /** Takes our part of an MCI packet. */
  car(bytes: Buffer, at: number): void {
    this.#rows.read("car", bytes, at)
  }

  /** Takes an OutSim packet. */
  motion(bytes: Buffer): void {
    if (isOutSim2(bytes)) this.#outSim = "full"
    else if (this.#outSim === "none") this.#outSim = "classic"
    this.#rows.use(channels[this.#outSim])
    this.#rows.read("motion", bytes, mainAt(bytes))
    if (isOutSim2(bytes)) this.#rows.read("outSim2", bytes)
  }

  /** Takes an SPX packet. */
  split(bytes: Buffer): void {
    const { NumStops, Split, STime } = heard.SPX.read
    const split = Split(bytes)
    if (split === 1) this.#split1 = seconds(STime(bytes))
    else if (split === 2) this.#split2 = seconds(STime(bytes))
    this.#pitStops = NumStops(bytes)
  }

  /** Takes a LAP packet. */
  lap(bytes: Buffer): void {
    const { LTime, NumStops } = heard.LAP.read
    this.#lastLap = seconds(LTime(bytes))
    this.#split1 = Number.NaN
    this.#split2 = Number.NaN
    this.#pitStops = NumStops(bytes)
  }

  /** In the pit lane, or out of it; undefined where unknown. */
  pitLane(isIn: boolean | undefined): void {
    this.#isInPit = isIn === undefined ? Number.NaN : Number(isIn)
  }

  /** Takes an OutGauge packet, which is a point. */
  gauge(bytes: Buffer, time: number, lap: number, events: EventBuffer): void {
    const rows = this.#rows
    rows.read("gauge", bytes)
    rows.set("race.lap", lap)
    rows.set("race.lastLap", this.#lastLap)
    rows.set("race.sector1", this.#split1)
    // Splits are counted from the line.
    rows.set("race.sector2", this.#split2 - this.#split1)
    rows.set("race.pitStops", this.#pitStops)
    rows.set("race.isInPit", this.#isInPit)
    rows.take(time, events)
  }
}
