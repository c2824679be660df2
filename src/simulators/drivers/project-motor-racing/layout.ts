/** The packets of Project Motor Racing (project-motor-racing.md, sections 1 to 4). Little endian, packed. */
import { each, Struct } from "../../packets/Struct.ts"
import { list } from "../../packets/parts.ts"
import { Sequence, since } from "../../packets/Sequence.ts"

export const PacketType = { raceInfo: 0, state: 1, telemetry: 2, stopped: 3 } as const

/** The start of all packets except the last type. Each type has its own version. */
const header = [
  ["type", "u8"],
  ["version", "u16"]
] as const

/** The fields that are known; a newer version has more at the end. */
export const VERSION = 2

export const raceInfo = new Sequence([
  ...header,
  ["track", "text"],
  ["layout", "text"],
  ["season", "text"],
  ["weather", "text"],
  ["session", "text"],
  ["gameMode", "text"],
  ["layoutLength", "f32", "m"],
  /** In laps where `isLaps`. */
  ["duration", "f32", "s"],
  ["overtime", "f32", "s"],
  ["ambientTemperature", "f32", "°C"],
  ["trackTemperature", "f32", "°C"],
  ["sessionTimeElapsed", "f32", "s", since(2)],
  ["trackGrip", "f32", undefined, since(2)],
  ["isLaps", "u8"],
  ["sessionIsLaps", "u8", undefined, since(2)],
  /** See `RaceState`. */
  ["state", "u8"],
  ["numParticipants", "u8"]
])

export const RaceState = { inactive: 0, active: 1, complete: 2 } as const

/** The state of one car. Sector times are durations. */
export const state = new Sequence([
  ...header,
  ["vehicleId", "i32"],
  ["isPlayer", "u8"],
  ["vehicleName", "text"],
  ["driverName", "text"],
  ["liveryId", "text"],
  ["vehicleClass", "text"],
  ["racePosition", "i32"],
  /** From 1; -1 once all are driven. */
  ["currentLap", "i32"],
  ["currentLapTime", "f32", "s"],
  ["bestLapTime", "f32", "s"],
  ["lastLapTime", "f32", "s", since(2)],
  /** 0 to 1. */
  ["lapProgress", "f32"],
  /** From 0. */
  ["currentSector", "i32"],
  ["currentSectorTimes", list("f32", "u8"), "s"],
  ["bestSectorTimes", list("f32", "u8"), "s"],
  ["lastSectorTimes", list("f32", "u8"), "s", since(2)],
  ["tyreCompoundFront", "text", undefined, since(2)],
  ["tyreCompoundRear", "text", undefined, since(2)],
  ["inPits", "u8"],
  ["inPitLane", "u8", undefined, since(2)],
  ["lapValid", "u8", undefined, since(2)],
  ["sessionFinished", "u8"],
  ["disqualified", "u8"],
  ["flags", "u32"],
  ["aeroDamage", "f32", undefined, since(2)],
  ["suspensionDamage", "f32", undefined, since(2)],
  ["engineDamage", "f32", undefined, since(2)]
])

const axes = ["X", "Y", "Z"] as const

const wheel = [
  ["material", "i32"],
  ["angularVelocity", "f32", "rad/s"],
  ["linearSpeed", "f32", "m/s"],
  ["slideX", "f32", "m/s"],
  ["slideY", "f32", "m/s"],
  ["slideZ", "f32", "m/s"],
  ["forceX", "f32", "N"],
  ["forceY", "f32", "N"],
  ["forceZ", "f32", "N"],
  ["momentX", "f32", "N m"],
  ["momentY", "f32", "N m"],
  ["momentZ", "f32", "N m"],
  ["contactRadius", "f32", "m"],
  /** kPa by one source, Pa by another. */
  ["pressure", "f32"],
  ["inclination", "f32", "rad"],
  ["slipRatio", "f32"],
  ["slipAngle", "f32", "rad"],
  /** Sources disagree on which edge is which. */
  ["edgeTemperature", "f32", "°C"],
  ["middleTemperature", "f32", "°C"],
  ["otherEdgeTemperature", "f32", "°C"],
  ["carcassTemperature", "f32", "°C"],
  ["internalAirTemperature", "f32", "°C"],
  ["wellAirTemperature", "f32", "°C"],
  ["rimTemperature", "f32", "°C"],
  ["brakeTemperature", "f32", "°C"],
  ["springStrain", "f32"],
  ["damperVelocity", "f32", "m/s"],
  ["hubTorque", "f32", "N m"],
  ["hubPower", "f32"],
  ["wheelTorque", "f32", "N m"],
  ["wheelPower", "f32"]
] as const

export const CORNERS = ["FL", "FR", "RL", "RR"] as const

/** For four wheels: each name is that of one wheel's field with the corner behind it. */
export const wheels = new Struct(
  CORNERS.flatMap((corner) => wheel.map(([name, type, unit]) => [`${name}${corner}`, type, unit] as const))
)

/** Local axes: x to a side, y up, z forward. */
export const body = new Struct([
  ...each(axes, "position", "f32", "m"),
  ...each(["X", "Y", "Z", "W"] as const, "orientation", "f32"),
  ...each(axes, "worldAngularVelocity", "f32", "rad/s"),
  ...each(axes, "localAngularVelocity", "f32", "rad/s"),
  ...each(axes, "worldVelocity", "f32", "m/s"),
  ...each(axes, "localVelocity", "f32", "m/s"),
  ...each(axes, "worldAcceleration", "f32", "m/s²"),
  ...each(axes, "localAcceleration", "f32", "m/s²"),
  ["overallSpeed", "f32", "m/s"],
  ["forwardSpeed", "f32", "m/s"],
  ["sideslip", "f32", "rad"],
  ["engineRPM", "f32", "1/min"],
  ["revRatio", "f32"],
  ["torque", "f32", "N m"],
  ["power", "f32", "kW"],
  ["load", "f32"],
  ["turboRPM", "f32", "1/min"],
  ["boost", "f32", "kPa"],
  ["fuelRemaining", "f32", "l"],
  ["fuelUseRate", "f32", "l/s"],
  ["oilPressure", "f32", "kPa"],
  ["oilTemperature", "f32", "°C"],
  ["coolantTemperature", "f32", "°C"],
  ["exhaustTemperature", "f32", "°C"],
  ["motorRPM", "f32", "1/min"],
  /** J by one source, kWh by another. */
  ["batteryRemaining", "f32"],
  ["batteryUseRate", "f32"],
  ["transmissionRPM", "f32", "1/min"],
  ["gearboxInputRPM", "f32", "1/min"],
  ["gearboxOutputRPM", "f32", "1/min"],
  ["gearboxTorque", "f32", "N m"],
  ["gearboxPower", "f32"],
  ["gearboxLoadIn", "f32"],
  ["gearboxLoadOut", "f32"],
  ["timeSinceShift", "f32", "s"],
  ["estimatedDrivenSpeed", "f32"],
  ["estimatedOutputTorque", "f32"],
  ["estimatedOutputPower", "f32"],
  ["estimatedEfficiency", "f32"],
  ["starterActive", "u8"],
  ["engineRunning", "u8"],
  ["fanRunning", "u8"],
  ["revLimiterActive", "u8"],
  ["tcActive", "u8"],
  ["limiterEnabled", "u8"],
  ["limiterActive", "u8"]
])

export const inputs = new Struct([
  ["steering", "f32"],
  ["accelerator", "f32"],
  ["brake", "f32"],
  ["clutch", "f32"],
  ["handbrake", "f32"],
  /** -1 reverse, 0 neutral. */
  ["gear", "i32"],
  ["brakeBias", "f32"],
  ["frontAntiRollBar", "f32"],
  ["rearAntiRollBar", "f32"],
  ["regenerationLimit", "f32"],
  ["deploymentLimit", "f32"],
  ["absLevel", "u8"],
  ["tcLevel", "u8"],
  ...each(axes, "centreOfGravity", "f32", "m"),
  ["steeringWheelAngle", "f32", "deg"],
  ["totalMass", "f32", "kg"],
  ["drivenWheelAngularVelocity", "f32", "rad/s"],
  ["nonDrivenWheelAngularVelocity", "f32", "rad/s"],
  ["estimatedRollingSpeed", "f32"],
  ["estimatedLinearSpeed", "f32"],
  ["totalBrakeForce", "f32", "N"],
  ["absActive", "u8"],
  ...each(["MinX", "MinY", "MinZ", "MaxX", "MaxY", "MaxZ"] as const, "box", "f32", "m"),
  ["starterIdleRPM", "f32", "1/min"],
  ["torquePeakRPM", "f32", "1/min"],
  ["powerPeakRPM", "f32", "1/min"],
  ["maxRPM", "f32", "1/min"],
  ["maxTorque", "f32", "N m"],
  ["maxPower", "f32", "kW"],
  ["maxBoost", "f32", "kPa"],
  ["fuelCapacity", "f32", "l"],
  ["batteryCapacity", "f32"],
  ["frontTrackWidth", "f32", "m"],
  ["rearTrackWidth", "f32", "m"],
  ["wheelbase", "f32", "m"],
  ["wheelCount", "u8"],
  ["forwardGears", "u8"],
  ["reverseGears", "u8"],
  ["isHybrid", "u8"]
])

/** Engine speeds for shifting. */
const gear = new Struct([
  ["upshiftRPM", "f32", "1/min"],
  ["downshiftRPM", "f32", "1/min"]
])

export const telemetry = new Sequence([
  ...header,
  ["vehicleId", "i32"],
  ["wheels", list(new Struct(wheel), "u8")],
  ["body", body],
  ["gears", list(gear, "u8")],
  ["averageLoads", list("f32", "u8")],
  ["averageLoadBias", "f32"],
  ["inputs", inputs]
])

/** Where the parts of a telemetry packet begin. */
export interface Places {
  readonly wheels: number
  readonly body: number
  readonly inputs: number
}

/** Undefined for a packet that is cut short, or has fewer than four wheels. */
export const placesIn = (bytes: Buffer): Places | undefined => {
  const places = telemetry.placesIn(bytes)
  if (places === undefined || bytes[places.wheels!]! < CORNERS.length) return undefined
  return { wheels: places.wheels! + 1, body: places.body!, inputs: places.inputs! }
}
