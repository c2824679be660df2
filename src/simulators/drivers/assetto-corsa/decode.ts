/** The datagrams of Assetto Corsa's remote telemetry (sheet assetto-corsa-remote-telemetry): little endian, told apart by length. */

import { carInfo } from "./layout.ts"

export const HANDSHAKE_ANSWER_BYTES = 408
export const CAR_INFO_BYTES = 328
export const SPOT_BYTES = 212

/** What a simulator that accepts us says, section 4. */
const CONNECTED = 4242
/** Byte 0 of a car info, "a"; its three neighbours are garbage. */
const CAR_INFO_MARK = 0x61
const NAME_CHARACTERS = 50
/** Ends a name on the wire; what follows is memory that nobody cleared. */
const NAME_END = "%"
/** Control characters and halves of characters. */
const NOT_TEXT = /[\p{Cc}\p{Cs}]/gu

/** Section 4. */
export interface HandshakeAnswer {
  readonly kind: "answer"
  readonly carName: string
  readonly driverName: string
  readonly version: number
  readonly trackName: string
  readonly trackConfig: string
}

/** The player's car, section 5, as on the wire, of which only what a point or a lap needs. */
export interface CarInfo {
  readonly kind: "car"
  /** km/h. */
  readonly speed: number
  readonly isInPit: boolean
  /** ms, of the lap under way. */
  readonly lapTime: number
  /** ms; 0 for none. */
  readonly lastLap: number
  /** Of completed laps. */
  readonly lapCount: number
  readonly gas: number
  readonly brake: number
  readonly rpm: number
  /** Degrees of the steering wheel. */
  readonly steer: number
  /** 0 reverse, 1 neutral, 2 first. */
  readonly gear: number
  /** m, y up. */
  readonly x: number
  readonly y: number
  readonly z: number
}

/** A lap that some car of the session ended, section 6. */
export interface Spot {
  readonly kind: "spot"
  readonly carIndex: number
  readonly lap: number
  readonly driverName: string
  readonly carName: string
  /** ms. */
  readonly time: number
}

/** Up to the first `%`, else up to the first zero, else all of it. Cut before anything looks at what the garbage spells. */
const nameAt = (bytes: Buffer, from: number): string => {
  const text = bytes.toString("utf16le", from, from + 2 * NAME_CHARACTERS)
  const mark = text.indexOf(NAME_END)
  const zero = text.indexOf("\0")
  const end = mark >= 0 ? mark : zero >= 0 ? zero : text.length
  return text.slice(0, end).replace(NOT_TEXT, "").trim()
}

const decodeAnswer = (bytes: Buffer): HandshakeAnswer | string => {
  const status = bytes.readInt32LE(200)
  if (status !== CONNECTED) return `a handshake answered with ${status} instead of ${CONNECTED}`
  return {
    kind: "answer",
    carName: nameAt(bytes, 0),
    driverName: nameAt(bytes, 100),
    version: bytes.readInt32LE(204),
    trackName: nameAt(bytes, 208),
    trackConfig: nameAt(bytes, 308)
  }
}

const decodeCarInfo = (bytes: Buffer): CarInfo | string => {
  if (bytes[0] !== CAR_INFO_MARK) return `a car info marked ${bytes[0]} instead of ${CAR_INFO_MARK}`
  return {
    kind: "car",
    speed: carInfo.speedKmh(bytes),
    isInPit: carInfo.isInPit(bytes),
    lapTime: carInfo.lapTime(bytes),
    lastLap: carInfo.lastLap(bytes),
    lapCount: carInfo.lapCount(bytes),
    gas: carInfo.gas(bytes),
    brake: carInfo.brake(bytes),
    rpm: carInfo.engineRpm(bytes),
    steer: carInfo.steer(bytes),
    gear: carInfo.gear(bytes),
    x: carInfo.x(bytes),
    y: carInfo.y(bytes),
    z: carInfo.z(bytes)
  }
}

const decodeSpot = (bytes: Buffer): Spot => ({
  kind: "spot",
  carIndex: bytes.readInt32LE(0),
  lap: bytes.readInt32LE(4),
  driverName: nameAt(bytes, 8),
  carName: nameAt(bytes, 108),
  time: bytes.readInt32LE(208)
})

/** The packet, or why these bytes are none. Floats are not checked: they may be anything that four bytes hold. */
export const decode = (bytes: Buffer): HandshakeAnswer | CarInfo | Spot | string => {
  switch (bytes.length) {
    case CAR_INFO_BYTES:
      return decodeCarInfo(bytes)
    case HANDSHAKE_ANSWER_BYTES:
      return decodeAnswer(bytes)
    case SPOT_BYTES:
      return decodeSpot(bytes)
    default:
      return `a datagram of ${bytes.length} bytes, where ${HANDSHAKE_ANSWER_BYTES}, ${CAR_INFO_BYTES} or ${SPOT_BYTES} are expected`
  }
}
