/** Whose datagrams a capture holds, told by the first, and what that game does besides sending them. */
import { encodeAnswer } from "../emulators/assetto-corsa/encode.ts"
import type { ConnectExtras } from "../emulators/Emulator.ts"
import {
  CAR_INFO_MARK,
  carInfo,
  operations,
  request
} from "../../src/simulators/drivers/assetto-corsa/layout.ts"
import { type Heartbeat, packets } from "../../src/simulators/drivers/gt7/layout.ts"
import { encrypt } from "../emulators/gt7/packets.ts"

/** What the game does with a datagram that it hears. */
export interface GameReply {
  readonly reply?: Buffer
  /** From now on the capture is played to who sent this, each datagram so; or no more. */
  readonly play?: ((captured: Buffer) => Uint8Array) | "stop"
}

export interface CaptureKind {
  /** The driver of the service. */
  readonly simulator: string
  readonly port: number
  readonly recognises: (first: Buffer) => boolean
  /** Of a game that sends to those who ask; the others send unasked. `name`: what to call car and track. */
  readonly heard?: (request: Buffer, name: string, driver: string) => GameReply
  /** What a connect must say besides. */
  readonly extras?: ConnectExtras
}

const heardByAssettoCorsa = (bytes: Buffer, name: string, driverName: string): GameReply => {
  if (bytes.length !== request.size) return {}
  switch (request.read.operationId(bytes)) {
    case operations.handshake:
      return { reply: encodeAnswer({ carName: name, driverName, trackName: name, trackConfig: "" }) }
    case operations.subscribeUpdates:
      return { play: (captured) => captured }
    case operations.dismiss:
      return { play: "stop" }
    default:
      return {}
  }
}

/** Captured packets are in plain, and of the longest format: a console sends them encrypted, as long as it was asked. */
const heardByGt7 = (request: Buffer): GameReply => {
  const heartbeat = request.toString("latin1")
  if (!Object.hasOwn(packets, heartbeat)) return {}
  const format = heartbeat as Heartbeat
  return { play: (captured) => encrypt(captured.subarray(0, packets[format].size), format) }
}

const GT7_MAGIC = "0S7G"
const CODEMASTERS_BYTES = 264
const PROJECT_CARS_1_BYTES = 1367
const FIRST_F1 = 2019
const LAST_F1 = 2099

export const captureKinds: ReadonlyArray<CaptureKind> = [
  {
    simulator: "gt7",
    port: 33739,
    recognises: (first) => first.toString("latin1", 0, 4) === GT7_MAGIC,
    heard: heardByGt7,
    // A capture may be of a replay, and costs nothing if it is not.
    extras: { replays: true }
  },
  {
    simulator: "assetto-corsa",
    port: 9996,
    recognises: (first) => first.length === carInfo.size && carInfo.read.identifier(first) === CAR_INFO_MARK,
    heard: heardByAssettoCorsa
  },
  { simulator: "dirt-rally-2", port: 20777, recognises: (first) => first.length === CODEMASTERS_BYTES },
  {
    simulator: "f1",
    port: 20777,
    recognises: (first) =>
      first.length > 6 &&
      first.readUInt16LE(0) >= FIRST_F1 &&
      first.readUInt16LE(0) <= LAST_F1 &&
      first[5] === 1
  },
  // Of Project CARS 1, which the service names and does not read.
  { simulator: "project-cars-2", port: 5606, recognises: (first) => first.length === PROJECT_CARS_1_BYTES }
]
