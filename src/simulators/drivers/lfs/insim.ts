/** Numbers of InSim 9 that both sides use, and the packets that a client sends (sheet lfs-insim-outgauge-outsim, 1 to 3). */

/** Byte 0 of a packet is its length in units of so many bytes. */
export const UNIT = 4
/** The version whose byte 0 counts so; 8 and older count bytes. */
export const INSIM_VERSION = 9

export const InSimPacketType = {
  init: 1,
  version: 2,
  tiny: 3,
  small: 4,
  state: 5,
  raceStart: 17,
  player: 21,
  pits: 22,
  leave: 23,
  lap: 24,
  split: 25,
  pitLane: 28,
  finish: 34,
  cars: 38,
  hotLapInvalid: 52
} as const

/** SubT of a TINY packet. */
export const Tiny = { none: 0, close: 2, state: 7, clear: 12, players: 14, raceStart: 19 } as const

/** SubT of a SMALL packet. */
export const Small = { outSim: 1, outGauge: 2 } as const

/** Of an ISI packet: this is the player's own LFS; send MCI; send HLV. */
export const InitFlag = { local: 4, cars: 32, hotLapValidity: 256 } as const

/** Of a STA packet. */
export const StateFlag = { inGame: 1, replay: 2, paused: 4, frontEnd: 256, multiplayer: 512 } as const

/** Of an NPL packet's PType. */
export const PlayerKind = { ai: 2, remote: 4 } as const

/** LFS tools read this lap or split time as 'no time': ms. */
export const NO_TIME_MS = 3_600_000

/** A metre of MCI's and OutSim's positions; 100 m/s of MCI's speeds. */
export const METRE = 65_536
export const HUNDRED_MS = 32_768

export interface Init {
  readonly udpPort: number
  readonly flags: number
  /** Between MCI packets, ms. */
  readonly interval: number
  /** Empty where none is set. */
  readonly adminPassword: string
  /** How the service calls itself. */
  readonly name: string
}

const ADMIN_BYTES = 16
/** A zero ends it within its 16. */
const NAME_BYTES = 15

/** In code page 1252 as far as Latin-1 goes, and never longer than that. */
const writeText = (into: Buffer, at: number, text: string, most: number): void => {
  const latin = Array.from(text.normalize("NFC"), (c) => (c.codePointAt(0)! < 0x100 ? c : "?")).join("")
  into.write(latin.slice(0, most), at, "latin1")
}

/** IS_ISI, which asks for an IS_VER. */
export const encodeInit = ({ adminPassword, flags, interval, name, udpPort }: Init): Buffer => {
  const bytes = Buffer.alloc(44)
  bytes[0] = bytes.length / UNIT
  bytes[1] = InSimPacketType.init
  bytes[2] = 1
  bytes.writeUInt16LE(udpPort, 4)
  bytes.writeUInt16LE(flags, 6)
  bytes[8] = INSIM_VERSION
  bytes.writeUInt16LE(interval, 10)
  writeText(bytes, 12, adminPassword, ADMIN_BYTES)
  writeText(bytes, 28, name, NAME_BYTES)
  return bytes
}

/** Answers carry the `request` number of what asked for them; 0 asks for none. */
export const encodeTiny = (subType: number, request: number): Buffer =>
  Buffer.from([1, InSimPacketType.tiny, request, subType])

export const encodeSmall = (subType: number, value: number): Buffer => {
  const bytes = Buffer.from([2, InSimPacketType.small, 0, subType, 0, 0, 0, 0])
  bytes.writeUInt32LE(value, 4)
  return bytes
}
