/**
 * DiRT Rally 2.0: 66 floats at every frame (codemasters-dirt-rally2-and-ea-wrc.md, part A). In rally mode the circuit is a
 * stage that is driven repeatedly, and the last lap's time is never reported. Rallycross has laps. DiRT Rally (2015) sends the
 * same, without sectors in the known packets (dirt-rally-1-and-codemasters-264.md).
 */
import { packet } from "../../../src/simulators/drivers/dirt-rally-2/layout.ts"
import type { Emulator, EmulatorKind, Frame, Scene, Send } from "../Emulator.ts"
import { StageDrive, type StageView } from "../stages.ts"
import { pushing } from "../udp.ts"
import { ofWheels, positionOf, vectorsIn } from "../values.ts"
import { steeringIn, type World } from "../World.ts"

export const WORLD: World = {
  axes: "right-handed, y up",
  steering: "right",
  source: "dirt-rally-1-and-codemasters-264, section 2: measured on real runs of both DiRT Rallies"
}

const PORT = 20777
const LAPS = 6

export type Discipline = "rally" | "rally of 2015" | "rallycross"

const vector = vectorsIn(WORLD)
const radPerSecond = (rpm: number) => (rpm * 2 * Math.PI) / 60

export class DirtRally2Emulator implements Emulator {
  readonly #scene: Scene
  readonly #discipline: Discipline
  readonly #stages: StageDrive
  readonly #bytes = Buffer.alloc(packet.size)

  constructor(scene: Scene, discipline: Discipline = "rally") {
    this.#scene = scene
    this.#discipline = discipline
    this.#stages = new StageDrive(scene.circuit.length)
  }

  frame(frame: Frame, send: Send): void {
    const view = this.#stages.at(frame)
    if (this.#discipline === "rallycross") {
      if (frame.paused) return
      this.#car(frame)
      this.#lap(frame)
    } else {
      if (view === undefined) return
      this.#car(frame)
      this.#stage(view)
    }
    send(this.#bytes)
  }

  #car(frame: Frame): void {
    this.#bytes.fill(0)
    const { brake, gear, heading, rpm, speed, steering, throttle, carValue } = frame
    const { vehicle } = this.#scene
    const [ahead, aside] = [Math.cos(heading), Math.sin(heading)]
    packet.write(this.#bytes, 0, {
      ...vector("position", positionOf(frame)),
      speed: speed / 3.6,
      ...vector("velocity", [(ahead * speed) / 3.6, (aside * speed) / 3.6, 0]),
      ...vector("right", [aside, -ahead, 0]),
      ...vector("forward", [ahead, aside, 0]),
      throttle,
      steering: steeringIn(WORLD, steering),
      brake,
      gear,
      // Left is positive.
      gLateral: -carValue("g_lateral"),
      gLongitudinal: carValue("g_longitudinal"),
      engineRate: radPerSecond(rpm),
      sliSupport: 1,
      racePosition: 1,
      trackLength: this.#scene.circuit.length,
      maxRate: radPerSecond(vehicle.shiftUp * 1.04),
      idleRate: radPerSecond(vehicle.idle),
      maxGears: vehicle.ratios.length,
      ...ofWheels(["FL", "FR", "RL", "RR"], frame, (of) => ({
        suspensionPosition: of("suspension_travel"),
        suspensionVelocity: of("suspension_velocity"),
        wheelSpeed: of("wheel_speed") / 3.6,
        brakeTemperature: of("brake_temperature")
      }))
    })
  }

  #stage({ clock, distance, lap, sector, sinceFinish, stageTime }: StageView): void {
    packet.write(this.#bytes, 0, {
      totalTime: clock,
      lapTime: stageTime,
      distance,
      progress: distance / this.#scene.circuit.length,
      totalLaps: 1
    })
    if (this.#discipline === "rally of 2015") return
    // The last of a rally stage's four parts is the second half of our third sector.
    const isFourth = stageTime > lap.lapTime - lap.sectors[2] / 2
    packet.write(this.#bytes, 0, { sector: isFourth ? 3 : sector })
    this.#sectors(lap.sectors, sinceFinish === undefined ? sector : 2)
  }

  #lap({ lap, lapDistance, lapTime, lastLap, sector }: Frame): void {
    const lapsCompleted = lap.lapNumber - 1
    packet.write(this.#bytes, 0, {
      totalTime: this.#stages.clock,
      lapTime,
      distance: lapDistance,
      progress: (lapsCompleted + lapDistance / this.#scene.circuit.length) / LAPS,
      lap: lapsCompleted,
      sector,
      lapsCompleted,
      totalLaps: LAPS,
      lastLap: lastLap?.lapTime ?? 0
    })
    this.#sectors(lap.sectors, sector)
  }

  #sectors([sector1, sector2]: readonly [number, number, number], sector: number): void {
    if (sector > 0) packet.write(this.#bytes, 0, { sector1 })
    if (sector > 1) packet.write(this.#bytes, 0, { sector2 })
  }
}

const kind = (protocol: string, discipline: Discipline, simulator = "dirt-rally-2"): EmulatorKind => ({
  protocol,
  port: PORT,
  simulator,
  world: WORLD,
  serve: pushing((scene) => new DirtRally2Emulator(scene, discipline))
})

export const dirtRally = kind("dirt-rally", "rally of 2015", "dirt-rally")
export const dirtRally2 = kind("dirt-rally-2", "rally")
export const dirtRally2Rallycross = kind("dirt-rally-2-rallycross", "rallycross")
