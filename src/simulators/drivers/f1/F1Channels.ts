/** The channels of the player's car, from packets of different rates. */
import type { EventBuffer } from "../../EventBuffer.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import { channels } from "./channels.ts"
import { type Header, readBestLap, readGapBehind } from "./decode.ts"
import type { PacketName } from "./layout.ts"

export class F1Channels {
  readonly #rows = new ChannelRows()

  /** Called when a session begins. */
  begin(): void {
    this.#rows.begin()
  }

  /** A packet about the player's car. */
  read(name: PacketName, bytes: Buffer, { layout, player, sessionTime }: Header): void {
    const rows = this.#rows
    rows.use(channels[layout.format])
    rows.read(name, bytes, layout.packets[name].ofCar(player))
    rows.set("known.sessionTime", sessionTime)
    if (name === "lapData") rows.set("known.gapBehind", readGapBehind(bytes, layout, player))
  }

  /** A SessionHistory of the player's car. */
  readHistory(bytes: Buffer, { layout }: Header): void {
    this.#rows.use(channels[layout.format])
    this.#rows.set("known.bestLapTime", readBestLap(bytes))
  }

  /** The rows of the groups whose leading packets came since the last call, at `time` (s on the feed's clock). */
  take(time: number, events: EventBuffer): void {
    this.#rows.take(time, events)
  }
}
