/** Converts a frame to the games' units, axes and field names. */
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { axesOf } from "../../model/axesOf.ts"
import { isFront } from "../../model/chassis.ts"
import type { DrivenLap } from "../../model/lap.ts"
import type { Vehicle } from "../../model/vehicles.ts"
import { BRAKE_BIAS } from "../../model/wear.ts"
import type { Frame, Scene } from "../Emulator.ts"
import { ofWheels, positionOf, radians, vectorsIn, velocityOf } from "../values.ts"
import { inWorld, steeringIn, type World } from "../World.ts"

export const WORLD: World = {
  axes: "right-handed, y up",
  steering: "right",
  source: "f1-udp-2023-2026, sections 4.1 and 4.4; the axes by the directions in real packets of three games"
}

/** The packets' unit of directions. */
const UNIT = 32767
const ON_TRACK = 4
const ACTIVE = 2
const FINISHED = 3
/** The lap and each of its sectors are valid. */
const ALL_VALID = 0x0f
const MEDIUM = 17
const CLOSED_PANEL = 255
const NOT_SET = 255
const KPA_OF_PSI = 6.894757
const TOTAL_LAPS = 50
const DURATION_S = 7200
/** The session begins at three in the afternoon, in minutes after midnight. */
const START_MIN = 15 * 60
/** Degrees. */
const FRONT_CAMBER = -3
const REAR_CAMBER = -1.5
const COG_M = 0.3
/** J and W: the store, the energy used and recovered in a lap, the share recovered by braking, and the greatest power. */
const ERS = { store: 3.5e6, deployed: 2.2e6, kinetic: 0.6, power: 120_000 }
/** DRS is open above this speed, km/h. */
const DRS_FROM = 240
const drsIn = (throttle: number, speed: number) => (throttle === 1 && speed > DRS_FROM ? 1 : 0)

/** Sectors are cut to whole ms, so their sum may be up to 2 ms below the lap's time. */
const MAX_CUT_MS = 2
const cutMs = (seconds: number) => Math.floor(seconds * 1000 + 1e-6)
export const lapMs = ({ lapTime }: DrivenLap): number => Math.round(lapTime * 1000)

export const sectorsMs = (lap: DrivenLap): readonly [number, number, number] => {
  const [one, two, three] = lap.sectors
  const left = lapMs(lap) - cutMs(one) - cutMs(two)
  return [cutMs(one), cutMs(two), Math.max(cutMs(three), left - MAX_CUT_MS)]
}

const split = (sector: 1 | 2 | 3, ms: number): FieldValues => ({
  [`sector${sector}TimeMSPart`]: ms % 60_000,
  [`sector${sector}TimeMinutesPart`]: Math.floor(ms / 60_000)
})

/** Endings of the wheels' names. */
const ENDS = ["[FL]", "[FR]", "[RL]", "[RR]"] as const

const vector = vectorsIn(WORLD)
const unit = (share: number) => Math.round(share * UNIT)

/** `force`: the format's unit for one g. */
export const motionValues = (frame: Frame, force: (g: number) => number): FieldValues => {
  const { carValue } = frame
  const [right, forward] = axesOf(carValue)
  const [forwardX, , forwardZ] = inWorld(WORLD, ...forward)
  return {
    ...vector("worldPosition", positionOf(frame)),
    ...vector("worldVelocity", velocityOf(frame)),
    ...vector("worldForwardDir", [unit(forward[0]), unit(forward[1]), unit(forward[2])]),
    ...vector("worldRightDir", [unit(right[0]), unit(right[1]), unit(right[2])]),
    // To the left.
    gForceLateral: force(-carValue("g_lateral")),
    gForceLongitudinal: force(carValue("g_longitudinal")),
    gForceVertical: force(carValue("g_vertical")),
    yaw: Math.atan2(forwardX, forwardZ),
    pitch: -radians(carValue("pitch")),
    roll: radians(carValue("roll"))
  }
}

/** The car's own axes: x left, y up, z forward. */
export const motionExValues = (frame: Frame): FieldValues => {
  const { carValue } = frame
  return {
    ...ofWheels(ENDS, frame, (of, wheel) => ({
      suspensionPosition: of("suspension_travel"),
      suspensionVelocity: of("suspension_velocity"),
      wheelSpeed: of("wheel_speed") / 3.6,
      wheelSlipRatio: of("slip_ratio"),
      wheelSlipAngle: -radians(of("slip_angle")),
      wheelLatForce: -carValue("g_lateral") * of("wheel_load"),
      wheelLongForce: carValue("g_longitudinal") * of("wheel_load"),
      wheelVertForce: of("wheel_load"),
      wheelCamber: radians(isFront(wheel) ? FRONT_CAMBER : REAR_CAMBER)
    })),
    heightOfCOGAboveGround: COG_M,
    localVelocityX: -carValue("velocity_right"),
    localVelocityY: carValue("velocity_up"),
    localVelocityZ: carValue("velocity_forward"),
    angularVelocityX: -radians(carValue("pitch_rate")),
    angularVelocityY: -radians(carValue("yaw_rate")),
    angularVelocityZ: radians(carValue("roll_rate")),
    frontAeroHeight: carValue("ride_height_front") / 1000,
    rearAeroHeight: carValue("ride_height_rear") / 1000
  }
}

/**
 * After the chequered flag the counter of laps stays: the lap goes on, with its sectors and its clock, while the last lap's time
 * and the result change. A lap that will not count is marked from its second sector on.
 */
export const lapValues = (frame: Frame, length: number): FieldValues => {
  const { finished, lapDistance, lapTime, lastLap, sector } = frame
  const stays = finished && lastLap !== undefined
  const lap = stays ? lastLap : frame.lap
  const passed = stays ? 2 : sector
  return {
    lastLapTimeInMS: lastLap === undefined ? 0 : lapMs(lastLap),
    currentLapTimeInMS: cutMs(lapTime) + (stays ? lapMs(lap) : 0),
    ...split(1, passed >= 1 ? sectorsMs(lap)[0] : 0),
    ...split(2, passed >= 2 ? sectorsMs(lap)[1] : 0),
    lapDistance,
    totalDistance: (frame.lap.lapNumber - 1) * length + lapDistance,
    currentLapNum: lap.lapNumber,
    sector: passed,
    currentLapInvalid: lap.valid || passed === 0 ? 0 : 1,
    driverStatus: ON_TRACK,
    resultStatus: finished ? FINISHED : ACTIVE,
    speedTrapFastestLap: NOT_SET
  }
}

export const lapTail: FieldValues = { timeTrialPBCarIdx: NOT_SET, timeTrialRivalCarIdx: NOT_SET }

export const telemetryValues = (frame: Frame, vehicle: Vehicle): FieldValues => {
  const { brake, gear, rpm, speed, steering, throttle, carValue } = frame
  const lights = Math.min(1, Math.max(0, (rpm / vehicle.shiftUp - 0.7) / 0.3))
  return {
    speed: Math.round(speed),
    throttle,
    steer: steeringIn(WORLD, steering),
    brake,
    clutch: 0,
    gear,
    engineRPM: Math.round(rpm),
    drs: drsIn(throttle, speed),
    revLightsPercent: Math.round(lights * 100),
    revLightsBitValue: 2 ** Math.round(lights * 15) - 1,
    engineTemperature: Math.round(carValue("water_temperature")),
    ...ofWheels(ENDS, frame, (of) => ({
      brakesTemperature: Math.round(of("brake_temperature")),
      tyresSurfaceTemperature: Math.round(of("tyre_surface_temperature")),
      tyresInnerTemperature: Math.round(of("tyre_temperature")),
      tyresPressure: of("tyre_pressure") / KPA_OF_PSI,
      surfaceType: 0
    }))
  }
}

export const telemetryTail: FieldValues = {
  mfdPanelIndex: CLOSED_PANEL,
  mfdPanelIndexSecondaryPlayer: CLOSED_PANEL,
  suggestedGear: 0
}

export const statusValues = (
  { lap, lapDistance, speed, throttle, carValue }: Frame,
  { circuit, vehicle }: Scene
): FieldValues => {
  const share = lapDistance / circuit.length
  const toGo = TOTAL_LAPS - (lap.lapNumber - 1) - share
  // Energy that is used early in a lap is recovered by its end.
  const deployed = ERS.deployed * share
  const harvested = ERS.deployed * share ** 2
  return {
    tractionControl: 0,
    antiLockBrakes: 0,
    fuelMix: 1,
    frontBrakeBias: Math.round(BRAKE_BIAS * 100),
    pitLimiterStatus: 0,
    fuelInTank: carValue("fuel_mass"),
    fuelCapacity: vehicle.fuel,
    // Laps that the fuel lasts beyond the end of the race.
    fuelRemainingLaps: carValue("fuel_laps") - toGo,
    maxRPM: vehicle.shiftUp,
    idleRPM: vehicle.idle,
    // The games report one more than exists.
    maxGears: vehicle.ratios.length + 1,
    drsAllowed: drsIn(throttle, speed),
    actualTyreCompound: MEDIUM,
    visualTyreCompound: MEDIUM,
    tyresAgeLaps: Math.min(255, lap.lapNumber - 1),
    enginePowerICE: carValue("engine_power") * 1000,
    enginePowerMGUK: throttle * ERS.power,
    ersStoreEnergy: ERS.store - deployed + harvested,
    ersDeployMode: 1,
    ersHarvestedThisLapMGUK: harvested * ERS.kinetic,
    ersHarvestedThisLapMGUH: harvested * (1 - ERS.kinetic),
    ersHarvestLimitPerLap: ERS.store,
    ersDeployedThisLap: deployed
  }
}

export const damageValues = (frame: Frame): FieldValues =>
  ofWheels(ENDS, frame, (of) => ({ tyresWear: of("tyre_wear") * 100 }))

export const sessionValues = (
  { sessionTime, carValue }: Frame,
  { circuit }: Scene,
  trackId: number,
  type: number
): FieldValues => ({
  trackTemperature: Math.round(carValue("track_temperature")),
  airTemperature: Math.round(carValue("air_temperature")),
  totalLaps: TOTAL_LAPS,
  trackLength: Math.round(circuit.length),
  sessionType: type,
  trackId,
  sessionTimeLeft: Math.max(0, Math.ceil(DURATION_S - sessionTime)),
  sessionDuration: DURATION_S,
  pitSpeedLimit: 80,
  spectatorCarIndex: NOT_SET,
  timeOfDay: START_MIN + Math.floor(sessionTime / 60)
})

export const pastLapValues = (lap: DrivenLap): FieldValues => ({
  lapTimeInMS: lapMs(lap),
  ...split(1, sectorsMs(lap)[0]),
  ...split(2, sectorsMs(lap)[1]),
  ...split(3, sectorsMs(lap)[2]),
  lapValidBitFlags: lap.valid ? ALL_VALID : 0
})

export const openLapValues = ({ lap, sector }: Frame): FieldValues => ({
  lapTimeInMS: 0,
  ...split(1, sector >= 1 ? sectorsMs(lap)[0] : 0),
  ...split(2, sector >= 2 ? sectorsMs(lap)[1] : 0),
  ...split(3, 0),
  lapValidBitFlags: lap.valid || sector === 0 ? ALL_VALID : 0
})
