/** Project Motor Racing's packets (project-motor-racing.md, sections 2 to 4). */
import {
  body,
  CORNERS,
  PacketType,
  raceInfo,
  RaceState,
  state,
  telemetry
} from "../../../src/simulators/drivers/project-motor-racing/layout.ts"
import { GRAVITY } from "../../model/forces.ts"
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import type { Frame, Scene } from "../Emulator.ts"
import { positionOf, radians, vectorsIn, velocityOf } from "../values.ts"
import { steeringIn, type World } from "../World.ts"

export const WORLD: World = {
  axes: "right-handed, y up",
  steering: "right",
  source:
    "project-motor-racing, section 5: right-handed by one source, the sign of the steering by nobody; no real packets are known"
}

export type Version = 1 | 2

/** Numbers of the participants. */
export const PLAYER = 7
export const RIVALS = [3, 12] as const

const ROAD = 0x19_1ed
const FLAGS = { none: 0, chequered: 1 } as const

const vector = vectorsIn(WORLD)

export const stopped = (): Buffer => Buffer.from([PacketType.stopped])

export const raceInfoOf = (
  { circuit }: Scene,
  version: Version,
  { finished, sessionTime, carValue }: Frame
): Buffer =>
  raceInfo.encode({
    type: PacketType.raceInfo,
    version,
    track: circuit.name,
    layout: "GP",
    season: "summer",
    weather: "hot",
    session: "Race",
    gameMode: "Single Race",
    layoutLength: circuit.length,
    duration: 3,
    overtime: 0,
    ambientTemperature: carValue("air_temperature"),
    trackTemperature: carValue("track_temperature"),
    sessionTimeElapsed: sessionTime,
    trackGrip: 0.97,
    isLaps: 1,
    sessionIsLaps: 1,
    state: finished ? RaceState.complete : RaceState.active,
    numParticipants: 1 + RIVALS.length
  })

/** `shown`: the last reported lap. */
export const stateOf = (
  { circuit, driver, vehicle }: Scene,
  version: Version,
  frame: Frame,
  vehicleId: number,
  shown: Frame["lastLap"]
): Buffer => {
  const { bestLap, finished, lap, lapDistance, lapTime, sector } = frame
  const isPlayer = vehicleId === PLAYER
  const [first, second] = lap.sectors
  const since = sector === 0 ? lapTime : sector === 1 ? lapTime - first : lapTime - first - second
  return state.encode({
    type: PacketType.state,
    version,
    vehicleId,
    isPlayer: isPlayer ? 1 : 0,
    vehicleName: isPlayer ? vehicle.name : "Another car",
    driverName: isPlayer ? driver : `Rival ${vehicleId}`,
    liveryId: "livery_01",
    vehicleClass: "GT3",
    racePosition: isPlayer ? 1 : 2 + RIVALS.findIndex((one) => one === vehicleId),
    currentLap: finished ? -1 : lap.lapNumber,
    currentLapTime: lapTime,
    bestLapTime: bestLap ?? 0,
    lastLapTime: shown?.lapTime ?? 0,
    lapProgress: lapDistance / circuit.length,
    currentSector: sector,
    currentSectorTimes: [first, second, 0].map((time, n) => (n < sector ? time : n === sector ? since : 0)),
    bestSectorTimes: [0, 0, 0],
    lastSectorTimes: shown === undefined ? [0, 0, 0] : [...shown.sectors],
    tyreCompoundFront: "Slick M",
    tyreCompoundRear: "Slick M",
    inPits: 0,
    inPitLane: 0,
    // A car that left the track did so somewhere on the way.
    lapValid: lap.valid || lapDistance < circuit.length / 2 ? 1 : 0,
    sessionFinished: finished ? 1 : 0,
    disqualified: 0,
    flags: finished ? FLAGS.chequered : FLAGS.none,
    aeroDamage: 0,
    suspensionDamage: 0,
    engineDamage: 0
  })
}

/** A wheel's value by the sheet's names. */
const wheelOf = ({ carValue }: Frame, corner: (typeof CORNERS)[number]): FieldValues => {
  const of = (channel: string) => carValue(`${channel}_${corner.toLowerCase()}`)
  return {
    material: ROAD,
    angularVelocity: of("wheel_rotation"),
    linearSpeed: of("wheel_speed") / 3.6,
    forceY: of("wheel_load"),
    pressure: of("tyre_pressure"),
    slipRatio: of("slip_ratio"),
    slipAngle: radians(of("slip_angle")),
    edgeTemperature: of("tyre_surface_temperature") + 2,
    middleTemperature: of("tyre_surface_temperature"),
    otherEdgeTemperature: of("tyre_surface_temperature") - 2,
    carcassTemperature: of("tyre_temperature"),
    internalAirTemperature: of("tyre_temperature") - 8,
    rimTemperature: of("tyre_temperature") - 15,
    brakeTemperature: of("brake_temperature"),
    damperVelocity: of("suspension_velocity") / 1000
  }
}

/** Local axes are x left by the only source for them, y up, z forward. */
const bodyOf = (frame: Frame): FieldValues => {
  const { rpm, speed, carValue } = frame
  return {
    ...vector("position", positionOf(frame)),
    orientationW: 1,
    localAngularVelocityY: -radians(carValue("yaw_rate")),
    ...vector("worldVelocity", velocityOf(frame)),
    localVelocityX: -carValue("velocity_right"),
    localVelocityY: carValue("velocity_up"),
    localVelocityZ: carValue("velocity_forward"),
    localAccelerationX: -carValue("g_lateral") * GRAVITY,
    localAccelerationY: carValue("g_vertical") * GRAVITY,
    localAccelerationZ: carValue("g_longitudinal") * GRAVITY,
    overallSpeed: speed / 3.6,
    forwardSpeed: carValue("velocity_forward"),
    engineRPM: rpm,
    revRatio: carValue("engine_speed_fraction"),
    torque: carValue("engine_torque"),
    power: carValue("engine_power"),
    fuelRemaining: carValue("fuel"),
    oilPressure: carValue("oil_pressure"),
    oilTemperature: carValue("oil_temperature"),
    coolantTemperature: carValue("water_temperature"),
    engineRunning: 1
  }
}

const inputsOf = ({ vehicle }: Scene, { brake, gear, steering, throttle }: Frame): FieldValues => {
  const { fuel, idle, ratios, shiftUp } = vehicle
  return {
    steering: steeringIn(WORLD, steering),
    accelerator: throttle,
    brake,
    gear,
    brakeBias: 0.58,
    absLevel: 2,
    tcLevel: 3,
    totalMass: 1300,
    starterIdleRPM: idle,
    maxRPM: shiftUp * 1.04,
    fuelCapacity: fuel,
    wheelCount: CORNERS.length,
    forwardGears: ratios.length,
    reverseGears: 1
  }
}

/** The player's. */
export const telemetryOf = (scene: Scene, frame: Frame): Buffer => {
  const { ratios, shiftUp } = scene.vehicle
  return telemetry.encode({
    type: PacketType.telemetry,
    version: 2,
    vehicleId: PLAYER,
    wheels: CORNERS.map((corner) => wheelOf(frame, corner)),
    body: bodyOf(frame),
    gears: ratios.map(() => ({ upshiftRPM: shiftUp, downshiftRPM: shiftUp * 0.6 })),
    averageLoads: [0, 0, 0],
    averageLoadBias: 0,
    inputs: inputsOf(scene, frame)
  })
}

/** The same packet for a rival, who drives some metres to the side. */
export const telemetryOfRival = (player: Buffer, { x, y, z }: Frame, vehicleId: number): Buffer => {
  const bytes = Buffer.from(player)
  const places = telemetry.placesIn(bytes)!
  bytes.writeInt32LE(vehicleId, places.vehicleId)
  body.write(bytes, places.body!, vector("position", [x + vehicleId, y, z]))
  return bytes
}
