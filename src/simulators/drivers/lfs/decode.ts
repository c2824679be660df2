/** Bytes to InSim packets (sheet lfs-insim-outgauge-outsim, section 3). Little endian. */
import { carCode } from "./cars.ts"
import { InSimPacketType, UNIT } from "./insim.ts"
import type { InSimPacket } from "./packets.ts"
import { plainText } from "./texts.ts"

/** How a type is called, how long it is at the least, and what is read of it. */
type Reader = readonly [name: string, length: number, read: (bytes: Buffer) => InSimPacket]

const textAt = (bytes: Buffer, from: number, length: number) => plainText(bytes.subarray(from, from + length))

const version = (bytes: Buffer): InSimPacket => ({
  _tag: "Version",
  request: bytes[2]!,
  version: textAt(bytes, 4, 8),
  product: textAt(bytes, 12, 6),
  inSimVersion: bytes[18]!
})

const tiny = (bytes: Buffer): InSimPacket => ({ _tag: "Tiny", request: bytes[2]!, subType: bytes[3]! })

const state = (bytes: Buffer): InSimPacket => ({
  _tag: "State",
  replaySpeed: bytes.readFloatLE(4),
  flags: bytes.readUInt16LE(8),
  camera: bytes[10]!,
  viewed: bytes[11]!,
  players: bytes[12]!,
  connections: bytes[13]!,
  finished: bytes[14]!,
  race: bytes[15]!,
  qualifyingMinutes: bytes[16]!,
  laps: bytes[17]!,
  serverStatus: bytes[19]!,
  track: textAt(bytes, 20, 6),
  weather: bytes[26]!,
  wind: bytes[27]!
})

const raceStart = (bytes: Buffer): InSimPacket => ({
  _tag: "RaceStart",
  request: bytes[2]!,
  laps: bytes[4]!,
  qualifyingMinutes: bytes[5]!,
  players: bytes[6]!,
  timing: bytes[7]!,
  track: textAt(bytes, 8, 6),
  weather: bytes[14]!,
  wind: bytes[15]!,
  flags: bytes.readUInt16LE(16),
  nodes: bytes.readUInt16LE(18),
  finish: bytes.readUInt16LE(20),
  splits: [bytes.readUInt16LE(22), bytes.readUInt16LE(24), bytes.readUInt16LE(26)]
})

const player = (bytes: Buffer): InSimPacket => ({
  _tag: "Player",
  plid: bytes[3]!,
  connection: bytes[4]!,
  kind: bytes[5]!,
  flags: bytes.readUInt16LE(6),
  name: textAt(bytes, 8, 24),
  plate: textAt(bytes, 32, 8),
  car: carCode(bytes.subarray(40, 44)),
  skin: textAt(bytes, 44, 16),
  tyres: [bytes[60]!, bytes[61]!, bytes[62]!, bytes[63]!],
  mass: bytes[64]!,
  restriction: bytes[65]!,
  setup: bytes[72]!,
  players: bytes[73]!,
  fuel: bytes[75]!
})

const pits = (bytes: Buffer): InSimPacket => ({ _tag: "Pits", plid: bytes[3]! })

const leave = (bytes: Buffer): InSimPacket => ({ _tag: "Leave", plid: bytes[3]! })

/** 0 out of it, 1 into it, 2 for no purpose, 3 to drive through, 4 to stop and go. */
const pitLane = (bytes: Buffer): InSimPacket => ({ _tag: "PitLane", plid: bytes[3]!, isIn: bytes[4] !== 0 })

const split = (bytes: Buffer): InSimPacket => ({
  _tag: "Split",
  plid: bytes[3]!,
  time: bytes.readUInt32LE(4),
  elapsed: bytes.readUInt32LE(8),
  split: bytes[12]!,
  penalty: bytes[13]!,
  stops: bytes[14]!,
  fuel: bytes[15]!
})

const lap = (bytes: Buffer): InSimPacket => ({
  _tag: "Lap",
  plid: bytes[3]!,
  time: bytes.readUInt32LE(4),
  elapsed: bytes.readUInt32LE(8),
  lapsDone: bytes.readUInt16LE(12),
  flags: bytes.readUInt16LE(14),
  penalty: bytes[17]!,
  stops: bytes[18]!,
  fuel: bytes[19]!
})

const finish = (bytes: Buffer): InSimPacket => ({
  _tag: "Finish",
  plid: bytes[3]!,
  total: bytes.readUInt32LE(4),
  best: bytes.readUInt32LE(8),
  stops: bytes[13]!,
  confirmed: bytes[14]!,
  lapsDone: bytes.readUInt16LE(16),
  flags: bytes.readUInt16LE(18)
})

/** Longer in version 10; what is read here is in the same place in both. */
const hotLapInvalid = (bytes: Buffer): InSimPacket => ({
  _tag: "HotLapInvalid",
  plid: bytes[3]!,
  reason: bytes[4]!
})

const readers: ReadonlyMap<number, Reader> = new Map<number, Reader>([
  [InSimPacketType.version, ["VER", 20, version]],
  [InSimPacketType.tiny, ["TINY", 4, tiny]],
  [InSimPacketType.state, ["STA", 28, state]],
  [InSimPacketType.raceStart, ["RST", 28, raceStart]],
  [InSimPacketType.player, ["NPL", 76, player]],
  [InSimPacketType.pits, ["PLP", 4, pits]],
  [InSimPacketType.leave, ["PLL", 4, leave]],
  [InSimPacketType.split, ["SPX", 16, split]],
  [InSimPacketType.pitLane, ["PLA", 8, pitLane]],
  [InSimPacketType.lap, ["LAP", 20, lap]],
  [InSimPacketType.finish, ["FIN", 20, finish]],
  [InSimPacketType.hotLapInvalid, ["HLV", 16, hotLapInvalid]]
])

/** What a packet says, undefined for a type that no part of the driver reads, or why it says nothing. MCI is not among them. */
export const decodePacket = (bytes: Buffer): InSimPacket | undefined | string => {
  const reader = readers.get(bytes[1] ?? -1)
  if (reader === undefined) return undefined
  const [name, length, read] = reader
  return bytes.length < length
    ? `an IS_${name} packet of ${bytes.length} bytes, where ${length} are expected`
    : read(bytes)
}

/** Whether a packet of InSim 9 may begin with these bytes: a length and a type that go together. */
export const mayBeInSim = (bytes: Uint8Array): boolean =>
  bytes.length < 2 || (readers.get(bytes[1]!)?.[1] ?? -1) === bytes[0]! * UNIT
