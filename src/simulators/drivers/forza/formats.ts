/** The game of a packet: only its length shows it (forza-data-out.md, section 2). */
import type { ChannelMap } from "../../packets/ChannelMap.ts"
import { channels } from "./channels.ts"
import { type DataOutPacket, type Game, packets, sledPacket } from "./layout.ts"

export interface Format {
  readonly game: string
  readonly packet: DataOutPacket
  readonly channels: ChannelMap
  /** Whether the packet has the circuit. */
  readonly tracks: boolean
  /** The circuit of a game that has one world and no circuit names. */
  readonly world: string
}

const format = (key: Game, game: string, world: string): Format => ({
  game,
  packet: packets[key],
  channels: channels[key],
  tracks: Object.hasOwn(packets[key].read, "trackOrdinal"),
  world
})

const horizon = format("horizon", "Forza Horizon", "Forza Horizon")

const formats: ReadonlyMap<number, Format> = new Map([
  [packets.motorsport7.size, format("motorsport7", "Forza Motorsport 7", "")],
  [packets.horizon.size, horizon],
  // With the spare byte at the end.
  [packets.horizon.size + 1, horizon],
  [packets.motorsport.size, format("motorsport", "Forza Motorsport", "")]
])

const isFlag = (value: number) => value === 0 || value === 1

export const formatOf = (bytes: Buffer): Format | undefined => {
  const format = formats.get(bytes.length)
  return format !== undefined && isFlag(sledPacket.read.isRaceOn(bytes)) ? format : undefined
}

/** "Sled" has no position, inputs or laps. */
export const hintOf = (bytes: Buffer): string | undefined =>
  bytes.length === sledPacket.size && isFlag(sledPacket.read.isRaceOn(bytes))
    ? "the game sends the Sled format: switch its Data Out format to Dash"
    : undefined
