/**
 * Project CARS 2's packets as tables, a reader a field (project-cars2-ams2-udp.md, sections 2 to 9). Little endian, packed.
 */

type Read = (bytes: Buffer) => number
type ReadAt = (bytes: Buffer, at: number) => number

const u8 =
  (at: number): Read =>
  (bytes) =>
    bytes.readUInt8(at)
const i8 =
  (at: number): Read =>
  (bytes) =>
    bytes.readInt8(at)
const u16 =
  (at: number): Read =>
  (bytes) =>
    bytes.readUInt16LE(at)
const u32 =
  (at: number): Read =>
  (bytes) =>
    bytes.readUInt32LE(at)
const f32 =
  (at: number): Read =>
  (bytes) =>
    bytes.readFloatLE(at)
const bits =
  (at: number, shift: number, mask: number): Read =>
  (bytes) =>
    (bytes.readUInt8(at) >> shift) & mask

export const PacketType = {
  telemetry: 0,
  raceDefinition: 1,
  participants: 2,
  timings: 3,
  gameState: 4,
  timeStats: 7,
  vehicles: 8
} as const

/** Bytes that a packet of each type has at least: builds differ, and later ones only add. */
export const leastBytes: ReadonlyMap<number, number> = new Map([
  [PacketType.telemetry, 538],
  [PacketType.raceDefinition, 308],
  [PacketType.participants, 1136],
  [PacketType.timings, 1059],
  [PacketType.gameState, 24],
  [PacketType.timeStats, 1040],
  [PacketType.vehicles, 1164]
])

/** From here on a packet of type 8 has classes in it, no vehicles. */
export const CLASSES_BYTES = 1452

export const base = {
  /** Counts all packets. */
  packetNumber: u32(0),
  /** Counts those of one type, as its name says. */
  categoryPacketNumber: u32(4),
  partialPacketIndex: u8(8),
  partialPacketNumber: u8(9),
  packetType: u8(10)
} as const

/** Of the viewed car. Wheels are not read. */
export const telemetry = {
  viewedParticipantIndex: i8(12),
  /** 0..1. */
  fuelLevel: f32(32),
  /** m/s. */
  speed: f32(36),
  rpm: u16(40),
  maxRpm: u16(42),
  /** 0..255. */
  brake: u8(29),
  throttle: u8(30),
  clutch: u8(31),
  /** -127 left .. 127 right. */
  steering: i8(44),
  /** 0 neutral, 15 reverse. */
  gear: bits(45, 0, 15),
  numGears: bits(45, 4, 15)
} as const

/** m, y up; not in the 538 bytes of the first release. */
export const fullPosition = {
  fullPositionX: f32(542),
  fullPositionY: f32(546),
  fullPositionZ: f32(550)
} as const
export const hasFullPosition = (bytes: Buffer): boolean => bytes.length >= 554

/** ms; not in older builds. */
export const tickCount = u32(555)
export const hasTickCount = (bytes: Buffer): boolean => bytes.length >= 559

export const raceDefinition = {
  /** s, -1 for none. */
  personalFastestLap: f32(16),
  /** m. */
  trackLength: f32(44),
  lapsTimeInEvent: u16(304)
} as const
/** Where each name begins. */
export const track = { location: 48, variation: 112 } as const

export const NAME_BYTES = 64
export const NAMES_A_PACKET = 16
export const NAMES_AT = 16

export const timings = {
  /** -1 for none. */
  numParticipants: i8(12),
  localParticipantIndex: u16(1057)
} as const

/** ms; not in older builds. */
export const timingsTick = u32(1059)
export const hasTimingsTick = (bytes: Buffer): boolean => bytes.length >= 1063

export const MAX_PARTICIPANTS = 32
const PARTICIPANT_BYTES = 32
const PARTICIPANTS_AT = 33
const STATS_AT = 16

export const participantAt = (index: number): number => PARTICIPANTS_AT + PARTICIPANT_BYTES * index
export const statsAt = (index: number): number => STATS_AT + PARTICIPANT_BYTES * index

const part = {
  u8:
    (offset: number, shift = 0, mask = 0xff): ReadAt =>
    (bytes, at) =>
      (bytes.readUInt8(at + offset) >> shift) & mask,
  u16:
    (offset: number, mask = 0xffff): ReadAt =>
    (bytes, at) =>
      bytes.readUInt16LE(at + offset) & mask,
  i16:
    (offset: number): ReadAt =>
    (bytes, at) =>
      bytes.readInt16LE(at + offset),
  f32:
    (offset: number): ReadAt =>
    (bytes, at) =>
      bytes.readFloatLE(at + offset)
} as const

/** One participant of a timings packet, from `participantAt`. */
export const participant = {
  /** m, y up, coarse. */
  worldPositionX: part.i16(0),
  worldPositionY: part.i16(2),
  worldPositionZ: part.i16(4),
  /** m since the line. */
  lapDistance: part.u16(12),
  racePosition: part.u8(14, 0, 0x7f),
  isActive: part.u8(14, 7, 1),
  sector: part.u8(15, 0, 7),
  pitMode: part.u8(17, 0, 7),
  /** Which of the names of vehicles. */
  vehicle: part.u16(18, 0x7fff),
  isHuman: part.u8(19, 7, 1),
  raceState: part.u8(20, 0, 7),
  isLapInvalid: part.u8(20, 7, 1),
  /** From 1. */
  currentLap: part.u8(21),
  /** s, -1 for none. */
  currentTime: part.f32(22),
  currentSectorTime: part.f32(26)
} as const

/** One participant of a time stats packet, from `statsAt`; s, -1 for none. */
export const stats = {
  lastLap: part.f32(4),
  lastSector: part.f32(8)
} as const

export const VEHICLES_AT = 12
export const VEHICLE_BYTES = 72
export const VEHICLES_A_PACKET = 16
export const vehicle = { index: part.u16(0), nameAt: 8 } as const

export const gameState = {
  game: bits(14, 0, 7),
  /** Bits 4 to 6; sources disagree, and what is greater than `LAST_SESSION` is none. */
  session: bits(14, 4, 7)
} as const

export const GameState = {
  exited: 0,
  frontEnd: 1,
  playing: 2,
  paused: 3,
  /** A menu while the car drives on. */
  menuInTime: 4,
  restarting: 5,
  replay: 6,
  frontEndReplay: 7
} as const

export const SessionState = { formationLap: 4, race: 5, last: 6 } as const

export const RaceState = { invalid: 0, notStarted: 1, racing: 2, finished: 3 } as const
