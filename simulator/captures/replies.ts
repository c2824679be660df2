/** How games that send on request react to a datagram, apart from sending the capture. */
import {
  CAR_INFO_MARK,
  carInfo,
  operations,
  request
} from "../../src/simulators/drivers/assetto-corsa/layout.ts"
import { readSession, types } from "../../src/simulators/drivers/acc/layout.ts"
import { type Heartbeat, packets } from "../../src/simulators/drivers/gt7/layout.ts"
import {
  encodeEntry,
  encodeEntryList,
  encodeRegistrationResult,
  encodeTrack
} from "../emulators/acc/encode.ts"
import { parseRequest } from "../emulators/acc/requests.ts"
import { encodeAnswer } from "../emulators/assetto-corsa/encode.ts"
import { encrypt } from "../emulators/gt7/packets.ts"

export interface GameReply {
  readonly reply?: Buffer
  /** A second reply after the first. */
  readonly second?: Buffer
  /** Starts playing the capture to the sender, with each datagram encoded so, or stops it. */
  readonly play?: ((captured: Buffer) => Uint8Array) | "stop"
}

/** `name`: used for car and track. `first`: the capture's first datagram. */
export type Heard = (request: Buffer, name: string, driver: string, first?: Buffer) => GameReply

const same = (captured: Buffer) => captured

export const heardByAssettoCorsa: Heard = (bytes, name, driverName) => {
  if (bytes.length !== request.size) return {}
  switch (request.read.operationId(bytes)) {
    case operations.handshake:
      return { reply: encodeAnswer({ carName: name, driverName, trackName: name, trackConfig: "" }) }
    case operations.subscribeUpdates:
      return { play: same }
    case operations.dismiss:
      return { play: "stop" }
    default:
      return {}
  }
}

export const isAssettoCorsa = (bytes: Buffer): boolean =>
  bytes.length === carInfo.size && carInfo.read.identifier(bytes) === CAR_INFO_MARK

const ACC_CONNECTION = 1
/** The track's length is unknown. */
const NO_LENGTH = 0

/** Any password is accepted. The names are ours if the capture begins with an update, because it lacks the answers before that. */
export const heardByAcc: Heard = (bytes, name, driver, first) => {
  switch (parseRequest(bytes)?.kind) {
    case "register":
      return { reply: encodeRegistrationResult(ACC_CONNECTION, ""), play: same }
    case "trackData":
      return { reply: encodeTrack(ACC_CONNECTION, name, NO_LENGTH) }
    case "entryList": {
      const carIndex = first?.[0] === types.realtimeUpdate ? readSession(first)?.focusedCarIndex : undefined
      if (carIndex === undefined) return {}
      const [firstName = "", ...rest] = driver.split(" ")
      const car = { carIndex, carModelType: 0, teamName: name, raceNumber: 1 }
      return {
        reply: encodeEntryList(ACC_CONNECTION, [carIndex]),
        second: encodeEntry({ ...car, drivers: [[firstName, rest.join(" ")]] })
      }
    }
    case "unregister":
      return { play: "stop" }
    default:
      return {}
  }
}

/** Captures have plain packets of the longest format; a console sends them encrypted, in the requested length. */
export const heardByGt7: Heard = (bytes) => {
  const heartbeat = bytes.toString("latin1")
  if (!Object.hasOwn(packets, heartbeat)) return {}
  const format = heartbeat as Heartbeat
  return { play: (captured) => encrypt(captured.subarray(0, packets[format].size), format) }
}
