/**
 * The datagrams of Assetto Corsa's side (sheet assetto-corsa-remote-telemetry, sections 4 to 6), with what the game
 * leaves uncleared: garbage after names and in the padding.
 */
import {
  answer,
  CAR_INFO_MARK,
  carInfo,
  CONNECTED,
  NAME_BYTES,
  NAME_END,
  spot
} from "../../../src/simulators/drivers/assetto-corsa/layout.ts"
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { uniform } from "../../model/random.ts"

const VERSION = 1

/** Whatever was there before: any 16 bits, also halves of characters. */
const garbage = (bytes: Buffer, from: number, to: number, seed: number): void => {
  for (let at = from; at < to; at++) bytes[at] = uniform(seed, at) * 256
}

/** `text` up to 49 characters, its end, and garbage. */
const nameOf = (text: string): Buffer => {
  const bytes = Buffer.alloc(NAME_BYTES)
  garbage(bytes, 0, NAME_BYTES, text.length)
  bytes.write(text.replaceAll(NAME_END, "").slice(0, NAME_BYTES / 2 - 1) + NAME_END, 0, "utf16le")
  return bytes
}

export interface SessionInfo {
  readonly car: string
  readonly driver: string
  readonly track: string
  readonly config: string
}

export const encodeAnswer = ({ car, config, driver, track }: SessionInfo): Buffer =>
  answer.bytes({
    carName: nameOf(car),
    driverName: nameOf(driver),
    identifier: CONNECTED,
    version: VERSION,
    trackName: nameOf(track),
    trackConfig: nameOf(config)
  })

export interface SpotFields {
  readonly carIndex: number
  readonly lap: number
  readonly driver: string
  readonly car: string
  /** ms. */
  readonly time: number
}

export const encodeSpot = ({ car, carIndex, driver, lap, time }: SpotFields): Buffer =>
  spot.bytes({
    carIdentifierNumber: carIndex,
    lap,
    driverName: nameOf(driver),
    carName: nameOf(car),
    time
  })

/** `seed` decides the garbage. What a drive of ours does not know is 0. */
export const encodeCarInfo = (values: FieldValues, seed: number): Buffer => {
  const bytes = Buffer.alloc(carInfo.size)
  garbage(bytes, 1, 4, seed)
  garbage(bytes, 26, 28, seed)
  carInfo.write(bytes, 0, { identifier: CAR_INFO_MARK, size: carInfo.size, ...values })
  return bytes
}
