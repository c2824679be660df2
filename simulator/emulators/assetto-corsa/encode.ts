/**
 * The datagrams of Assetto Corsa (sheet assetto-corsa-remote-telemetry, sections 4 to 6), with garbage where the game does not
 * clear its memory: after names and in the padding.
 */
import {
  answer,
  CAR_INFO_MARK,
  carInfo,
  CONNECTED,
  name,
  spot,
  VERSION
} from "../../../src/simulators/drivers/assetto-corsa/layout.ts"
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { uniform } from "../../model/random.ts"

/** Leftovers in memory: any 16 bits, also halves of characters. */
const garbage = (length: number, seed: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, at) => uniform(seed, at) * 256))

const nameIn = (text: string): Buffer => {
  const bytes = garbage(name.bytes, text.length)
  bytes.set(name.encode(text))
  return bytes
}

export interface SessionNames {
  readonly carName: string
  readonly driverName: string
  readonly trackName: string
  readonly trackConfig: string
}

export const encodeAnswer = ({ carName, driverName, trackConfig, trackName }: SessionNames): Buffer =>
  answer.bytes({
    carName: nameIn(carName),
    driverName: nameIn(driverName),
    identifier: CONNECTED,
    version: VERSION,
    trackName: nameIn(trackName),
    trackConfig: nameIn(trackConfig)
  })

/** `time`: ms. */
export const encodeSpot = (
  driverName: string,
  carName: string,
  values: { readonly carIdentifierNumber: number; readonly lap: number; readonly time: number }
): Buffer => spot.bytes({ ...values, driverName: nameIn(driverName), carName: nameIn(carName) })

/** `seed` decides the garbage. Fields that our drive does not have are 0. */
export const encodeCarInfo = (values: FieldValues, seed: number): Buffer =>
  carInfo.bytes({
    identifier: CAR_INFO_MARK,
    garbage: garbage(3, seed),
    size: carInfo.size,
    padding: garbage(2, seed),
    ...values
  })
