/** The channels of our car. Which there are depends on what LFS is set to send. */
import type { EventBuffer } from "../../EventBuffer.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import { channels } from "./channels.ts"
import { isOutSim2, mainAt } from "./decodeOutSim.ts"
import type { InSimPacket } from "./packets.ts"
import { NO_TIME_MS } from "./insim.ts"

type Of<Tag extends InSimPacket["_tag"]> = Extract<InSimPacket, { readonly _tag: Tag }>

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

  /** A session begins. */
  begin(): void {
    this.#rows.begin()
    this.#lastLap = Number.NaN
    this.#split1 = Number.NaN
    this.#split2 = Number.NaN
    this.#pitStops = Number.NaN
    this.#isInPit = Number.NaN
  }

  /** A part of a MCI packet. */
  car(bytes: Buffer, at: number): void {
    this.#rows.read("car", bytes, at)
  }

  /** An OutSim packet. */
  motion(bytes: Buffer): void {
    if (isOutSim2(bytes)) this.#outSim = "full"
    else if (this.#outSim === "none") this.#outSim = "classic"
    this.#rows.use(channels[this.#outSim])
    this.#rows.read("motion", bytes, mainAt(bytes))
    if (isOutSim2(bytes)) this.#rows.read("outSim2", bytes)
  }

  split({ split, stops, time }: Of<"Split">): void {
    if (split === 1) this.#split1 = seconds(time)
    else if (split === 2) this.#split2 = seconds(time)
    this.#pitStops = stops
  }

  lap({ stops, time }: Of<"Lap">): void {
    this.#lastLap = seconds(time)
    this.#split1 = Number.NaN
    this.#split2 = Number.NaN
    this.#pitStops = stops
  }

  /** In the pit lane, or out of it; undefined where that is not known. */
  pitLane(isIn: boolean | undefined): void {
    this.#isInPit = isIn === undefined ? Number.NaN : Number(isIn)
  }

  /** An OutGauge packet, which is a point. */
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
