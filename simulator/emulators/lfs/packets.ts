/** Live for Speed's packets as it sends them (sheet lfs-insim-outgauge-outsim, sections 3 to 5). Little endian. */
import {
  HUNDRED_MS,
  INSIM_VERSION,
  METRE,
  InSimPacketType,
  UNIT
} from "../../../src/simulators/drivers/lfs/insim.ts"
import { CARS_AT, compCar } from "../../../src/simulators/drivers/lfs/layout.ts"
import type { Frame } from "../Emulator.ts"
import { inWorld } from "../World.ts"
import { WORLD } from "./outputs.ts"

/** Types that a service has no use for, and skips by their length. */
const ISM = 10
const NCN = 18

const KMH = 3.6
const TURN = 65_536

/** Zeros but for its length, its type, the number of the request it answers, and what stands in byte 3. */
const packet = (length: number, type: number, request: number, fourth: number): Buffer => {
  const bytes = Buffer.alloc(length)
  bytes[0] = length / UNIT
  bytes[1] = type
  bytes[2] = request
  bytes[3] = fourth
  return bytes
}

/** As long as it may be with the zero that ends it; written over nothing but zeros. */
const write = (bytes: Buffer, at: number, length: number, text: string): void => {
  bytes.write(text.slice(0, length - 1), at, "latin1")
}

const ms = (seconds: number): number => Math.round(seconds * 1000)

/** `inSim`: the version that is spoken. */
export const version = (request: number, inSim = INSIM_VERSION): Buffer => {
  const bytes = packet(20, InSimPacketType.version, request, 0)
  write(bytes, 4, 8, "0.7F")
  write(bytes, 12, 6, "S3")
  bytes[18] = inSim
  return bytes
}

export const tiny = (subType: number, request = 0): Buffer =>
  packet(4, InSimPacketType.tiny, request, subType)

export interface StateOfPlay {
  readonly flags: number
  readonly viewed: number
  readonly players: number
  /** 0 none, 1 race. */
  readonly race: number
  readonly laps: number
  readonly track: string
}

export const state = (
  request: number,
  { flags, laps, players, race, track, viewed }: StateOfPlay
): Buffer => {
  const bytes = packet(28, InSimPacketType.state, request, 0)
  bytes.writeFloatLE(1, 4)
  bytes.writeUInt16LE(flags, 8)
  bytes[10] = 3
  bytes[11] = viewed
  bytes[12] = players
  bytes[13] = 1
  bytes[15] = race
  bytes[17] = laps
  bytes[19] = 1
  write(bytes, 20, 6, track)
  bytes[26] = 1
  return bytes
}

/** `splits`: how many the track has. */
export const raceStart = (request: number, players: number, track: string, splits: number): Buffer => {
  const bytes = packet(28, InSimPacketType.raceStart, request, 0)
  bytes[6] = players
  bytes[7] = 0x40 + splits
  write(bytes, 8, 6, track)
  bytes.writeUInt16LE(600, 18)
  for (let split = 0; split < 3; split++) {
    bytes.writeUInt16LE(split < splits ? 200 * (split + 1) : 65_535, 22 + 2 * split)
  }
  return bytes
}

export interface Entry {
  readonly plid: number
  readonly connection: number
  /** 2: a computer; 4: at another machine. */
  readonly kind: number
  readonly name: string
  /** A code of three characters, or the number of a mod. */
  readonly car: string | number
}

export const player = (
  request: number,
  players: number,
  { car, connection, kind, name, plid }: Entry
): Buffer => {
  const bytes = packet(76, InSimPacketType.player, request, plid)
  bytes[4] = connection
  bytes[5] = kind
  bytes.writeUInt16LE(512 + 2, 6)
  write(bytes, 8, 24, name)
  write(bytes, 32, 8, "TSS 1")
  if (typeof car === "number") bytes.writeUIntLE(car, 40, 3)
  else write(bytes, 40, 4, car)
  bytes.fill(3, 60, 64)
  bytes[73] = players
  bytes[75] = 50
  return bytes
}

export const connection = (request: number, ucid: number, name: string): Buffer => {
  const bytes = packet(56, NCN, request, ucid)
  write(bytes, 4, 24, "emulator")
  write(bytes, 28, 24, name)
  bytes[52] = 1
  bytes[53] = 1
  return bytes
}

export const host = (request: number): Buffer => packet(40, ISM, request, 0)

export const pits = (plid: number): Buffer => packet(4, InSimPacketType.pits, 0, plid)

export const leave = (plid: number): Buffer => packet(4, InSimPacketType.leave, 0, plid)

/** `time`: since the line; `elapsed`: since the race began; s. */
export const split = (plid: number, time: number, elapsed: number, number: number): Buffer => {
  const bytes = packet(16, InSimPacketType.split, 0, plid)
  bytes.writeUInt32LE(ms(time), 4)
  bytes.writeUInt32LE(ms(elapsed), 8)
  bytes[12] = number
  bytes[15] = 90
  return bytes
}

export const lap = (plid: number, time: number, elapsed: number, lapsDone: number): Buffer => {
  const bytes = packet(20, InSimPacketType.lap, 0, plid)
  bytes.writeUInt32LE(ms(time), 4)
  bytes.writeUInt32LE(ms(elapsed), 8)
  bytes.writeUInt16LE(lapsDone, 12)
  bytes.writeUInt16LE(512 + 1, 14)
  bytes[19] = 88
  return bytes
}

/** `fact`: 0 out of the pit lane, 1 into it, 2 to 4 into it for a purpose. */
export const pitLane = (plid: number, fact: number): Buffer => {
  const bytes = packet(8, InSimPacketType.pitLane, 0, plid)
  bytes[4] = fact
  return bytes
}

export const finish = (plid: number, total: number, best: number, lapsDone: number): Buffer => {
  const bytes = packet(20, InSimPacketType.finish, 0, plid)
  bytes.writeUInt32LE(ms(total), 4)
  bytes.writeUInt32LE(ms(best), 8)
  bytes[14] = 2
  bytes.writeUInt16LE(lapsDone, 16)
  return bytes
}

/**
 * `reason`: 0 ground, 1 wall, 4 speeding in the pits, 5 out of bounds. Version 10 tells the time in ms in a place of its
 * own; what follows of the car's place is nothing here.
 */
export const hotLapInvalid = (plid: number, reason: number, time: number, inSim = INSIM_VERSION): Buffer => {
  const bytes = packet(inSim > INSIM_VERSION ? 20 : 16, InSimPacketType.hotLapInvalid, 0, plid)
  bytes[4] = reason
  if (inSim > INSIM_VERSION) bytes.writeUInt32LE(ms(time), 8)
  else bytes.writeUInt16LE(Math.round(time * 100) % TURN, 6)
  return bytes
}

/** A type that no version has. */
export const unknown = (): Buffer => packet(12, 200, 0, 1)

/** Where a car is, in the units and axes of our points; LFS has the same axes. */
export type Position = Pick<Frame, "x" | "y" | "z" | "speed" | "heading"> & {
  readonly plid: number
  readonly lap: number
}

const LAST_CAR = 128

/** LFS counts directions from the y axis, against the clock. */
const direction = (heading: number): number => {
  const turns = (heading - Math.PI / 2) / (2 * Math.PI)
  return Math.floor((turns - Math.floor(turns)) * TURN) % TURN
}

export const cars = (positions: ReadonlyArray<Position>): Buffer => {
  const bytes = packet(CARS_AT + compCar.size * positions.length, InSimPacketType.cars, 0, positions.length)
  positions.forEach(({ heading, lap, plid, speed, x, y, z }, n) => {
    const [worldX, worldY, worldZ] = inWorld(WORLD, x, y, z)
    compCar.write(bytes, CARS_AT + compCar.size * n, {
      Lap: lap,
      PLID: plid,
      Position: positions.length - n,
      Info: n === positions.length - 1 ? LAST_CAR : 0,
      X: Math.round(worldX * METRE),
      Y: Math.round(worldY * METRE),
      Z: Math.round(worldZ * METRE),
      Speed: Math.round((speed / KMH / 100) * HUNDRED_MS),
      Direction: direction(heading),
      Heading: direction(heading)
    })
  })
  return bytes
}
