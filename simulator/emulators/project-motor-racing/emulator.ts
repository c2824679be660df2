/**
 * Project Motor Racing: the state and the telemetry of every car at every frame, race info once a second
 * (project-motor-racing.md). In a pause equal packets go on; the sheet does not say, and this is the harder case.
 */
import type { Emulator, EmulatorKind, Frame, Scene, Send } from "../Emulator.ts"
import { LateLap } from "../LateLap.ts"
import { pushing } from "../udp.ts"
import {
  PLAYER,
  raceInfoOf,
  RIVALS,
  stateOf,
  stopped,
  telemetryOf,
  telemetryOfRival,
  type Version,
  WORLD
} from "./packets.ts"

const PORT = 7576
const EVERY_S = 1

export class PmrEmulator implements Emulator {
  readonly #scene: Scene
  readonly #version: Version
  #last: Frame | undefined
  #saidAt = -Infinity
  readonly #late = new LateLap()

  constructor(scene: Scene, version: Version = 2) {
    this.#scene = scene
    this.#version = version
  }

  frame(frame: Frame, send: Send): void {
    const isNew = frame.session !== this.#last?.session
    if (isNew && this.#last !== undefined) send(stopped())
    if (isNew || frame.upTime - this.#saidAt >= EVERY_S) {
      this.#saidAt = frame.upTime
      send(raceInfoOf(this.#scene, this.#version, frame))
    }
    const shown = this.#late.at(frame)
    for (const car of [PLAYER, ...RIVALS]) send(stateOf(this.#scene, this.#version, frame, car, shown))
    const telemetry = telemetryOf(this.#scene, frame)
    send(telemetry)
    for (const rival of RIVALS) send(telemetryOfRival(telemetry, frame, rival))
    this.#last = frame
  }
}

export const projectMotorRacing: EmulatorKind = {
  protocol: "project-motor-racing",
  port: PORT,
  simulator: "project-motor-racing",
  world: WORLD,
  serve: pushing((scene) => new PmrEmulator(scene))
}
