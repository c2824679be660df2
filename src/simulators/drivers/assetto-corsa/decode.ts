/** The datagrams of Assetto Corsa's remote telemetry (sheet assetto-corsa-remote-telemetry), which differ by their length. */
import { answer, CAR_INFO_MARK, carInfo, CONNECTED, spot } from "./layout.ts"

/** The simulator's answer to a handshake, section 4. */
export type HandshakeAnswer = { readonly kind: "answer" } & ReturnType<typeof answer.values>

/** A lap that any car of the session ended, section 6. */
export type Spot = { readonly kind: "spot" } & ReturnType<typeof spot.values>

/** The player's car, section 5, as on the wire: the values of points and laps, and all of them. */
export interface CarInfo {
  readonly kind: "car"
  readonly bytes: Buffer
  /** km/h. */
  readonly speed: number
  readonly isInPit: boolean
  /** ms, of the current lap. */
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

const decodeAnswer = (bytes: Buffer): HandshakeAnswer | string => {
  const status = answer.read.identifier(bytes)
  if (status !== CONNECTED) return `a handshake answered with ${status} instead of ${CONNECTED}`
  return { kind: "answer", ...answer.values(bytes) }
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

/** The packet, or why the bytes are no packet. Floats may have any value and are not checked. */
export const decode = (bytes: Buffer): HandshakeAnswer | CarInfo | Spot | string => {
  switch (bytes.length) {
    case carInfo.size:
      return decodeCarInfo(bytes)
    case answer.size:
      return decodeAnswer(bytes)
    case spot.size:
      return { kind: "spot", ...spot.values(bytes) }
    default:
      return `a datagram of ${bytes.length} bytes, where ${answer.size}, ${carInfo.size} or ${spot.size} are expected`
  }
}
