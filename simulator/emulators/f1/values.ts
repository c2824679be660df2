/** A frame in the games' units, axes and field names. */
import type { Vehicle } from "../../model/vehicles.ts"
import type { DrivenLap } from "../../model/lap.ts"
import type { Frame, Scene } from "../Emulator.ts"
import { inWorld, steeringIn, type World } from "../World.ts"
import type { FieldValues } from "./Struct.ts"

export const WORLD: World = {
  axes: "right-handed, y up",
  steering: "right",
  source: "f1-udp-2023-2026, sections 4.1 and 4.4; the axes by the directions in real packets of three games"
}

/** Directions are fractions of this. */
const UNIT = 32767
const ON_TRACK = 4
const ACTIVE = 2
const FINISHED = 3
/** Valid as a lap and in each sector. */
const ALL_VALID = 0x0f
const MEDIUM = 17
const CLOSED_PANEL = 255
const NOT_SET = 255

/** Sectors are cut to whole ms, so their sum may miss the lap's time: by 2 ms at most. */
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

const wheels = (name: string, value: number): FieldValues =>
  Object.fromEntries(["RL", "RR", "FL", "FR"].map((wheel) => [`${name}[${wheel}]`, value]))

/** Fields of the games' world, of a vector in our axes. */
const vector = (name: string, x: number, y: number, z: number): FieldValues => {
  const [worldX, worldY, worldZ] = inWorld(WORLD, x, y, z)
  return { [`${name}X`]: worldX, [`${name}Y`]: worldY, [`${name}Z`]: worldZ }
}

const unit = (share: number) => Math.round(share * UNIT)

export const motionValues = ({ heading, speed, x, y, z }: Frame): FieldValues => {
  const [ahead, aside] = [Math.cos(heading), Math.sin(heading)]
  const [forwardX, , forwardZ] = inWorld(WORLD, ahead, aside, 0)
  return {
    ...vector("worldPosition", x, y, z),
    ...vector("worldVelocity", (ahead * speed) / 3.6, (aside * speed) / 3.6, 0),
    ...vector("worldForwardDir", unit(ahead), unit(aside), 0),
    ...vector("worldRightDir", unit(aside), unit(-ahead), 0),
    gForceLateral: 0,
    gForceLongitudinal: 0,
    gForceVertical: 1,
    yaw: Math.atan2(forwardX, forwardZ),
    pitch: 0,
    roll: 0
  }
}

/**
 * Under the chequered flag the counter stays: the lap goes on, with its sectors and its clock, while the last lap's
 * time and the result have changed. A lap that will not count is shown as such from its second sector on.
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

const temperatures: FieldValues = {
  engineTemperature: 110,
  ...wheels("brakesTemperature", 480),
  ...wheels("tyresSurfaceTemperature", 92),
  ...wheels("tyresInnerTemperature", 97),
  ...wheels("tyresPressure", 23.5)
}

export const telemetryValues = (
  { brake, gear, rpm, speed, steering, throttle }: Frame,
  vehicle: Vehicle
): FieldValues => {
  const lights = Math.min(1, Math.max(0, (rpm / vehicle.shiftUp - 0.7) / 0.3))
  return {
    speed: Math.round(speed),
    throttle,
    steer: steeringIn(WORLD, steering),
    brake,
    clutch: 0,
    gear,
    engineRPM: Math.round(rpm),
    drs: 0,
    revLightsPercent: Math.round(lights * 100),
    revLightsBitValue: 2 ** Math.round(lights * 15) - 1,
    ...temperatures
  }
}

export const telemetryTail: FieldValues = {
  mfdPanelIndex: CLOSED_PANEL,
  mfdPanelIndexSecondaryPlayer: CLOSED_PANEL,
  suggestedGear: 0
}

export const statusValues = ({ lap }: Frame, vehicle: Vehicle): FieldValues => ({
  fuelMix: 1,
  frontBrakeBias: 55,
  fuelInTank: vehicle.fuel,
  fuelCapacity: vehicle.fuel,
  fuelRemainingLaps: 20,
  maxRPM: vehicle.shiftUp,
  idleRPM: vehicle.idle,
  // The games report one more than there are.
  maxGears: vehicle.ratios.length + 1,
  actualTyreCompound: MEDIUM,
  visualTyreCompound: MEDIUM,
  tyresAgeLaps: Math.min(255, lap.lapNumber - 1),
  enginePowerICE: vehicle.power
})

export const sessionValues = ({ circuit }: Scene, trackId: number, type: number): FieldValues => ({
  trackTemperature: 31,
  airTemperature: 24,
  totalLaps: 50,
  trackLength: Math.round(circuit.length),
  sessionType: type,
  trackId,
  sessionTimeLeft: 7200,
  sessionDuration: 7200,
  pitSpeedLimit: 80,
  spectatorCarIndex: NOT_SET
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
