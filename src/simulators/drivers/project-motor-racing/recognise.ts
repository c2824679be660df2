/**
 * Recognises packets of Project Motor Racing: they have no mark, so the lengths of a packet's parts must add up, and
 * the fields behind them must have plausible values (timekeeping.md, rule 10).
 */
import { isWithin } from "../../packets/isWithin.ts"
import { body, inputs, PacketType, placesIn, raceInfo, state } from "./layout.ts"

/** Versions: the game has had two so far. */
const MAX_VERSION = 99

/** m/s, 1/min, s, m: no car and no circuit has more. */
const MAX_SPEED = 300
const MAX_RPM = 100_000
const MAX_TIME = 1e6
const MAX_LENGTH = 100_000
/** Shares may be rounded. */
const MAX_SHARE = 1.01
/** A space, in any of the encodings. */
const FIRST_PRINTABLE = 0x20

const versionOf = state.reader("version")

/** Whether a name is at this place, and not other fields' bytes. */
const isName = (bytes: Buffer, at: number): boolean => {
  const length = bytes[at]!
  return length > 0 && bytes.subarray(at + 1, at + 1 + length).every((byte) => byte >= FIRST_PRINTABLE)
}

const isRaceInfo = (bytes: Buffer): boolean => {
  const places = raceInfo.placesIn(bytes)
  return (
    places !== undefined &&
    isName(bytes, places.track!) &&
    isWithin(bytes.readFloatLE(places.layoutLength!), -1, MAX_LENGTH)
  )
}

const isState = (bytes: Buffer): boolean => {
  if (bytes[IS_PLAYER_AT]! > 1) return false
  const places = state.placesIn(bytes)
  return (
    places !== undefined &&
    isName(bytes, places.vehicleName!) &&
    isWithin(bytes.readFloatLE(places.currentLapTime!), -1, MAX_TIME) &&
    isWithin(bytes.readFloatLE(places.lapProgress!), -MAX_SHARE, MAX_SHARE)
  )
}

const isTelemetry = (bytes: Buffer): boolean => {
  const places = placesIn(bytes)
  return (
    places !== undefined &&
    isWithin(body.read.overallSpeed(bytes, places.body), -MAX_SPEED, MAX_SPEED) &&
    isWithin(body.read.engineRPM(bytes, places.body), -MAX_RPM, MAX_RPM) &&
    isWithin(body.read.orientationW(bytes, places.body), -MAX_SHARE, MAX_SHARE) &&
    isWithin(inputs.read.accelerator(bytes, places.inputs), -MAX_SHARE, MAX_SHARE) &&
    isWithin(inputs.read.brake(bytes, places.inputs), -MAX_SHARE, MAX_SHARE)
  )
}

/** The place in a car's state of the byte that shows whether it is the player's. */
export const IS_PLAYER_AT = state.places.get("isPlayer")!.at

export const recognises = (bytes: Buffer): boolean => {
  if (bytes[0] === PacketType.stopped) return bytes.length === 1
  if (bytes.length <= IS_PLAYER_AT) return false
  const version = versionOf(bytes)
  if (version < 1 || version > MAX_VERSION) return false
  switch (bytes[0]) {
    case PacketType.raceInfo:
      return isRaceInfo(bytes)
    case PacketType.state:
      return isState(bytes)
    case PacketType.telemetry:
      return isTelemetry(bytes)
    default:
      return false
  }
}
