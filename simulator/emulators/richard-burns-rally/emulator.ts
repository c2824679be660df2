/**
 * Richard Burns Rally with the plug-in NGP: 664 bytes at every frame (richard-burns-rally.md, section 7). The circuit is a
 * stage that is driven repeatedly. After the finish the time stands still, and the car rolls on.
 */
import { packet } from "../../../src/simulators/drivers/richard-burns-rally/layout.ts"
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { GRAVITY } from "../../model/forces.ts"
import type { Emulator, EmulatorKind, Frame, Scene, Send } from "../Emulator.ts"
import { StageDrive, type StageView } from "../stages.ts"
import { pushing } from "../udp.ts"
import { KELVIN, ofWheels, positionOf, vectorsIn } from "../values.ts"
import { steeringIn, type World } from "../World.ts"

export const WORLD: World = {
  axes: "right-handed, z up",
  steering: "right",
  source:
    "richard-burns-rally, sections 2 and 3: the plan as maps of stages are drawn, the sign by nobody; no real packets are known"
}

const PORT = 6776
const STEPS_A_SECOND = 720
const STAGE = 71
const CAR = 5

/** Factor from m/s to the player's unit of speed. */
export const speedUnits = { "km/h": 3.6, mph: 3600 / 1609.344 } as const
export type SpeedUnitName = keyof typeof speedUnits

const vector = vectorsIn(WORLD)

const SEGMENTS = [0, 1, 2, 3, 4, 5, 6, 7] as const

const cornersOf = (frame: Frame): FieldValues =>
  ofWheels(["LF", "RF", "LB", "RB"], frame, (of) => {
    const load = of("wheel_load")
    const carcass = KELVIN + of("tyre_temperature")
    const tread = KELVIN + of("tyre_surface_temperature")
    return {
      // Not from rest, as in the only known packet; its meaning is unknown.
      springDeflection: 0.24 - of("suspension_travel") / 1000,
      springForce: load,
      strutForce: -load,
      damperPistonVelocity: of("suspension_velocity") / 1000,
      brakeDiskLayerTemperature: KELVIN + of("brake_temperature") + 20,
      brakeDiskTemperature: KELVIN + of("brake_temperature"),
      tirePressure: of("tyre_pressure") * 1000,
      tireTemperature: (carcass + tread) / 2,
      tireCarcassTemperature: carcass,
      tireTreadTemperature: tread,
      ...Object.fromEntries(SEGMENTS.map((n) => [`segmentTemperature${n}`, tread])),
      ...Object.fromEntries(SEGMENTS.map((n) => [`segmentWear${n}`, of("tyre_wear")]))
    }
  })

export class RbrEmulator implements Emulator {
  readonly #scene: Scene
  readonly #unit: number
  readonly #stages: StageDrive
  readonly #bytes = Buffer.alloc(packet.size)
  /** The game's clock when the count of steps began, s. */
  #zero = 0
  #session = 0

  constructor(scene: Scene, unit: SpeedUnitName = "km/h") {
    this.#scene = scene
    this.#unit = speedUnits[unit]
    this.#stages = new StageDrive(scene.circuit.length)
  }

  frame(frame: Frame, send: Send): void {
    const view = this.#stages.at(frame)
    if (view === undefined) return
    if (frame.session !== this.#session) {
      this.#session = frame.session
      this.#zero = view.clock
    }
    this.#bytes.fill(0)
    this.#car(frame)
    this.#stage(frame, view)
    packet.write(this.#bytes, 0, cornersOf(frame))
    send(this.#bytes)
  }

  #car(frame: Frame): void {
    const { brake, gear, rpm, speed, steering, throttle, carValue } = frame
    packet.write(this.#bytes, 0, {
      steering: steeringIn(WORLD, steering),
      throttle,
      brake,
      gear: gear + 1,
      carIndex: CAR,
      speed: (speed / 3.6) * this.#unit,
      ...vector("position", positionOf(frame)),
      roll: carValue("roll"),
      pitch: carValue("pitch"),
      yaw: carValue("yaw"),
      velocitySurge: carValue("velocity_forward"),
      velocitySway: carValue("velocity_right"),
      velocityHeave: carValue("velocity_up"),
      accelerationSurge: carValue("g_longitudinal") * GRAVITY,
      accelerationSway: carValue("g_lateral") * GRAVITY,
      accelerationHeave: carValue("g_vertical") * GRAVITY,
      rpm,
      radiatorCoolantTemperature: KELVIN + 82,
      engineCoolantTemperature: KELVIN + carValue("water_temperature"),
      engineTemperature: KELVIN + carValue("oil_temperature")
    })
  }

  #stage({ speed }: Frame, { clock, distance, sinceFinish, stageTime }: StageView): void {
    const { length } = this.#scene.circuit
    const beyond = ((sinceFinish ?? 0) * speed) / 3.6
    packet.write(this.#bytes, 0, {
      totalSteps: Math.round((clock - this.#zero) * STEPS_A_SECOND),
      stageIndex: STAGE,
      stageProgress: distance / length,
      raceTime: stageTime,
      driveLineLocation: distance + beyond,
      distanceToEnd: length - distance - beyond
    })
  }
}

export const richardBurnsRally: EmulatorKind = {
  protocol: "richard-burns-rally",
  port: PORT,
  simulator: "richard-burns-rally",
  world: WORLD,
  serve: pushing((scene) => new RbrEmulator(scene))
}
