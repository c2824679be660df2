/** Project Motor Racing's packets (project-motor-racing.md, sections 2 to 4). */
import {
  body,
  CORNERS,
  GEAR_BYTES,
  header,
  inputs,
  LOAD_BYTES,
  PacketType,
  raceInfo,
  RaceState,
  state,
  telemetry,
  wheels
} from "../../../src/simulators/drivers/project-motor-racing/layout.ts"
import { GRAVITY } from "../../model/forces.ts"
import type { Frame, Scene } from "../Emulator.ts"
import { inWorld, steeringIn, type World } from "../World.ts"

export const WORLD: World = {
  axes: "right-handed, y up",
  steering: "right",
  source:
    "project-motor-racing, section 5: right-handed by one source, the sign of the steering by nobody; no real packets are known"
}

export type Version = 1 | 2

/** Numbers of those who take part. */
export const PLAYER = 7
export const RIVALS = [3, 12] as const

const LOADS = 3
const ROAD = 0x19_1ed
const FLAGS = { none: 0, chequered: 1 } as const

const radians = (degrees: number) => (degrees * Math.PI) / 180

const headerOf = (type: number, version: number): Buffer => {
  const bytes = Buffer.alloc(header.size)
  header.write(bytes, 0, { type, version })
  return bytes
}

export const stopped = (): Buffer => Buffer.from([PacketType.stopped])

export const raceInfoOf = (
  { circuit }: Scene,
  version: Version,
  { finished, sessionTime, told }: Frame
): Buffer =>
  Buffer.concat([
    headerOf(PacketType.raceInfo, version),
    raceInfo.write(version, {
      track: circuit.name,
      layout: "GP",
      season: "summer",
      weather: "hot",
      session: "Race",
      gameMode: "Single Race",
      layoutLength: circuit.length,
      duration: 3,
      overtime: 0,
      ambientTemperature: told("air_temperature"),
      trackTemperature: told("track_temperature"),
      sessionTimeElapsed: sessionTime,
      trackGrip: 0.97,
      isLaps: 1,
      sessionIsLaps: 1,
      state: finished ? RaceState.complete : RaceState.active,
      numParticipants: 1 + RIVALS.length
    })
  ])

/** `shown`: the last lap that is told of. */
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
  return Buffer.concat([
    headerOf(PacketType.state, version),
    state.write(version, {
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
      // Who left the track did so somewhere on the way.
      lapValid: lap.valid || lapDistance < circuit.length / 2 ? 1 : 0,
      sessionFinished: finished ? 1 : 0,
      disqualified: 0,
      flags: finished ? FLAGS.chequered : FLAGS.none,
      aeroDamage: 0,
      suspensionDamage: 0,
      engineDamage: 0
    })
  ])
}

export class TelemetryPackets {
  readonly #scene: Scene
  readonly #bodyAt = telemetry.size + wheels.size
  readonly #loadsAt: number
  readonly #inputsAt: number
  readonly #bytes: Buffer

  constructor(scene: Scene) {
    this.#scene = scene
    this.#loadsAt = this.#bodyAt + body.size + GEAR_BYTES * scene.vehicle.ratios.length
    this.#inputsAt = this.#loadsAt + 1 + LOAD_BYTES * (LOADS + 1)
    this.#bytes = Buffer.alloc(this.#inputsAt + inputs.size)
  }

  /** The player's; overwritten by the next. */
  ofPlayer(frame: Frame): Buffer {
    const bytes = this.#bytes.fill(0)
    telemetry.write(bytes, 0, {
      type: PacketType.telemetry,
      version: 2,
      vehicleId: PLAYER,
      numWheels: CORNERS.length
    })
    for (const corner of CORNERS) this.#wheel(frame, corner)
    this.#body(frame)
    this.#gears()
    this.#inputs(frame)
    return bytes
  }

  /** The same of a rival, who drives some metres beside. Overwrites the player's. */
  ofRival({ x, y, z }: Frame, vehicleId: number): Buffer {
    const [positionX, positionY, positionZ] = inWorld(WORLD, x + vehicleId, y, z)
    telemetry.write(this.#bytes, 0, { vehicleId })
    body.write(this.#bytes, this.#bodyAt, { positionX, positionY, positionZ })
    return this.#bytes
  }

  #wheel({ told }: Frame, corner: (typeof CORNERS)[number]): void {
    const of = (channel: string) => told(`${channel}_${corner.toLowerCase()}`)
    wheels.write(this.#bytes, telemetry.size, {
      [`material${corner}`]: ROAD,
      [`angularVelocity${corner}`]: of("wheel_rotation"),
      [`linearSpeed${corner}`]: of("wheel_speed") / 3.6,
      [`forceY${corner}`]: of("wheel_load"),
      [`pressure${corner}`]: of("tyre_pressure"),
      [`slipRatio${corner}`]: of("slip_ratio"),
      [`slipAngle${corner}`]: radians(of("slip_angle")),
      [`edgeTemperature${corner}`]: of("tyre_surface_temperature") + 2,
      [`middleTemperature${corner}`]: of("tyre_surface_temperature"),
      [`otherEdgeTemperature${corner}`]: of("tyre_surface_temperature") - 2,
      [`carcassTemperature${corner}`]: of("tyre_temperature"),
      [`internalAirTemperature${corner}`]: of("tyre_temperature") - 8,
      [`rimTemperature${corner}`]: of("tyre_temperature") - 15,
      [`brakeTemperature${corner}`]: of("brake_temperature"),
      [`damperVelocity${corner}`]: of("suspension_velocity") / 1000
    })
  }

  /** Local is x to the left by the one source of its axes, y up, z forward. */
  #body({ rpm, speed, told, x, y, z }: Frame): void {
    const [positionX, positionY, positionZ] = inWorld(WORLD, x, y, z)
    const [worldVelocityX, worldVelocityY, worldVelocityZ] = inWorld(
      WORLD,
      told("velocity_x"),
      told("velocity_y"),
      told("velocity_z")
    )
    body.write(this.#bytes, this.#bodyAt, {
      positionX,
      positionY,
      positionZ,
      orientationW: 1,
      localAngularVelocityY: -radians(told("yaw_rate")),
      worldVelocityX,
      worldVelocityY,
      worldVelocityZ,
      localVelocityX: -told("velocity_right"),
      localVelocityY: told("velocity_up"),
      localVelocityZ: told("velocity_forward"),
      localAccelerationX: -told("g_lateral") * GRAVITY,
      localAccelerationY: told("g_vertical") * GRAVITY,
      localAccelerationZ: told("g_longitudinal") * GRAVITY,
      overallSpeed: speed / 3.6,
      forwardSpeed: told("velocity_forward"),
      engineRPM: rpm,
      revRatio: told("engine_speed_fraction"),
      torque: told("engine_torque"),
      power: told("engine_power"),
      fuelRemaining: told("fuel"),
      oilPressure: told("oil_pressure"),
      oilTemperature: told("oil_temperature"),
      coolantTemperature: told("water_temperature"),
      engineRunning: 1,
      numGears: this.#scene.vehicle.ratios.length
    })
  }

  #gears(): void {
    const { ratios, shiftUp } = this.#scene.vehicle
    const at = this.#bodyAt + body.size
    for (let gear = 0; gear < ratios.length; gear++) {
      this.#bytes.writeFloatLE(shiftUp, at + GEAR_BYTES * gear)
      this.#bytes.writeFloatLE(shiftUp * 0.6, at + GEAR_BYTES * gear + 4)
    }
    this.#bytes[this.#loadsAt] = LOADS
  }

  #inputs({ brake, gear, steering, throttle }: Frame): void {
    const { fuel, idle, ratios, shiftUp } = this.#scene.vehicle
    inputs.write(this.#bytes, this.#inputsAt, {
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
    })
  }
}
