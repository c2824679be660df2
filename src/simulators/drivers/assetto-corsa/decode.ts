/** The datagrams of Assetto Corsa's remote telemetry (sheet assetto-corsa-remote-telemetry): little endian, told apart by length. */
import { answer, carInfo, NAME_BYTES, spot } from "./layout.ts"

/** The simulator's answer to a handshake, section 4. */
const CONNECTED = 4242
/** Byte 0 of a car info, "a"; its three neighbours are garbage. */
const CAR_INFO_MARK = 0x61
/** Ends a name on the wire; the bytes behind it are uncleared memory. */
const NAME_END = "%"
/** Control characters, and surrogates without a partner. */
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

/** The player's car, section 5, as on the wire: the values of points and laps, and all of them. */
export interface CarInfo {
  readonly kind: "car"
  readonly bytes: Buffer
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
  /** 0..1 along the track. */
  readonly place: number
  /** m, y up. */
  readonly x: number
  readonly y: number
  readonly z: number
}

/** A lap that any car of the session ended, section 6. */
export interface Spot {
  readonly kind: "spot"
  readonly carIndex: number
  readonly lap: number
  readonly driverName: string
  readonly carName: string
  /** ms. */
  readonly time: number
}

/** The text up to the first `%`, else up to the first zero, else all. It is cut first, so that nothing reads the garbage behind it. */
const nameAt = (bytes: Buffer, from: number): string => {
  const text = bytes.toString("utf16le", from, from + NAME_BYTES)
  const mark = text.indexOf(NAME_END)
  const zero = text.indexOf("\0")
  const end = mark >= 0 ? mark : zero >= 0 ? zero : text.length
  return text.slice(0, end).replace(NOT_TEXT, "").trim()
}

const decodeAnswer = (bytes: Buffer): HandshakeAnswer | string => {
  const status = answer.read.identifier(bytes)
  if (status !== CONNECTED) return `a handshake answered with ${status} instead of ${CONNECTED}`
  return {
    kind: "answer",
    carName: nameAt(bytes, 0),
    driverName: nameAt(bytes, 100),
    version: answer.read.version(bytes),
    trackName: nameAt(bytes, 208),
    trackConfig: nameAt(bytes, 308)
  }
}

const decodeCarInfo = (bytes: Buffer): CarInfo | string => {
  const { read } = carInfo
  const mark = read.identifier(bytes)
  if (mark !== CAR_INFO_MARK) return `a car info marked ${mark} instead of ${CAR_INFO_MARK}`
  return {
    kind: "car",
    bytes,
    speed: read.speedKmh(bytes),
    isInPit: read.isInPit(bytes) !== 0,
    lapTime: read.lapTime(bytes),
    lastLap: read.lastLap(bytes),
    lapCount: read.lapCount(bytes),
    gas: read.gas(bytes),
    brake: read.brake(bytes),
    rpm: read.engineRPM(bytes),
    steer: read.steer(bytes),
    gear: read.gear(bytes),
    place: read.carPositionNormalized(bytes),
    x: read.carCoordinatesX(bytes),
    y: read.carCoordinatesY(bytes),
    z: read.carCoordinatesZ(bytes)
  }
}

const decodeSpot = (bytes: Buffer): Spot => ({
  kind: "spot",
  carIndex: spot.read.carIdentifierNumber(bytes),
  lap: spot.read.lap(bytes),
  driverName: nameAt(bytes, 8),
  carName: nameAt(bytes, 108),
  time: spot.read.time(bytes)
})

/** The packet, or why the bytes are no packet. Floats may have any value and are not checked. */
export const decode = (bytes: Buffer): HandshakeAnswer | CarInfo | Spot | string => {
  switch (bytes.length) {
    case carInfo.size:
      return decodeCarInfo(bytes)
    case answer.size:
      return decodeAnswer(bytes)
    case spot.size:
      return decodeSpot(bytes)
    default:
      return `a datagram of ${bytes.length} bytes, where ${answer.size}, ${carInfo.size} or ${spot.size} are expected`
  }
}
