/** Whether bytes are Project Motor Racing's: there is no mark, so what a packet's parts say of its length tells. */
import { header, PacketType, placesIn, raceInfo, state } from "./layout.ts"

/** Of a version: the game has had two so far. */
const MAX_VERSION = 99

/** Where a car's state says whether it is the player's. */
export const IS_PLAYER_AT = header.size + 4

const isCar = (bytes: Buffer): boolean => bytes.length > IS_PLAYER_AT && bytes[IS_PLAYER_AT]! <= 1

export const recognises = (bytes: Buffer): boolean => {
  if (bytes[0] === PacketType.stopped) return bytes.length === 1
  if (bytes.length <= header.size) return false
  const version = header.read.version(bytes)
  if (version < 1 || version > MAX_VERSION) return false
  switch (bytes[0]) {
    case PacketType.raceInfo:
      return raceInfo.fits(bytes, header.size, version)
    case PacketType.state:
      return isCar(bytes) && state.fits(bytes, header.size, version)
    case PacketType.telemetry:
      return placesIn(bytes) !== undefined
    default:
      return false
  }
}
