/** Recognises packets of Project Motor Racing: they have no mark, so the lengths of a packet's parts must add up. */
import { PacketType, placesIn, raceInfo, state } from "./layout.ts"

/** Versions: the game has had two so far. */
const MAX_VERSION = 99

const versionOf = state.reader("version")

/** Where a car's state tells whether it is the player's. */
export const IS_PLAYER_AT = state.places.get("isPlayer")!.at

export const recognises = (bytes: Buffer): boolean => {
  if (bytes[0] === PacketType.stopped) return bytes.length === 1
  if (bytes.length <= IS_PLAYER_AT) return false
  const version = versionOf(bytes)
  if (version < 1 || version > MAX_VERSION) return false
  switch (bytes[0]) {
    case PacketType.raceInfo:
      return raceInfo.placesIn(bytes) !== undefined
    case PacketType.state:
      return bytes[IS_PLAYER_AT]! <= 1 && state.placesIn(bytes) !== undefined
    case PacketType.telemetry:
      return placesIn(bytes) !== undefined
    default:
      return false
  }
}
