/** BeamNG.drive: OutGauge and MotionSim, both sent to the one port that the driver listens on. */
import type { OtherGame } from "../../../domain/errors.ts"
import type { PushProtocol } from "../../udp/Protocol.ts"
import { listening } from "../../udp/listening.ts"
import { outGauge, outGaugeWithId } from "../outgauge/layout.ts"
import { BeamNgInterpreter } from "./BeamNgInterpreter.ts"
import { CAR } from "./decodeGauge.ts"
import { isMotion } from "./decodeMotion.ts"
import { motionSim } from "./layout.ts"
import { options, read } from "./options.ts"

export { options }

const lengths: ReadonlySet<number> = new Set([outGauge.size, outGaugeWithId.size])

const liveForSpeed: OtherGame = {
  game: "Live for Speed",
  advice: 'its OutGauge alone is not recorded, so connect to its InSim with "simulator": "lfs"'
}

const isBeamNg = (bytes: Buffer): boolean =>
  isMotion(bytes)
    ? bytes.length === motionSim.size
    : bytes.length >= outGauge.size && bytes.toString("latin1", 4, 8) === CAR

export const protocol: PushProtocol = {
  name: "beamng",
  recognises: isBeamNg,
  otherGame: (bytes) => (lengths.has(bytes.length) && !isBeamNg(bytes) ? liveForSpeed : undefined),
  // The game sends each protocol from another socket.
  kindOf: (bytes) => (isMotion(bytes) ? "MotionSim" : "OutGauge"),
  interpreter: (link) => new BeamNgInterpreter(read(link.options).startLine)
}

export const layer = listening({ name: "beamng", ports: [4444], options, protocols: [protocol] })
