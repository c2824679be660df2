/** The game of a capture, recognised by the first datagram, and the way to reach that game. */
import * as Acc from "../../src/simulators/drivers/acc/layout.ts"
import { MAGIC as BEAMNG_MAGIC, motionSim } from "../../src/simulators/drivers/beamng/layout.ts"
import { packet as dirtRallyPacket } from "../../src/simulators/drivers/dirt-rally-2/layout.ts"
import { least as leastOfEaWrc, packets as eaWrcPackets } from "../../src/simulators/drivers/ea-wrc/layout.ts"
import { packets as forzaPackets, sledPacket } from "../../src/simulators/drivers/forza/layout.ts"
import { outGauge } from "../../src/simulators/drivers/outgauge/layout.ts"
import { basePacket, leastBytes } from "../../src/simulators/drivers/project-cars-2/layout.ts"
import * as Pmr from "../../src/simulators/drivers/project-motor-racing/layout.ts"
import { packet as rbrPacket } from "../../src/simulators/drivers/richard-burns-rally/layout.ts"
import { acc } from "../emulators/acc/AccEmulator.ts"
import { assettoCorsa } from "../emulators/assetto-corsa/AssettoCorsaEmulator.ts"
import { beamNg } from "../emulators/beamng/BeamNgEmulator.ts"
import { dirtRally2 } from "../emulators/dirt-rally-2/emulator.ts"
import { eaWrc } from "../emulators/ea-wrc/emulator.ts"
import type { EmulatorKind } from "../emulators/Emulator.ts"
import { kinds as f1 } from "../emulators/f1/index.ts"
import { motorsport } from "../emulators/forza/emulator.ts"
import { gt7 } from "../emulators/gt7/emulator.ts"
import { lfs } from "../emulators/lfs/LfsEmulator.ts"
import { projectCars2 } from "../emulators/project-cars-2/emulator.ts"
import { projectMotorRacing } from "../emulators/project-motor-racing/emulator.ts"
import { richardBurnsRally } from "../emulators/richard-burns-rally/emulator.ts"
import type { Captured } from "./Captured.ts"
import { type Heard, heardByAcc, heardByAssettoCorsa, heardByGt7, isAssettoCorsa } from "./replies.ts"

/** The service's driver, the game's usual port, and the further fields of a connect are those of the game's emulator. */
export interface CaptureKind extends Pick<EmulatorKind, "simulator" | "port" | "extras"> {
  readonly recognises: (first: Buffer) => boolean
  /** For a game that sends on request; the others send unasked. */
  readonly heard?: Heard
}

const kind = (
  { extras, port, simulator }: EmulatorKind,
  recognises: CaptureKind["recognises"],
  more: Pick<CaptureKind, "heard" | "extras"> = {}
): CaptureKind => ({ simulator, port, ...(extras === undefined ? {} : { extras }), recognises, ...more })

const GT7_MAGIC = "0S7G"
const BEAMNG_CAR = "beam"
const PROJECT_CARS_1_BYTES = 1367
const FIRST_F1 = 2019
const LAST_F1 = 2099
/** Longer than any stage, m. */
const MAX_STAGE = 1e6

const isF1 = (first: Buffer): boolean =>
  first.length > 6 && first.readUInt16LE(0) >= FIRST_F1 && first.readUInt16LE(0) <= LAST_F1 && first[5] === 1

const accMessages = new Map<number | undefined, Pick<typeof Acc.carUpdate, "placesIn">>([
  [Acc.types.registrationResult, Acc.registrationResult],
  [Acc.types.realtimeUpdate, Acc.sessionUpdate],
  [Acc.types.carUpdate, Acc.carUpdate],
  [Acc.types.entryList, Acc.entryList],
  [Acc.types.trackData, Acc.trackData],
  [Acc.types.entryListCar, Acc.entryListCar],
  [Acc.types.broadcastingEvent, Acc.broadcastingEvent]
])

const isBeamNg = (first: Buffer): boolean =>
  first.length === motionSim.size
    ? motionSim.read.format(first) === BEAMNG_MAGIC
    : first.length >= outGauge.size && first.toString("latin1", 4, 8) === BEAMNG_CAR

const forzaSizes = new Set([
  ...Object.values(forzaPackets).map(({ size }) => size),
  forzaPackets.horizon.size + 1
])

const isProjectCars2 = (first: Buffer): boolean => {
  if (first.length < basePacket.size) return false
  const { packetType, partialPacketIndex, partialPacketNumber } = basePacket.read
  const index = partialPacketIndex(first)
  return (
    first.length >= (leastBytes.get(packetType(first)) ?? Infinity) &&
    index >= 1 &&
    index <= partialPacketNumber(first)
  )
}

const isProjectMotorRacing = (first: Buffer): boolean => {
  switch (first[0]) {
    case Pmr.PacketType.raceInfo:
      return Pmr.raceInfo.placesIn(first) !== undefined
    case Pmr.PacketType.state:
      return Pmr.state.placesIn(first) !== undefined
    case Pmr.PacketType.telemetry:
      return Pmr.placesIn(first) !== undefined
    default:
      return false
  }
}

/** Games with a mark or a length of their own come first. */
export const captureKinds: ReadonlyArray<CaptureKind> = [
  // A capture may be of a replay. For any other, recording replays makes no difference.
  kind(gt7, (first) => first.toString("latin1", 0, 4) === GT7_MAGIC, {
    heard: heardByGt7,
    extras: { ...gt7.extras, replays: true }
  }),
  kind(assettoCorsa, isAssettoCorsa, { heard: heardByAssettoCorsa }),
  kind(dirtRally2, (first) => first.length === dirtRallyPacket.size),
  kind(richardBurnsRally, (first) => first.length === rbrPacket.size),
  // The game of Project CARS 1, whose packets the service recognises and cannot read.
  kind(projectCars2, (first) => first.length === PROJECT_CARS_1_BYTES),
  kind(f1[0]!, isF1),
  kind(beamNg, isBeamNg),
  kind(acc, (first) => accMessages.get(first[0])?.placesIn(first)?.end === first.length, {
    heard: heardByAcc
  }),
  kind(motorsport, (first) => forzaSizes.has(first.length) && sledPacket.read.isRaceOn(first) <= 1),
  kind(projectCars2, isProjectCars2),
  kind(
    eaWrc,
    (first) =>
      eaWrcPackets.has(first.length) &&
      leastOfEaWrc.read.shiftlights_rpm_valid(first) <= 1 &&
      leastOfEaWrc.read.stage_length(first) < MAX_STAGE
  ),
  kind(projectMotorRacing, isProjectMotorRacing)
]

/** Only lines of Live for Speed have a direction. */
export const isLiveForSpeed = ({ via }: Captured): boolean => via !== undefined

const liveForSpeed = kind(lfs, () => false)

/** The game of a capture; undefined if it is unknown. */
export const kindOf = (first: Captured): CaptureKind | undefined =>
  isLiveForSpeed(first) ? liveForSpeed : captureKinds.find((one) => one.recognises(first.bytes))
