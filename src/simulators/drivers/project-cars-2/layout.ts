/**
 * Project CARS 2's packets as tables, by the names of the game's own definition (project-cars2-ams2-udp.md, sections 2 to 9).
 * Little endian, packed. World: y up, left-handed. Wheels: front left, front right, rear left, rear right.
 *
 * Over 250 lines: it is tables.
 */
import { at, each, Struct } from "../../packets/Struct.ts"

const axes = ["X", "Y", "Z"] as const
const wheels = ["FL", "FR", "RL", "RR"] as const

export const PacketType = {
  telemetry: 0,
  raceDefinition: 1,
  participants: 2,
  timings: 3,
  gameState: 4,
  timeStats: 7,
  vehicles: 8
} as const

/** The start of every packet. */
const base = [
  /** Counts all packets. */
  ["packetNumber", "u32"],
  /** Counts the packets of one type, by its name. */
  ["categoryPacketNumber", "u32"],
  /** From 1. */
  ["partialPacketIndex", "u8"],
  ["partialPacketNumber", "u8"],
  ["packetType", "u8"],
  ["packetVersion", "u8"]
] as const
export const basePacket = new Struct(base)

/** The viewed car, as the first release sends it. */
const telemetry = [
  ...base,
  ["viewedParticipantIndex", "i8"],
  ["unfilteredThrottle", "u8"],
  ["unfilteredBrake", "u8"],
  ["unfilteredSteering", "i8"],
  ["unfilteredClutch", "u8"],
  /** 8 pit limiter, 16 ABS. */
  ["carFlags", "u8"],
  ["oilTemp", "i16", "°C"],
  ["oilPressure", "u16", "kPa"],
  ["waterTemp", "i16", "°C"],
  ["waterPressure", "u16", "kPa"],
  ["fuelPressure", "u16", "kPa"],
  ["fuelCapacity", "u8", "l"],
  /** 0..255, as the throttle and the clutch. */
  ["brake", "u8"],
  ["throttle", "u8"],
  ["clutch", "u8"],
  /** 0..1. */
  ["fuelLevel", "f32"],
  ["speed", "f32", "m/s"],
  ["rpm", "u16", "1/min"],
  ["maxRpm", "u16", "1/min"],
  /** -127 left .. 127 right. */
  ["steering", "i8"],
  /** Low nibble: 0 neutral, 15 reverse; high nibble: the number of gears. */
  ["gearNumGears", "u8"],
  ["boostAmount", "u8"],
  ["crashState", "u8"],
  ["odometer", "f32", "km"],
  ...each(axes, "orientation", "f32", "rad"),
  ...each(axes, "localVelocity", "f32", "m/s"),
  ...each(axes, "worldVelocity", "f32", "m/s"),
  ...each(axes, "angularVelocity", "f32", "rad/s"),
  /** Without gravity. */
  ...each(axes, "localAcceleration", "f32", "m/s²"),
  ...each(axes, "worldAcceleration", "f32", "m/s²"),
  ...each(axes, "extentsCentre", "f32", "m"),
  /** 1 attached, 2 inflated, 4 on the ground. */
  ...each(wheels, "tyreFlags", "u8"),
  ...each(wheels, "terrain", "u8"),
  ...each(wheels, "tyreY", "f32", "m"),
  /** In rad/s, in spite of its name and the vendor's comment; negative when driving forward. */
  ...each(wheels, "tyreRPS", "f32", "rad/s"),
  ...each(wheels, "tyreTemp", "u8", "°C"),
  ...each(wheels, "tyreHeightAboveGround", "f32", "m"),
  /** 0 new .. 255. */
  ...each(wheels, "tyreWear", "u8"),
  ...each(wheels, "brakeDamage", "u8"),
  ...each(wheels, "suspensionDamage", "u8"),
  ...each(wheels, "brakeTemp", "i16", "°C"),
  ...each(wheels, "tyreTreadTemp", "u16", "K"),
  ...each(wheels, "tyreLayerTemp", "u16", "K"),
  ...each(wheels, "tyreCarcassTemp", "u16", "K"),
  ...each(wheels, "tyreRimTemp", "u16", "K"),
  ...each(wheels, "tyreInternalAirTemp", "u16", "K"),
  /** °C by the shared memory; K is not excluded. */
  ...each(wheels, "tyreTempLeft", "u16"),
  ...each(wheels, "tyreTempCenter", "u16"),
  ...each(wheels, "tyreTempRight", "u16"),
  ...each(wheels, "wheelLocalPositionY", "f32", "m"),
  /** m or cm: sources disagree. */
  ...each(wheels, "rideHeight", "f32"),
  ...each(wheels, "suspensionTravel", "f32", "m"),
  ...each(wheels, "suspensionVelocity", "f32", "m/s"),
  ...each(wheels, "suspensionRideHeight", "u16"),
  ...each(wheels, "airPressure", "u16", "kPa"),
  ["engineSpeed", "f32", "rad/s"],
  ["engineTorque", "f32", "N m"],
  ["wingFront", "u8"],
  ["wingRear", "u8"],
  /** 0..255, as the damages. */
  ["handBrake", "u8"],
  ["aeroDamage", "u8"],
  ["engineDamage", "u8"],
  ["joyPad", "u32"],
  ["dPad", "u8"],
  ...each(wheels, "tyreCompound", "text40")
] as const

/** The fields that later builds add. */
const position = [
  ["turboBoostPressure", "f32"],
  ...each(axes, "fullPosition", "f32", "m"),
  ["brakeBias", "u8"]
] as const
const tick = [["tickCount", "u32", "ms"]] as const

type TelemetryField = (typeof telemetry | typeof position | typeof tick)[number]
/** For any build: a missing field has no reader. */
export type TelemetryPacket = Struct<TelemetryField>

export const builds: readonly [TelemetryPacket, TelemetryPacket, TelemetryPacket] = [
  new Struct<TelemetryField>([...telemetry, ...position, ...tick]),
  new Struct<TelemetryField>([...telemetry, ...position]),
  new Struct<TelemetryField>(telemetry)
]

/** The build of a telemetry packet that is at least as long as the first release's. */
export const telemetryOf = ({ length }: Buffer): TelemetryPacket =>
  builds.find(({ size }) => size <= length) ?? builds[2]

/** Times in s, -1 for none. */
export const raceDefinition = new Struct([
  ...base,
  ["worldFastestLap", "f32", "s"],
  ["personalFastestLap", "f32", "s"],
  ...each(["1", "2", "3"], "personalFastestSector", "f32", "s"),
  ...each(["1", "2", "3"], "worldFastestSector", "f32", "s"),
  ["trackLength", "f32", "m"],
  ["trackLocation", "text64"],
  ["trackVariation", "text64"],
  ["translatedTrackLocation", "text64"],
  ["translatedTrackVariation", "text64"],
  /** Top bit: in units of five minutes; otherwise laps. */
  ["lapsTimeInEvent", "u16"],
  ["enforcedPitStopLap", "i8"],
  ["padding", 1]
])

export const NAMES_A_PACKET = 16
const indexes = Array.from({ length: NAMES_A_PACKET }, (_, n) => `${n}`)
export const participants = new Struct([
  ...base,
  ["changedTimestamp", "u32"],
  ...each(indexes, "name", "text64"),
  ...each(indexes, "nationality", "u32"),
  ...each(indexes, "index", "u16")
])

/** The fields around the participants. Times in s, -1 for none. */
export const timings = new Struct([
  ...base,
  /** -1 for none. */
  ["numParticipants", "i8"],
  ["participantsChangedTimestamp", "u32"],
  ["eventTimeRemaining", "f32", "s"],
  ["splitTimeAhead", "f32", "s"],
  ["splitTimeBehind", "f32", "s"],
  ["splitTime", "f32", "s"],
  ...at(1057, [["localParticipantIndex", "u16"]])
])
/** Missing in older builds. */
export const timingsTick = new Struct([["tickCount", "u32", "ms", 1059]])

/** One participant of a timings packet, from `participantAt`. */
export const participant = new Struct([
  /** In coarse units. */
  ...each(axes, "worldPosition", "i16", "m"),
  ...each(axes, "orientation", "i16"),
  /** Since the line. */
  ["currentLapDistance", "u16", "m"],
  /** Top bit: active. */
  ["racePosition", "u8"],
  /** The low three bits; the others refine the positions. */
  ["sector", "u8"],
  ["highestFlag", "u8"],
  /** Low three bits: the pit mode. */
  ["pitModeSchedule", "u8"],
  /** The index into the names of vehicles, or `NO_VEHICLE`; top bit: human. */
  ["carIndex", "u16"],
  /** The low three bits; top bit: the lap is invalid. */
  ["raceState", "u8"],
  /** From 1. */
  ["currentLap", "u8"],
  /** -1 for none. */
  ["currentTime", "f32", "s"],
  ["currentSectorTime", "f32", "s"],
  ["mpParticipantIndex", "u16"]
])

/** The index of the player's own vehicle in Automobilista 2, which names the others' only. */
export const NO_VEHICLE = 0x7fff

/** One participant of a time stats packet, from `statsAt`; -1 for none. */
export const stats = new Struct([
  ["fastestLap", "f32", "s"],
  ["lastLap", "f32", "s"],
  ["lastSector", "f32", "s"],
  ...each(["1", "2", "3"], "fastestSector", "f32", "s"),
  ["onlineRating", "u32"],
  ["mpParticipantIndex", "u16"],
  ["padding", 2]
])

export const MAX_PARTICIPANTS = 32
export const participantAt = (index: number): number => 33 + participant.size * index
export const statsAt = (index: number): number => 16 + stats.size * index

export const VEHICLES_AT = 12
export const VEHICLES_A_PACKET = 16
export const vehicle = new Struct([
  ["index", "u16"],
  ["padding", 2],
  ["class", "u32"],
  ["name", "text64"]
])
export const vehicleClass = new Struct([
  ["index", "u32"],
  ["name", "text20"]
])
/** From here on a packet of type 8 has classes, and no vehicles. */
export const CLASSES_BYTES = VEHICLES_AT + 60 * vehicleClass.size

export const gameState = new Struct([
  ...base,
  ["buildVersion", "u16"],
  /** Bits 0 to 2: the game's state; bits 4 to 6: the session's, on which sources disagree: a value above `last` counts as none. */
  ["state", "u8"],
  ["ambientTemperature", "i8", "°C"],
  ["trackTemperature", "i8", "°C"],
  /** 0..255. */
  ["rainDensity", "u8"],
  ["snowDensity", "u8"],
  ["windSpeed", "i8"],
  ["windDirectionX", "i8"],
  ["windDirectionY", "i8"],
  ["padding", 2]
])

/** The minimum size of a packet of each type: builds differ, and later ones only add fields. */
export const leastBytes: ReadonlyMap<number, number> = new Map([
  [PacketType.telemetry, builds[2].size],
  [PacketType.raceDefinition, raceDefinition.size],
  [PacketType.participants, participants.size],
  [PacketType.timings, timings.size],
  [PacketType.gameState, gameState.size],
  [PacketType.timeStats, statsAt(MAX_PARTICIPANTS)],
  [PacketType.vehicles, VEHICLES_AT + vehicle.size * VEHICLES_A_PACKET]
])

export const GameState = {
  exited: 0,
  frontEnd: 1,
  playing: 2,
  paused: 3,
  /** A menu during which the car drives on. */
  menuInTime: 4,
  restarting: 5,
  replay: 6,
  frontEndReplay: 7
} as const

export const SessionState = { formationLap: 4, race: 5, last: 6 } as const

export const RaceState = { invalid: 0, notStarted: 1, racing: 2, finished: 3 } as const
