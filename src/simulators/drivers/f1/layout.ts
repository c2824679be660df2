/**
 * The packets of each format of EA's F1 telemetry as tables, by the sheet's names (f1-udp-2023-2026.md, section 4, and its
 * addendum). Packed, little endian. Wheels everywhere: rear left, rear right, front left, front right. Over 250 lines: it is one
 * table.
 */
import { each, type Field, Struct } from "../../packets/Struct.ts"

export const formats = [2023, 2024, 2025, 2026] as const
export type F1Format = (typeof formats)[number]

const wheels = ["[RL]", "[RR]", "[FL]", "[FR]"] as const
const axes = ["X", "Y", "Z"] as const

const header = new Struct([
  ["packetFormat", "u16"],
  ["gameYear", "u8"],
  ["gameMajorVersion", "u8"],
  ["gameMinorVersion", "u8"],
  ["packetVersion", "u8"],
  ["packetId", "u8"],
  ["sessionUID", "u64"],
  ["sessionTime", "f32", "s"],
  ["frameIdentifier", "u32"],
  ["overallFrameIdentifier", "u32"],
  ["playerCarIndex", "u8"],
  ["secondaryPlayerCarIndex", "u8"]
])

/** Fields that only some formats have. */
const when = <F extends Field>(isSo: boolean, fields: ReadonlyArray<F>): ReadonlyArray<F> =>
  isSo ? fields : []

const motion = (format: F1Format) => {
  // In 2026 in thousandths of g, by programs of five authors; EA's document says "quantised".
  const force = format === 2026 ? "i16" : "f32"
  return [
    ...each(axes, "worldPosition", "f32", "m"),
    ...each(axes, "worldVelocity", "f32", "m/s"),
    /** In units of 1 / 32767. */
    ...each(axes, "worldForwardDir", "i16"),
    ...each(axes, "worldRightDir", "i16"),
    ["gForceLateral", force, "g"],
    ["gForceLongitudinal", force, "g"],
    ["gForceVertical", force, "g"],
    ["yaw", "f32", "rad"],
    ["pitch", "f32", "rad"],
    ["roll", "f32", "rad"]
  ] as const
}

/** Times are split into whole minutes and the remaining ms. */
const split = <Name extends string>(name: Name) =>
  [
    [`${name}MSPart`, "u16", "ms"],
    [`${name}MinutesPart`, "u8", "min"]
  ] as const

const gaps2023 = [
  ["deltaToCarInFrontInMS", "u16", "ms"],
  ["deltaToRaceLeaderInMS", "u16", "ms"]
] as const
const gaps2024 = [...split("deltaToCarInFront"), ...split("deltaToRaceLeader")] as const

const speedTrap = [
  ["speedTrapFastestSpeed", "f32", "km/h"],
  /** 255 for none. */
  ["speedTrapFastestLap", "u8"]
] as const

const lapData = (format: F1Format) =>
  [
    ["lastLapTimeInMS", "u32", "ms"],
    ["currentLapTimeInMS", "u32", "ms"],
    ...split("sector1Time"),
    ...split("sector2Time"),
    ...when(format === 2023, gaps2023),
    ...when(format > 2023, gaps2024),
    /** Since the line; negative on the drive to the start. */
    ["lapDistance", "f32", "m"],
    ["totalDistance", "f32", "m"],
    ["safetyCarDelta", "f32", "s"],
    ["carPosition", "u8"],
    /** From 1. */
    ["currentLapNum", "u8"],
    /** 0 none, 1 pitting, 2 in the pit area. */
    ["pitStatus", "u8"],
    ["numPitStops", "u8"],
    /** From 0. */
    ["sector", "u8"],
    ["currentLapInvalid", "u8"],
    ["penalties", "u8", "s"],
    ["totalWarnings", "u8"],
    ["cornerCuttingWarnings", "u8"],
    ["numUnservedDriveThroughPens", "u8"],
    ["numUnservedStopGoPens", "u8"],
    ["gridPosition", "u8"],
    /** 0 garage, 1 flying lap, 2 in lap, 3 out lap, 4 on track. */
    ["driverStatus", "u8"],
    /** 2 active, 3 finished, more: out of the race. */
    ["resultStatus", "u8"],
    ["pitLaneTimerActive", "u8"],
    ["pitLaneTimeInLaneInMS", "u16", "ms"],
    ["pitStopTimerInMS", "u16", "ms"],
    ["pitStopShouldServePen", "u8"],
    ...when(format > 2023, speedTrap)
  ] as const

const lapTail = [
  ["timeTrialPBCarIdx", "u8"],
  ["timeTrialRivalCarIdx", "u8"]
] as const

const techLevel = [["techLevel", "u16"]] as const
const colours = [
  ["numColours", "u8"],
  ["liveryColours", 12]
] as const

const participant = (format: F1Format) => {
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
    ...when(format > 2023, techLevel),
    ["platform", "u8"],
    ...when(format > 2024, colours)
  ] as const
}

const carTelemetry = (format: F1Format) =>
  [
    ["speed", "u16", "km/h"],
    ["throttle", "f32"],
    ["steer", "f32"],
    ["brake", "f32"],
    ["clutch", "u8", "%"],
    ["gear", "i8"],
    ["engineRPM", "u16", "1/min"],
    ["drs", "u8"],
    ["revLightsPercent", "u8", "%"],
    ["revLightsBitValue", "u16"],
    ...each(wheels, "brakesTemperature", "u16", "°C"),
    ...each(wheels, "tyresSurfaceTemperature", "u8", "°C"),
    ...each(wheels, "tyresInnerTemperature", "u8", "°C"),
    ["engineTemperature", format === 2026 ? "u8" : "u16", "°C"],
    ...each(wheels, "tyresPressure", "f32", "psi"),
    ...each(wheels, "surfaceType", "u8")
  ] as const

const telemetryTail = [
  /** 255 where it is closed. */
  ["mfdPanelIndex", "u8"],
  ["mfdPanelIndexSecondaryPlayer", "u8"],
  ["suggestedGear", "i8"]
] as const

const harvestLimit = [["ersHarvestLimitPerLap", "f32", "J"]] as const

const carStatus = (format: F1Format) =>
  [
    ["tractionControl", "u8"],
    ["antiLockBrakes", "u8"],
    ["fuelMix", "u8"],
    ["frontBrakeBias", "u8", "%"],
    ["pitLimiterStatus", "u8"],
    ["fuelInTank", "f32", "kg"],
    ["fuelCapacity", "f32", "kg"],
    ["fuelRemainingLaps", "f32"],
    ["maxRPM", "u16", "1/min"],
    ["idleRPM", "u16", "1/min"],
    /** One more than the number of elements. */
    ["maxGears", "u8"],
    ["drsAllowed", "u8"],
    ["drsActivationDistance", "u16", "m"],
    ["actualTyreCompound", "u8"],
    ["visualTyreCompound", "u8"],
    ["tyresAgeLaps", "u8"],
    /** -1 unknown, 0 none, 1 green, 2 blue, 3 yellow. */
    ["vehicleFiaFlags", "i8"],
    ["enginePowerICE", "f32", "W"],
    ["enginePowerMGUK", "f32", "W"],
    ["ersStoreEnergy", "f32", "J"],
    ["ersDeployMode", "u8"],
    ["ersHarvestedThisLapMGUK", "f32", "J"],
    ["ersHarvestedThisLapMGUH", "f32", "J"],
    ...when(format === 2026, harvestLimit),
    ["ersDeployedThisLap", "f32", "J"],
    ["networkPaused", "u8"]
  ] as const

const blisters = each(wheels, "tyreBlisters", "u8", "%")

const carDamage = (format: F1Format) =>
  [
    ...each(wheels, "tyresWear", "f32", "%"),
    ...each(wheels, "tyresDamage", "u8", "%"),
    ...each(wheels, "brakesDamage", "u8", "%"),
    ...when(format > 2024, blisters),
    ["frontLeftWingDamage", "u8", "%"],
    ["frontRightWingDamage", "u8", "%"],
    ["rearWingDamage", "u8", "%"],
    ["floorDamage", "u8", "%"],
    ["diffuserDamage", "u8", "%"],
    ["sidepodDamage", "u8", "%"],
    ["drsFault", "u8"],
    ["ersFault", "u8"],
    ["gearBoxDamage", "u8", "%"],
    ["engineDamage", "u8", "%"],
    ["engineMGUHWear", "u8", "%"],
    ["engineESWear", "u8", "%"],
    ["engineCEWear", "u8", "%"],
    ["engineICEWear", "u8", "%"],
    ["engineMGUKWear", "u8", "%"],
    ["engineTCWear", "u8", "%"],
    ["engineBlown", "u8"],
    ["engineSeized", "u8"]
  ] as const

const motionEx2024 = [
  ["frontAeroHeight", "f32", "m"],
  ["rearAeroHeight", "f32", "m"],
  ["frontRollAngle", "f32", "rad"],
  ["rearRollAngle", "f32", "rad"],
  ["chassisYaw", "f32", "rad"]
] as const
const motionEx2025 = [
  ["chassisPitch", "f32", "rad"],
  ...each(wheels, "wheelCamber", "f32", "rad"),
  ...each(wheels, "wheelCamberGain", "f32", "rad")
] as const

/** For the player's car only. Its axes are x left, y up, z forward: right-handed, as the world's (by real packets). */
const motionEx = (format: F1Format) =>
  [
    ...each(wheels, "suspensionPosition", "f32", "mm"),
    ...each(wheels, "suspensionVelocity", "f32", "mm/s"),
    ...each(wheels, "suspensionAcceleration", "f32"),
    ...each(wheels, "wheelSpeed", "f32", "m/s"),
    ...each(wheels, "wheelSlipRatio", "f32"),
    ...each(wheels, "wheelSlipAngle", "f32", "rad"),
    ...each(wheels, "wheelLatForce", "f32", "N"),
    ...each(wheels, "wheelLongForce", "f32", "N"),
    ["heightOfCOGAboveGround", "f32", "m"],
    ...each(axes, "localVelocity", "f32", "m/s"),
    ...each(axes, "angularVelocity", "f32", "rad/s"),
    ...each(axes, "angularAcceleration", "f32"),
    ["frontWheelsAngle", "f32", "rad"],
    ...each(wheels, "wheelVertForce", "f32", "N"),
    ...when(format > 2023, motionEx2024),
    ...when(format > 2024, motionEx2025)
  ] as const

/** The tail is not read: rules of the session, and zones of the circuit. */
const session = (format: F1Format) =>
  [
    /** 0 clear, 1 light cloud, 2 overcast, 3 light rain, 4 heavy rain, 5 storm. */
    ["weather", "u8"],
    ["trackTemperature", "i8", "°C"],
    ["airTemperature", "i8", "°C"],
    ["totalLaps", "u8"],
    ["trackLength", "u16", "m"],
    ["sessionType", "u8"],
    /** -1 where it is unknown. */
    ["trackId", "i8"],
    ["formula", "u8"],
    ["sessionTimeLeft", "u16", "s"],
    ["sessionDuration", "u16", "s"],
    ["pitSpeedLimit", "u8", "km/h"],
    ["gamePaused", "u8"],
    ["isSpectating", "u8"],
    ["spectatorCarIndex", "u8"],
    ["sliProNativeSupport", "u8"],
    ["numMarshalZones", "u8"],
    ["marshalZones", 21 * 5],
    /** 0 none, 1 full, 2 virtual, 3 formation lap. */
    ["safetyCarStatus", "u8"],
    ["networkGame", "u8"],
    ["numWeatherForecastSamples", "u8"],
    ["weatherForecastSamples", (format === 2023 ? 56 : 64) * 8],
    ["forecastAccuracy", "u8"],
    ["aiDifficulty", "u8"],
    ["seasonLinkIdentifier", "u32"],
    ["weekendLinkIdentifier", "u32"],
    ["sessionLinkIdentifier", "u32"],
    ["pitStopWindowIdealLap", "u8"],
    ["pitStopWindowLatestLap", "u8"],
    ["pitStopRejoinPosition", "u8"],
    /** Steering, braking, gearbox, pit, pit release, ERS and DRS assists, racing line, its type, game mode, rules. */
    ["assistsAndRules", 11],
    ["timeOfDay", "u32", "min"],
    ["rest", { 2023: 8, 2024: 53, 2025: 53, 2026: 226 }[format]]
  ] as const

const event = [
  ["code", "text4"],
  ["buttonStatus", "u32"],
  ["details", 8]
] as const

const historyHead = [
  ["carIdx", "u8"],
  ["numLaps", "u8"],
  ["numTyreStints", "u8"],
  ["bestLapTimeLapNum", "u8"],
  ["bestSector1LapNum", "u8"],
  ["bestSector2LapNum", "u8"],
  ["bestSector3LapNum", "u8"]
] as const
const historyLap = [
  ["lapTimeInMS", "u32", "ms"],
  ...split("sector1Time"),
  ...split("sector2Time"),
  ...split("sector3Time"),
  /** Bit 0: the lap. */
  ["lapValidBitFlags", "u8"]
] as const

const carTelemetry2 = [
  ["activeAeroMode", "u8"],
  ["activeAeroAvailable", "u8"],
  ["activeAeroActivationDistance", "u16", "m"],
  ["overtakeAvailable", "u8"],
  ["overtakeActive", "u8"],
  ["overtakeActivationDistance", "u16", "m"],
  ["regulations2026Applicable", "u8"],
  ["isDrivingWrongWay", "u8"]
] as const

/** A packet: its header, the fields before its elements (cars or laps), the elements, and the fields behind them. */
export class PacketLayout<H extends Field = never, E extends Field = never, T extends Field = never> {
  readonly id: number
  readonly head: Struct<H>
  readonly element: Struct<E>
  readonly elements: number
  readonly tail: Struct<T>
  readonly tailAt: number
  /** The size of the datagram in bytes. */
  readonly size: number

  constructor(
    id: number,
    parts: {
      readonly head?: ReadonlyArray<H>
      readonly element?: ReadonlyArray<E>
      readonly elements?: number
      readonly tail?: ReadonlyArray<T>
    }
  ) {
    this.id = id
    this.head = new Struct<H>(parts.head ?? [])
    this.element = new Struct<E>(parts.element ?? [])
    this.elements = parts.elements ?? 0
    this.tail = new Struct<T>(parts.tail ?? [])
    this.tailAt = this.at(this.elements)
    this.size = this.tailAt + this.tail.size
  }

  /** Where the part about this car begins in the datagram. */
  ofCar(car: number): number {
    return this.elements === 0 ? HEADER_BYTES : this.at(car)
  }

  /** Where an element begins in the datagram. */
  at(index: number): number {
    return HEADER_BYTES + this.head.size + index * this.element.size
  }
}

export const HEADER_BYTES = header.size
export const headerStruct = header

/** The packet types of a format that are read. */
const packetsOf = (format: F1Format) => {
  const elements = format === 2026 ? 24 : 22
  return {
    motion: new PacketLayout(0, { element: motion(format), elements }),
    session: new PacketLayout(1, { head: session(format) }),
    lapData: new PacketLayout(2, { element: lapData(format), elements, tail: lapTail }),
    event: new PacketLayout(3, { head: event }),
    participants: new PacketLayout(4, {
      head: [["numActiveCars", "u8"]],
      element: participant(format),
      elements
    }),
    carTelemetry: new PacketLayout(6, { element: carTelemetry(format), elements, tail: telemetryTail }),
    carStatus: new PacketLayout(7, { element: carStatus(format), elements }),
    carDamage: new PacketLayout(10, { element: carDamage(format), elements }),
    // Eight tyre stints are not read.
    sessionHistory: new PacketLayout(11, {
      head: historyHead,
      element: historyLap,
      elements: 100,
      tail: [["tyreStints", 24] as const]
    }),
    motionEx: new PacketLayout(13, { head: motionEx(format) }),
    carTelemetry2: new PacketLayout(16, { element: carTelemetry2, elements })
  }
}

export type F1Packets = ReturnType<typeof packetsOf>
export type PacketName = keyof F1Packets

export interface Layout {
  readonly format: F1Format
  /** The number of car slots. */
  readonly cars: number
  /** The size of a datagram by packet id, also of types that are not read (section 3). */
  readonly sizes: ReadonlyArray<number | undefined>
  readonly packets: F1Packets
}

const layout = (format: F1Format, ...sizes: ReadonlyArray<number>): Layout => {
  const packets = packetsOf(format)
  return { format, cars: packets.motion.elements, sizes, packets }
}

const layouts: ReadonlyArray<Layout> = [
  layout(2023, 1349, 644, 1131, 45, 1306, 1107, 1352, 1239, 1020, 1218, 953, 1460, 231, 217),
  layout(2024, 1349, 753, 1285, 45, 1350, 1133, 1352, 1239, 1020, 1306, 953, 1460, 231, 237, 101),
  layout(2025, 1349, 753, 1285, 45, 1284, 1133, 1352, 1239, 1042, 954, 1041, 1460, 231, 273, 101, 1131),
  layout(2026, 1325, 926, 1399, 45, 1470, 1233, 1448, 1445, 1134, 1062, 1133, 1460, 231, 273, 104, 1231, 269)
]

export const layoutOf = (format: number): Layout | undefined => layouts[format - formats[0]]
