/** BeamNG.drive: OutGauge and MotionSim, both sent to the one port that is listened to. */
import type { OtherGame } from "../../../domain/errors.ts"
import type { PushProtocol } from "../../datagrams/Protocol.ts"
import { listening } from "../../datagrams/listening.ts"
import { OUT_GAUGE_BYTES, OUT_GAUGE_WITH_ID_BYTES } from "../outgauge/decodeOutGauge.ts"
import { BeamNgInterpreter } from "./BeamNgInterpreter.ts"
import { isMotion, MOTION_BYTES } from "./decodeMotion.ts"

/** BeamNG calls every car so; Live for Speed, whose packet OutGauge is, none. */
const CAR = "beam"
const lengths: ReadonlySet<number> = new Set([OUT_GAUGE_BYTES, OUT_GAUGE_WITH_ID_BYTES])

const liveForSpeed: OtherGame = {
  game: "Live for Speed",
  advice: 'its OutGauge alone is not recorded, so connect to its InSim with "simulator": "lfs"'
}

const isBeamNg = (bytes: Buffer): boolean =>
  isMotion(bytes)
    ? bytes.length === MOTION_BYTES
    : bytes.length >= OUT_GAUGE_BYTES && bytes.toString("latin1", 4, 8) === CAR

export const protocol: PushProtocol = {
  name: "beamng",
  recognises: isBeamNg,
  otherGame: (bytes) => (lengths.has(bytes.length) && !isBeamNg(bytes) ? liveForSpeed : undefined),
  // Each is a sender of its own within the game.
  kindOf: (bytes) => (isMotion(bytes) ? "MotionSim" : "OutGauge"),
  interpreter: ({ extras }) => new BeamNgInterpreter(extras.start_line)
}

export const layer = listening({ name: "beamng", ports: [4444], protocols: [protocol] })
