/**
 * DiRT Rally 2.0's side: 66 floats at every frame (codemasters-dirt-rally2-and-ea-wrc.md, part A). Rally: the circuit is
 * a stage, driven again and again; the last lap's time is never told. Rallycross: laps.
 */
import type { Vehicle } from "../../model/vehicles.ts"
import type { Emulator, EmulatorKind, Frame, Scene, Send } from "../Emulator.ts"
import { StageDrive, type StageView } from "../stages.ts"
import { pushing } from "../udp.ts"
import { inWorld, steeringIn, type World } from "../World.ts"

export const WORLD: World = {
  axes: "right-handed, y up",
  steering: "right",
  source: "dirt-rally-1-and-codemasters-264, section 2: measured on real runs of both DiRT Rallies"
}

const PORT = 20777
const FLOATS = 66
const LAPS = 6

export type Discipline = "rally" | "rallycross"

const radPerSecond = (rpm: number) => (rpm * 2 * Math.PI) / 60

export class DirtRally2Emulator implements Emulator {
  readonly #scene: Scene
  readonly #discipline: Discipline
  readonly #stages: StageDrive
  readonly #bytes = Buffer.alloc(4 * FLOATS)

  constructor(scene: Scene, discipline: Discipline = "rally") {
    this.#scene = scene
    this.#discipline = discipline
    this.#stages = new StageDrive(scene.circuit.length)
  }

  frame(frame: Frame, send: Send): void {
    const view = this.#stages.at(frame)
    if (this.#discipline === "rally") {
      if (view === undefined) return
      this.#car(frame)
      this.#stage(view)
    } else {
      if (frame.paused) return
      this.#car(frame)
      this.#lap(frame)
    }
    send(this.#bytes)
  }

  #set(index: number, value: number): void {
    this.#bytes.writeFloatLE(value, 4 * index)
  }

  #car(frame: Frame): void {
    this.#bytes.fill(0)
    const { brake, gear, heading, rpm, speed, steering, throttle, x, y, z } = frame
    const { vehicle } = this.#scene
    const [ahead, aside] = [Math.cos(heading), Math.sin(heading)]
    const forward = inWorld(WORLD, ahead, aside, 0)
    const right = inWorld(WORLD, aside, -ahead, 0)
    for (const [i, value] of inWorld(WORLD, x, y, z).entries()) this.#set(4 + i, value)
    this.#set(7, speed / 3.6)
    for (const [i, value] of forward.entries()) this.#set(8 + i, (value * speed) / 3.6)
    for (const [i, value] of right.entries()) this.#set(11 + i, value)
    for (const [i, value] of forward.entries()) this.#set(14 + i, value)
    for (let wheel = 0; wheel < 4; wheel++) this.#set(25 + wheel, speed / 3.6)
    this.#set(29, throttle)
    this.#set(30, steeringIn(WORLD, steering))
    this.#set(31, brake)
    this.#set(33, gear)
    this.#set(37, radPerSecond(rpm))
    this.#engine(vehicle)
    this.#set(61, this.#scene.circuit.length)
  }

  #engine({ idle, ratios, shiftUp }: Vehicle): void {
    this.#set(63, radPerSecond(shiftUp * 1.04))
    this.#set(64, radPerSecond(idle))
    this.#set(65, ratios.length)
  }

  #stage({ clock, distance, lap, sector, sinceFinish, stageTime }: StageView): void {
    this.#set(0, clock)
    this.#set(1, stageTime)
    this.#set(2, distance)
    this.#set(3, distance / this.#scene.circuit.length)
    // The last of a rally stage's four parts is the second half of our third.
    const isFourth = stageTime > lap.lapTime - lap.sectors[2] / 2
    this.#set(48, isFourth ? 3 : sector)
    this.#sectors(lap.sectors, sinceFinish === undefined ? sector : 2)
    this.#set(60, 1)
  }

  #lap(frame: Frame): void {
    const { lap, lapDistance, lapTime, lastLap, sector } = frame
    this.#set(0, this.#stages.clock)
    this.#set(1, lapTime)
    this.#set(2, lapDistance)
    this.#set(3, (lap.lapNumber - 1 + lapDistance / this.#scene.circuit.length) / LAPS)
    this.#set(36, lap.lapNumber - 1)
    this.#set(48, sector)
    this.#sectors(lap.sectors, sector)
    this.#set(59, lap.lapNumber - 1)
    this.#set(60, LAPS)
    this.#set(62, lastLap?.lapTime ?? 0)
  }

  #sectors([first, second]: readonly [number, number, number], sector: number): void {
    if (sector > 0) this.#set(49, first)
    if (sector > 1) this.#set(50, second)
  }
}

const kind = (protocol: string, discipline: Discipline): EmulatorKind => ({
  protocol,
  port: PORT,
  simulator: "dirt-rally-2",
  world: WORLD,
  serve: pushing((scene) => new DirtRally2Emulator(scene, discipline))
})

export const dirtRally2 = kind("dirt-rally-2", "rally")
export const dirtRally2Rallycross = kind("dirt-rally-2-rallycross", "rallycross")
