/** Forza's "Data Out": encodes a frame as the game does (forza-data-out.md, sections 3 to 5 and 8). */
import { type Game, packets } from "../../../src/simulators/drivers/forza/layout.ts"
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { GRAVITY } from "../../model/forces.ts"
import { vehicles } from "../../model/vehicles.ts"
import type { Frame, Scene } from "../Emulator.ts"
import { LateLap } from "../LateLap.ts"
import { ofWheels, positionOf, radians, u8, vectorsIn } from "../values.ts"
import { steeringIn, type World } from "../World.ts"

export type { Game } from "../../../src/simulators/drivers/forza/layout.ts"

export const WORLD: World = {
  axes: "left-handed, y up",
  steering: "right",
  source: "overview, and forza-data-out, sections 3 and 5: the documented axes; unproven by a map"
}

/** Horizon's last byte is spare, and some users report packets without it: one in so many lacks it. */
const WITHOUT_SPARE = 60
/** TimestampMS wraps around this long after the emulator's start, s. */
const WRAPS_AFTER_S = 5
/** The gear reads "shifting" for this time, s. */
const SHIFT_S = 0.05
const SHIFTING = 11
/** Car ordinals from here on, one a vehicle; none of a real car. */
const FIRST_CAR = 9001
/** Maple Valley: a fictional place. */
const TRACK = 67
/** Slip of the tyres before they lose grip: along, and across in degrees. */
const LIMIT = { ratio: 0.1, angle: 5 }
/** Travel of the springs from stretched to compressed, mm. */
const SPRINGS = 120

const vector = vectorsIn(WORLD)

export class DataOut {
  readonly #game: Game
  readonly #scene: Scene
  readonly #bytes: Buffer
  #gear: number | undefined
  #shiftedAt = -Infinity
  readonly #late = new LateLap()

  constructor(game: Game, scene: Scene) {
    this.#game = game
    this.#scene = scene
    this.#bytes = Buffer.alloc(packets[game].size + (game === "horizon" ? 1 : 0))
  }

  /** The next packet overwrites it. */
  encode(frame: Frame): Buffer {
    const bytes = this.#bytes.fill(0)
    const packet = packets[this.#game]
    packet.write(bytes, 0, {
      timestampMS: Math.floor((frame.upTime - WRAPS_AFTER_S) * 1000 + 0.5) >>> 0
    })
    if (!frame.paused) {
      for (const values of [this.#car(frame), this.#wheels(frame), this.#race(frame), this.#inputs(frame)]) {
        packet.write(bytes, 0, values)
      }
    }
    const isShort = this.#game === "horizon" && frame.index % WITHOUT_SPARE === WITHOUT_SPARE - 1
    return isShort ? bytes.subarray(0, -1) : bytes
  }

  /** x right, y up, z forward: a left-handed frame, in which turns are positive to the right about y, nose down about x and left side down about z. */
  #car(frame: Frame): FieldValues {
    const { rpm, speed, carValue } = frame
    const { vehicle } = this.#scene
    return {
      isRaceOn: 1,
      engineMaxRpm: vehicle.shiftUp * 1.04,
      engineIdleRpm: vehicle.idle,
      currentEngineRpm: rpm,
      accelerationX: carValue("g_lateral") * GRAVITY,
      accelerationY: carValue("g_vertical") * GRAVITY,
      accelerationZ: carValue("g_longitudinal") * GRAVITY,
      velocityX: carValue("velocity_right"),
      velocityY: carValue("velocity_up"),
      velocityZ: carValue("velocity_forward"),
      angularVelocityX: -radians(carValue("pitch_rate")),
      angularVelocityY: radians(carValue("yaw_rate")),
      angularVelocityZ: -radians(carValue("roll_rate")),
      // From the z axis, which is our y.
      yaw: radians(carValue("yaw")),
      pitch: -radians(carValue("pitch")),
      roll: -radians(carValue("roll")),
      carOrdinal: FIRST_CAR + vehicles.indexOf(vehicle),
      carClass: 4,
      carPerformanceIndex: 750,
      drivetrainType: vehicle.driven === "front" ? 0 : 1,
      numCylinders: 8,
      trackOrdinal: TRACK,
      ...vector("position", positionOf(frame)),
      speed: speed / 3.6,
      power: carValue("engine_power") * 1000,
      torque: carValue("engine_torque"),
      fuel: carValue("fuel_fraction")
    }
  }

  #wheels(frame: Frame): FieldValues {
    return ofWheels(["0", "1", "2", "3"], frame, (of) => {
      const ratio = of("slip_ratio") / LIMIT.ratio
      const angle = of("slip_angle") / LIMIT.angle
      const travel = of("suspension_travel")
      return {
        normalizedSuspensionTravel: travel / SPRINGS,
        suspensionTravelMeters: travel / 1000,
        tireSlipRatio: ratio,
        tireSlipAngle: angle,
        tireCombinedSlip: Math.hypot(ratio, angle),
        wheelRotationSpeed: of("wheel_rotation"),
        tireTemp: of("tyre_temperature") * 1.8 + 32,
        tireWear: of("tyre_wear")
      }
    })
  }

  #race(frame: Frame): FieldValues {
    const { circuit } = this.#scene
    const { bestLap, lap, lapDistance } = frame
    return {
      distanceTraveled: (lap.lapNumber - 1) * circuit.length + lapDistance,
      bestLap: bestLap ?? 0,
      lastLap: this.#late.at(frame)?.lapTime ?? 0,
      currentLap: frame.lapTime,
      currentRaceTime: frame.sessionTime,
      lapNumber: lap.lapNumber - 1,
      racePosition: 1
    }
  }

  #inputs(frame: Frame): FieldValues {
    const gear = this.#gearOf(frame)
    return {
      accel: u8(frame.throttle),
      brake: u8(frame.brake),
      clutch: gear === SHIFTING ? 255 : 0,
      gear,
      steer: Math.round(steeringIn(WORLD, Math.min(1, Math.max(-1, frame.steering))) * 127)
    }
  }

  #gearOf({ gear, upTime }: Frame): number {
    if (this.#gear !== undefined && gear !== this.#gear) this.#shiftedAt = upTime
    this.#gear = gear
    if (upTime - this.#shiftedAt < SHIFT_S || gear === 0) return SHIFTING
    return gear < 0 ? 0 : gear
  }
}
