/** What games that send to those who ask do with a datagram that they hear, besides sending what was captured. */
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
  /** Another one, behind it. */
  readonly second?: Buffer
  /** From now on the capture is played to who sent this, each datagram so; or no more. */
  readonly play?: ((captured: Buffer) => Uint8Array) | "stop"
}

/** `name`: what to call car and track. `first`: of the capture. */
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
/** Its length is not known. */
const NO_LENGTH = 0

/** Every password is right. The names are ours where the capture begins with an update: what it was asked before is not in it. */
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

/** Captured packets are in plain, and of the longest format: a console sends them encrypted, as long as it was asked. */
export const heardByGt7: Heard = (bytes) => {
  const heartbeat = bytes.toString("latin1")
  if (!Object.hasOwn(packets, heartbeat)) return {}
  const format = heartbeat as Heartbeat
  return { play: (captured) => encrypt(captured.subarray(0, packets[format].size), format) }
}
