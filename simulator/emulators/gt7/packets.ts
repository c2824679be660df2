/** Gran Turismo 7: encodes a frame as the console does (gran-turismo-7.md, sections 2, 3 and 7, and its addendum). */
import { randomInt } from "node:crypto"
import { cipher, MAGIC, masks } from "../../../src/simulators/drivers/gt7/cipher.ts"
import { flag, type Heartbeat, packets } from "../../../src/simulators/drivers/gt7/layout.ts"
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { GRAVITY } from "../../model/forces.ts"
import { vehicles } from "../../model/vehicles.ts"
import type { Frame, Scene } from "../Emulator.ts"
import { LateLap } from "../LateLap.ts"
import { ofWheels, positionOf, radians, u8, vectorsIn, velocityOf } from "../values.ts"
import { steeringIn, type World } from "../World.ts"

export const WORLD: World = {
  axes: "right-handed, y up",
  steering: "left",
  source: "gran-turismo-7, section 6, and overview: measured on a real lap of Spa"
}

const bits = (...names: ReadonlyArray<keyof typeof flag>) =>
  names.reduce((sum, name) => sum | (1 << flag[name]), 0)

const DRIVING = bits("onTrack", "inGear")
/** The game, not the player, drives the car. */
const AFTER_FLAG = bits("inGear")
const PAUSED = bits("paused")
const LOADING = bits("loading")
/** A session begins with this many packets of loading, with a count of 0. */
const LOADING_PACKETS = 10
/** After every other lap, its time comes this many packets after its count. */
const LATE_PACKETS = 3
/** Car codes from here on, one a vehicle; none of a real car. */
const FIRST_CAR = 9001
/** Steering from lock to lock, rad. */
const STEERING_LOCK = (900 * Math.PI) / 180
/** The game suggests no gear. */
const NO_GEAR = 15
/** Zero of the springs' travel, m. */
const SPRINGS_ZERO = 0.25
/** Packets a second. */
const RATE = 60

const ms = (time: number | undefined) => (time === undefined ? -1 : Math.round(time * 1000))
const vector = vectorsIn(WORLD, ["_x", "_y", "_z"])

/** Encrypts like the console; the half of the nonce that the receiver needs is written in clear afterwards. */
export const encrypt = (plain: Buffer, heartbeat: Heartbeat, iv = randomInt(2 ** 32)): Buffer => {
  const bytes = Buffer.from(cipher(plain, iv, masks[heartbeat]))
  packets[heartbeat].write(bytes, 0, { iv })
  return bytes
}

/** Rotation of the car's axes (x right, y up, z back) in the world: first roll about its back axis, then pitch about its side, then yaw about the world's up. */
const rotation = (yaw: number, pitch: number, roll: number): FieldValues => {
  const [sinYaw, cosYaw] = [Math.sin(-yaw / 2), Math.cos(-yaw / 2)]
  const [sinPitch, cosPitch] = [Math.sin(pitch / 2), Math.cos(pitch / 2)]
  const [sinRoll, cosRoll] = [Math.sin(-roll / 2), Math.cos(-roll / 2)]
  return {
    rotation_x: cosYaw * sinPitch * cosRoll + sinYaw * cosPitch * sinRoll,
    rotation_y: sinYaw * cosPitch * cosRoll - cosYaw * sinPitch * sinRoll,
    rotation_z: cosYaw * cosPitch * sinRoll - sinYaw * sinPitch * cosRoll,
    rotation_w: cosYaw * cosPitch * cosRoll + sinYaw * sinPitch * sinRoll
  }
}

export class Gt7Packets {
  readonly #scene: Scene
  /** Format C; the other formats are its beginning. */
  readonly #bytes = Buffer.alloc(packets.C.size)
  #session = -1
  #loading = 0
  readonly #late = new LateLap(LATE_PACKETS)
  #steered = Number.NaN

  constructor(scene: Scene) {
    this.#scene = scene
  }

  /** In plain; the next packet overwrites it. */
  encode(frame: Frame, packetId: number): Buffer {
    const bytes = this.#bytes.fill(0)
    if (frame.session !== this.#session) this.#loading = LOADING_PACKETS
    this.#session = frame.session
    const isLoading = this.#loading > 0
    if (isLoading) this.#loading--
    const state = isLoading ? LOADING : frame.finished ? AFTER_FLAG : DRIVING
    for (const values of [
      { magic: MAGIC, packetId, flags: frame.paused ? state | PAUSED : state },
      this.#motion(frame),
      this.#car(frame),
      this.#inputs(frame),
      this.#wheels(frame),
      this.#laps(frame, isLoading)
    ]) {
      packets.C.write(bytes, 0, values)
    }
    return bytes
  }

  #motion(frame: Frame): FieldValues {
    const { carValue } = frame
    return {
      ...vector("position", positionOf(frame)),
      ...vector("velocity", velocityOf(frame)),
      ...rotation(radians(carValue("yaw")), radians(carValue("pitch")), radians(carValue("roll"))),
      angularVelocity_x: radians(carValue("pitch_rate")),
      angularVelocity_y: -radians(carValue("yaw_rate")),
      angularVelocity_z: -radians(carValue("roll_rate")),
      bodyHeight: (carValue("ride_height_front") + carValue("ride_height_rear")) / 2000,
      roadNormal_y: 1,
      roadDistance: -frame.z,
      sway: carValue("g_lateral") * GRAVITY,
      heave: carValue("g_vertical") * GRAVITY,
      surge: carValue("g_longitudinal") * GRAVITY
    }
  }

  #car({ rpm, speed, carValue }: Frame): FieldValues {
    const { vehicle } = this.#scene
    return {
      rpm,
      fuel: carValue("fuel"),
      fuelCapacity: carValue("fuel") / carValue("fuel_fraction"),
      speed_ms: speed / 3.6,
      // The car has no turbo.
      boost: 1,
      oilPressure: carValue("oil_pressure") / 100,
      waterTemperature: 85,
      oilTemperature: 110,
      rpmMin: Math.round(vehicle.shiftUp * 0.95),
      rpmMax: Math.round(vehicle.shiftUp),
      rpmAfterClutch: rpm,
      clutchEngagement: 1,
      carCode: FIRST_CAR + vehicles.indexOf(vehicle),
      wheelbase: vehicle.wheelbase,
      category: "GR3"
    }
  }

  #inputs({ brake, gear, steering, throttle }: Frame): FieldValues {
    const steeringRad = (steeringIn(WORLD, steering) * STEERING_LOCK) / 2
    const turned = steeringRad - this.#steered
    this.#steered = steeringRad
    const wheelAngle = steeringRad / this.#scene.vehicle.steeringRatio
    return {
      gears: (NO_GEAR << 4) | (gear === 0 ? 15 : Math.max(0, gear)),
      throttle: u8(throttle),
      brake: u8(brake),
      steeringRad,
      steeringRate: Number.isNaN(turned) ? 0 : turned * RATE,
      throttlePressed: u8(throttle),
      brakeApplied: u8(brake),
      wheelAngle0: wheelAngle,
      wheelAngle1: wheelAngle
    }
  }

  #wheels(frame: Frame): FieldValues {
    return ofWheels(["0", "1", "2", "3"], frame, (of) => ({
      tyreTemperature: of("tyre_surface_temperature"),
      // Negative in forward motion.
      wheelSpeed: -of("wheel_rotation"),
      tyreRadius: this.#scene.vehicle.wheelRadius,
      suspensionHeight: SPRINGS_ZERO + of("suspension_travel") / 1000,
      surface: "T".charCodeAt(0)
    }))
  }

  #laps(frame: Frame, isLoading: boolean): FieldValues {
    const { bestLap, lap, lapTime } = frame
    return {
      lap: isLoading ? 0 : lap.lapNumber,
      bestLapMs: ms(bestLap),
      lastLapMs: ms(this.#late.at(frame)?.lapTime),
      gridPosition: -1,
      carsAtStart: -1,
      currentLapMs: ms(lapTime)
    }
  }
}
