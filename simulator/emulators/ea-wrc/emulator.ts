/**
 * EA SPORTS WRC's side: session_update at every frame, in the structure that our users copy into the game
 * (codemasters-dirt-rally2-and-ea-wrc.md, part B). The result comes a moment after the finish.
 */
import { vehicles } from "../../model/vehicles.ts"
import type { Emulator, EmulatorKind, Frame, Scene, Send } from "../Emulator.ts"
import { StageDrive, type StageView } from "../stages.ts"
import { pushing } from "../udp.ts"
import { inWorld, steeringIn, type World } from "../World.ts"

/** Left, up and forward, as the game calls its axes, are a right-handed triple. */
export const WORLD: World = {
  axes: "right-handed, y up",
  steering: "right",
  source:
    "codemasters-dirt-rally2-and-ea-wrc, part B, and addendum: the game's own descriptions; unproven by a map"
}

const PORT = 20777
/** Without and with the channels that follow the example structure. */
export type Length = 237 | 271
/** Any number that is always the same. */
const PACKET_UID = 0x53_53_45_53_5f_55_50_44n
const NEUTRAL = 0
const REVERSE = 10
const RESULT_AFTER_S = 0.1
const FINISHED = 1

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
    const bytes = this.#bytes.fill(0)
    bytes.writeBigUInt64LE(PACKET_UID, 0)
    bytes.writeFloatLE(view.clock, 8)
    bytes.writeFloatLE(1 / 60, 12)
    bytes.writeBigUInt64LE(BigInt(frame.index), 16)
    bytes[36] = 1
    this.#car(frame)
    bytes.writeFloatLE(view.stageTime, 217)
    bytes.writeDoubleLE(view.distance, 221)
    bytes.writeDoubleLE(this.#scene.circuit.length, 229)
    if (bytes.length > 237) this.#tail(view)
    send(bytes)
  }

  /** In our axes. */
  #vector(at: number, x: number, y: number, z: number): void {
    for (const [n, value] of inWorld(WORLD, x, y, z).entries()) this.#bytes.writeFloatLE(value, at + 4 * n)
  }

  #car({ brake, gear, heading, rpm, speed, steering, throttle, x, y, z }: Frame): void {
    const bytes = this.#bytes
    const { vehicle } = this.#scene
    bytes[37] = gear < 0 ? REVERSE : gear
    bytes[38] = NEUTRAL
    bytes[39] = REVERSE
    bytes[40] = vehicle.ratios.length
    const [ahead, aside] = [Math.cos(heading), Math.sin(heading)]
    const metres = speed / 3.6
    bytes.writeFloatLE(metres, 41)
    bytes.writeFloatLE(metres, 45)
    this.#vector(49, x, y, z)
    this.#vector(61, ahead * metres, aside * metres, 0)
    // Left, forward, up.
    this.#vector(85, -aside, ahead, 0)
    this.#vector(97, ahead, aside, 0)
    this.#vector(109, 0, 0, 1)
    bytes.writeFloatLE(vehicle.shiftUp * 1.04, 185)
    bytes.writeFloatLE(vehicle.idle, 189)
    bytes.writeFloatLE(rpm, 193)
    bytes.writeFloatLE(throttle, 197)
    bytes.writeFloatLE(brake, 201)
    bytes.writeFloatLE(steeringIn(WORLD, steering), 209)
  }

  #tail({ distance, lap, sinceFinish }: StageView): void {
    const { circuit, vehicle } = this.#scene
    const bytes = this.#bytes
    bytes.writeUInt16LE(9001 + vehicles.indexOf(vehicle), 237)
    bytes.writeUInt16LE(67, 243)
    bytes.writeUInt16LE(6701, 245)
    bytes.writeFloatLE(distance / circuit.length, 253)
    if (sinceFinish === undefined || sinceFinish < RESULT_AFTER_S) return
    bytes.writeFloatLE(lap.lapTime, 257)
    bytes[265] = FINISHED
  }
}

export const eaWrc: EmulatorKind = {
  protocol: "ea-wrc",
  port: PORT,
  simulator: "ea-wrc",
  world: WORLD,
  serve: pushing((scene) => new EaWrcEmulator(scene))
}
