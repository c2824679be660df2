/**
 * The packets that are sent, whole, in each format (f1-udp-2023-2026.md, section 4), by the sheet's field names.
 * Over 250 lines: a table, as long as the packets are.
 */
import { type Fields, Struct, type Type } from "./Struct.ts"

export type F1Format = 2023 | 2024 | 2025 | 2026

const each = (name: string, type: Type): Fields =>
  ["RL", "RR", "FL", "FR"].map((wheel) => [`${name}[${wheel}]`, type])

const header: Fields = [
  ["packetFormat", "u16"],
  ["gameYear", "u8"],
  ["gameMajorVersion", "u8"],
  ["gameMinorVersion", "u8"],
  ["packetVersion", "u8"],
  ["packetId", "u8"],
  ["sessionUIDLow", "u32"],
  ["sessionUIDHigh", "u32"],
  ["sessionTime", "f32"],
  ["frameIdentifier", "u32"],
  ["overallFrameIdentifier", "u32"],
  ["playerCarIndex", "u8"],
  ["secondaryPlayerCarIndex", "u8"]
]

const motion = (format: F1Format): Fields => {
  const force = format === 2026 ? "i16" : "f32"
  return [
    ["worldPositionX", "f32"],
    ["worldPositionY", "f32"],
    ["worldPositionZ", "f32"],
    ["worldVelocityX", "f32"],
    ["worldVelocityY", "f32"],
    ["worldVelocityZ", "f32"],
    ["worldForwardDirX", "i16"],
    ["worldForwardDirY", "i16"],
    ["worldForwardDirZ", "i16"],
    ["worldRightDirX", "i16"],
    ["worldRightDirY", "i16"],
    ["worldRightDirZ", "i16"],
    ["gForceLateral", force],
    ["gForceLongitudinal", force],
    ["gForceVertical", force],
    ["yaw", "f32"],
    ["pitch", "f32"],
    ["roll", "f32"]
  ]
}

const gaps2023: Fields = [
  ["deltaToCarInFrontInMS", "u16"],
  ["deltaToRaceLeaderInMS", "u16"]
]
const gaps2024: Fields = [
  ["deltaToCarInFrontMSPart", "u16"],
  ["deltaToCarInFrontMinutesPart", "u8"],
  ["deltaToRaceLeaderMSPart", "u16"],
  ["deltaToRaceLeaderMinutesPart", "u8"]
]
const speedTrap: Fields = [
  ["speedTrapFastestSpeed", "f32"],
  ["speedTrapFastestLap", "u8"]
]

const lapData = (format: F1Format): Fields => [
  ["lastLapTimeInMS", "u32"],
  ["currentLapTimeInMS", "u32"],
  ["sector1TimeMSPart", "u16"],
  ["sector1TimeMinutesPart", "u8"],
  ["sector2TimeMSPart", "u16"],
  ["sector2TimeMinutesPart", "u8"],
  ...(format === 2023 ? gaps2023 : gaps2024),
  ["lapDistance", "f32"],
  ["totalDistance", "f32"],
  ["safetyCarDelta", "f32"],
  ["carPosition", "u8"],
  ["currentLapNum", "u8"],
  ["pitStatus", "u8"],
  ["numPitStops", "u8"],
  ["sector", "u8"],
  ["currentLapInvalid", "u8"],
  ["penalties", "u8"],
  ["totalWarnings", "u8"],
  ["cornerCuttingWarnings", "u8"],
  ["numUnservedDriveThroughPens", "u8"],
  ["numUnservedStopGoPens", "u8"],
  ["gridPosition", "u8"],
  ["driverStatus", "u8"],
  ["resultStatus", "u8"],
  ["pitLaneTimerActive", "u8"],
  ["pitLaneTimeInLaneInMS", "u16"],
  ["pitStopTimerInMS", "u16"],
  ["pitStopShouldServePen", "u8"],
  ...(format === 2023 ? [] : speedTrap)
]

const colours: Fields = [
  ["numColours", "u8"],
  ["liveryColours", 12]
]

const participant = (format: F1Format): Fields => {
  const id = format === 2026 ? "u16" : "u8"
  return [
    ["aiControlled", "u8"],
    ["driverId", id],
    ["networkId", id],
    ["teamId", id],
    ["myTeam", "u8"],
    ["raceNumber", "u8"],
    ["nationality", "u8"],
    ["name", format < 2025 ? "text47" : "text31"],
    ["nameEnd", 1],
    ["yourTelemetry", "u8"],
    ["showOnlineNames", "u8"],
    ...(format === 2023 ? [] : ([["techLevel", "u16"]] as const)),
    ["platform", "u8"],
    ...(format < 2025 ? [] : colours)
  ]
}

const carTelemetry = (format: F1Format): Fields => [
  ["speed", "u16"],
  ["throttle", "f32"],
  ["steer", "f32"],
  ["brake", "f32"],
  ["clutch", "u8"],
  ["gear", "i8"],
  ["engineRPM", "u16"],
  ["drs", "u8"],
  ["revLightsPercent", "u8"],
  ["revLightsBitValue", "u16"],
  ...each("brakesTemperature", "u16"),
  ...each("tyresSurfaceTemperature", "u8"),
  ...each("tyresInnerTemperature", "u8"),
  ["engineTemperature", format === 2026 ? "u8" : "u16"],
  ...each("tyresPressure", "f32"),
  ...each("surfaceType", "u8")
]

const carStatus = (format: F1Format): Fields => [
  ["tractionControl", "u8"],
  ["antiLockBrakes", "u8"],
  ["fuelMix", "u8"],
  ["frontBrakeBias", "u8"],
  ["pitLimiterStatus", "u8"],
  ["fuelInTank", "f32"],
  ["fuelCapacity", "f32"],
  ["fuelRemainingLaps", "f32"],
  ["maxRPM", "u16"],
  ["idleRPM", "u16"],
  ["maxGears", "u8"],
  ["drsAllowed", "u8"],
  ["drsActivationDistance", "u16"],
  ["actualTyreCompound", "u8"],
  ["visualTyreCompound", "u8"],
  ["tyresAgeLaps", "u8"],
  ["vehicleFiaFlags", "i8"],
  ["enginePowerICE", "f32"],
  ["enginePowerMGUK", "f32"],
  ["ersStoreEnergy", "f32"],
  ["ersDeployMode", "u8"],
  ["ersHarvestedThisLapMGUK", "f32"],
  ["ersHarvestedThisLapMGUH", "f32"],
  ...(format === 2026 ? ([["ersHarvestLimitPerLap", "f32"]] as const) : []),
  ["ersDeployedThisLap", "f32"],
  ["networkPaused", "u8"]
]

/** After the head nothing is told; the bytes are there. */
const sessionBytes = { 2023: 615, 2024: 724, 2025: 724, 2026: 897 } as const
const sessionHead: Fields = [
  ["weather", "u8"],
  ["trackTemperature", "i8"],
  ["airTemperature", "i8"],
  ["totalLaps", "u8"],
  ["trackLength", "u16"],
  ["sessionType", "u8"],
  ["trackId", "i8"],
  ["formula", "u8"],
  ["sessionTimeLeft", "u16"],
  ["sessionDuration", "u16"],
  ["pitSpeedLimit", "u8"],
  ["gamePaused", "u8"],
  ["isSpectating", "u8"],
  ["spectatorCarIndex", "u8"]
]
const SESSION_HEAD_BYTES = 17

const historyHead: Fields = [
  ["carIdx", "u8"],
  ["numLaps", "u8"],
  ["numTyreStints", "u8"],
  ["bestLapTimeLapNum", "u8"],
  ["bestSector1LapNum", "u8"],
  ["bestSector2LapNum", "u8"],
  ["bestSector3LapNum", "u8"]
]
const historyLap: Fields = [
  ["lapTimeInMS", "u32"],
  ["sector1TimeMSPart", "u16"],
  ["sector1TimeMinutesPart", "u8"],
  ["sector2TimeMSPart", "u16"],
  ["sector2TimeMinutesPart", "u8"],
  ["sector3TimeMSPart", "u16"],
  ["sector3TimeMinutesPart", "u8"],
  ["lapValidBitFlags", "u8"]
]

/** What stands before and after a packet's elements. */
export interface PacketShape {
  readonly id: number
  readonly head?: Struct
  readonly element?: Struct
  readonly elements?: number
  readonly tail?: Struct
}

export const headerStruct = new Struct(header)

/** Every kind of packet that is sent in a format. */
export const shapesOf = (format: F1Format) => {
  const elements = format === 2026 ? 24 : 22
  const sessionRest: Fields = [["rest", sessionBytes[format] - SESSION_HEAD_BYTES]]
  return {
    motion: { id: 0, element: new Struct(motion(format)), elements },
    session: { id: 1, head: new Struct([...sessionHead, ...sessionRest]) },
    lapData: {
      id: 2,
      element: new Struct(lapData(format)),
      elements,
      tail: new Struct([
        ["timeTrialPBCarIdx", "u8"],
        ["timeTrialRivalCarIdx", "u8"]
      ])
    },
    event: {
      id: 3,
      head: new Struct([
        ["code", "text4"],
        ["buttonStatus", "u32"],
        ["details", 8]
      ])
    },
    participants: {
      id: 4,
      head: new Struct([["numActiveCars", "u8"]]),
      element: new Struct(participant(format)),
      elements
    },
    carTelemetry: {
      id: 6,
      element: new Struct(carTelemetry(format)),
      elements,
      tail: new Struct([
        ["mfdPanelIndex", "u8"],
        ["mfdPanelIndexSecondaryPlayer", "u8"],
        ["suggestedGear", "i8"]
      ])
    },
    carStatus: { id: 7, element: new Struct(carStatus(format)), elements },
    sessionHistory: {
      id: 11,
      head: new Struct(historyHead),
      element: new Struct(historyLap),
      elements: 100,
      // Eight tyre stints.
      tail: new Struct([["tyreStints", 24]])
    }
  } satisfies Readonly<Record<string, PacketShape>>
}

export type PacketName = keyof ReturnType<typeof shapesOf>
