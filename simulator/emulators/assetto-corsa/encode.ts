/**
 * The datagrams of Assetto Corsa's side (sheet assetto-corsa-remote-telemetry, sections 4 to 6), with what the game
 * leaves uncleared: garbage after names and in the padding.
 */
import { answer, carInfo, NAME_BYTES, spot } from "../../../src/simulators/drivers/assetto-corsa/layout.ts"
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { uniform } from "../../model/random.ts"

const NAME_END = "%"
const CONNECTED = 4242
const VERSION = 1

/** Whatever was there before: any 16 bits, also halves of characters. */
const garbage = (bytes: Buffer, from: number, to: number, seed: number): void => {
  for (let at = from; at < to; at++) bytes[at] = uniform(seed, at) * 256
}

/** `text` up to 49 characters, its end, and garbage. */
const writeName = (bytes: Buffer, text: string, at: number): void => {
  const name = text.replaceAll(NAME_END, "").slice(0, NAME_BYTES / 2 - 1)
  garbage(bytes, at, at + NAME_BYTES, at + text.length)
  bytes.write(name + NAME_END, at, "utf16le")
}

export interface SessionInfo {
  readonly car: string
  readonly driver: string
  readonly track: string
  readonly config: string
}

export const encodeAnswer = (names: SessionInfo): Buffer => {
  const bytes = Buffer.alloc(answer.size)
  writeName(bytes, names.car, 0)
  writeName(bytes, names.driver, 100)
  answer.write(bytes, 0, { identifier: CONNECTED, version: VERSION })
  writeName(bytes, names.track, 208)
  writeName(bytes, names.config, 308)
  return bytes
}

export interface SpotFields {
  readonly carIndex: number
  readonly lap: number
  readonly driver: string
  readonly car: string
  /** ms. */
  readonly time: number
}

export const encodeSpot = ({ car, carIndex, driver, lap, time }: SpotFields): Buffer => {
  const bytes = Buffer.alloc(spot.size)
  spot.write(bytes, 0, { carIdentifierNumber: carIndex, lap, time })
  writeName(bytes, driver, 8)
  writeName(bytes, car, 108)
  return bytes
}

/** `seed` decides the garbage. What a drive of ours does not know is 0. */
export const encodeCarInfo = (values: FieldValues, seed: number): Buffer => {
  const bytes = Buffer.alloc(carInfo.size)
  garbage(bytes, 1, 4, seed)
  garbage(bytes, 26, 28, seed)
  carInfo.write(bytes, 0, { identifier: "a".charCodeAt(0), size: carInfo.size, ...values })
  return bytes
}
