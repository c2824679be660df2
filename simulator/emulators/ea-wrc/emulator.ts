/**
 * EA SPORTS WRC: session_update at every frame, in the structure that our users copy into the game
 * (codemasters-dirt-rally2-and-ea-wrc.md, part B). The result comes a moment after the finish.
 */
import { packets } from "../../../src/simulators/drivers/ea-wrc/layout.ts"
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { axesOf } from "../../model/axesOf.ts"
import { GRAVITY } from "../../model/forces.ts"
import { vehicles } from "../../model/vehicles.ts"
import type { Emulator, EmulatorKind, Frame, Scene, Send } from "../Emulator.ts"
import { StageDrive, type StageView } from "../stages.ts"
import { pushing } from "../udp.ts"
import { ofWheels, positionOf, vectorsIn, velocityOf } from "../values.ts"
import { steeringIn, type World } from "../World.ts"

/** Left, up and forward, the game's names of its axes, are a right-handed triple. */
export const WORLD: World = {
  axes: "right-handed, y up",
  steering: "right",
  source:
    "codemasters-dirt-rally2-and-ea-wrc, part B, and addendum: the game's own descriptions; unproven by a map"
}

const PORT = 20777
/** Without and with the channels that follow the example structure. */
export type Length = 237 | 271
/** Any constant number. */
const PACKET_UID = 0x53_53_45_53_5f_55_50_44n
const NEUTRAL = 0
const REVERSE = 10
const RESULT_AFTER_S = 0.1
const FINISHED = 1

const vector = vectorsIn(WORLD, ["_x", "_y", "_z"])

export class EaWrcEmulator implements Emulator {
  readonly #scene: Scene
  readonly #stages: StageDrive
  readonly #bytes: Buffer

  constructor(scene: Scene, length: Length = 271) {
    this.#scene = scene
    this.#stages = new StageDrive(scene.circuit.length)
    this.#bytes = Buffer.alloc(length)
  }

  frame(frame: Frame, send: Send): void {
    const view = this.#stages.at(frame)
    if (view === undefined) return
    const { circuit, vehicle } = this.#scene
    const bytes = this.#bytes.fill(0)
    const packet = packets.get(bytes.length)!
    packet.write(bytes, 0, {
      packet_uid: PACKET_UID,
      game_total_time: view.clock,
      game_delta_time: 1 / 60,
      game_frame_count: frame.index,
      shiftlights_fraction: frame.carValue("engine_speed_fraction"),
      shiftlights_rpm_start: vehicle.shiftUp * 0.9,
      shiftlights_rpm_end: vehicle.shiftUp,
      shiftlights_rpm_valid: 1,
      vehicle_gear_index: frame.gear < 0 ? REVERSE : frame.gear,
      vehicle_gear_index_neutral: NEUTRAL,
      vehicle_gear_index_reverse: REVERSE,
      vehicle_gear_maximum: vehicle.ratios.length,
      vehicle_engine_rpm_max: vehicle.shiftUp * 1.04,
      vehicle_engine_rpm_idle: vehicle.idle,
      stage_current_time: view.stageTime,
      stage_current_distance: view.distance,
      stage_length: circuit.length
    })
    packet.write(bytes, 0, this.#car(frame))
    packet.write(bytes, 0, this.#tail(view))
    send(bytes)
  }

  #car(frame: Frame): FieldValues {
    const { brake, rpm, speed, steering, throttle, carValue } = frame
    const [right, forward, up] = axesOf(carValue)
    const along = [carValue("g_lateral"), carValue("g_longitudinal"), carValue("g_vertical")].map(
      (one) => one * GRAVITY
    )
    const acceleration = (n: 0 | 1 | 2) => right[n] * along[0]! + forward[n] * along[1]! + up[n] * along[2]!
    return {
      vehicle_speed: speed / 3.6,
      vehicle_transmission_speed: speed / 3.6,
      ...vector("vehicle_position", positionOf(frame)),
      ...vector("vehicle_velocity", velocityOf(frame)),
      ...vector("vehicle_acceleration", [acceleration(0), acceleration(1), acceleration(2)]),
      ...vector("vehicle_left_direction", [-right[0], -right[1], -right[2]]),
      ...vector("vehicle_forward_direction", forward),
      ...vector("vehicle_up_direction", up),
      ...ofWheels(["_fl", "_fr", "_bl", "_br"], frame, (of) => ({
        vehicle_hub_position: of("suspension_travel") / 1000,
        vehicle_hub_velocity: of("suspension_velocity") / 1000,
        vehicle_cp_forward_speed: of("wheel_speed") / 3.6,
        vehicle_brake_temperature: of("brake_temperature")
      })),
      vehicle_engine_rpm_current: rpm,
      vehicle_throttle: throttle,
      vehicle_brake: brake,
      vehicle_steering: steeringIn(WORLD, steering)
    }
  }

  #tail({ distance, lap, sinceFinish }: StageView): FieldValues {
    const { circuit, vehicle } = this.#scene
    const isTold = sinceFinish !== undefined && sinceFinish >= RESULT_AFTER_S
    return {
      vehicle_id: 9001 + vehicles.indexOf(vehicle),
      location_id: 67,
      route_id: 6701,
      stage_progress: distance / circuit.length,
      stage_result_time: isTold ? lap.lapTime : 0,
      stage_result_status: isTold ? FINISHED : 0
    }
  }
}

export const eaWrc: EmulatorKind = {
  protocol: "ea-wrc",
  port: PORT,
  simulator: "ea-wrc",
  world: WORLD,
  serve: pushing((scene) => new EaWrcEmulator(scene))
}
