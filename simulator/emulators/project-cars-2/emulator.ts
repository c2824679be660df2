/**
 * Project CARS 2 and Automobilista 2: telemetry and timings at every frame, rarely changing packets once a second, time stats
 * when any car passes a sector (project-cars2-ams2-udp.md, section 11). In a pause the packets go on.
 */
import type { Emulator, EmulatorKind, Frame, Scene, Send } from "../Emulator.ts"
import { GameState } from "../../../src/simulators/drivers/project-cars-2/layout.ts"
import { pushing } from "../udp.ts"
import { type Build, ProjectCars2Packets, PARTICIPANTS, PLAYER, type Times, WORLD } from "./packets.ts"

const PORT = 5606
/** The rivals follow the player, so far apart, s. */
const APART_S = 0.8
const EVERY_S = 1

export interface Pc2Options {
  readonly build?: Build
  /** The player watches the car ahead from then on, for this time; s since the emulator started. */
  readonly looksAway?: { readonly at: number; readonly seconds: number }
}

export class ProjectCars2Emulator implements Emulator {
  readonly #packets: ProjectCars2Packets
  readonly #looksAway: Pc2Options["looksAway"]
  #last: Frame | undefined
  #saidAt = -Infinity
  #times: Times = { lastLap: -1, lastSector: -1, bestLap: -1 }
  /** When a car will pass a sector next, s. */
  #crossings: Array<number> = []

  constructor(scene: Scene, { build = 559, looksAway }: Pc2Options = {}) {
    this.#packets = new ProjectCars2Packets(scene, build)
    this.#looksAway = looksAway
  }

  frame(frame: Frame, send: Send): void {
    const last = this.#last
    const isNew = frame.session !== last?.session
    if (isNew && last !== undefined) this.#restart(frame, send)
    this.#sayNow(frame, isNew, send)
    // The stats come alternately before and after a lap's first timings.
    const isEarly = frame.lap.lapNumber % 2 === 0
    if (isEarly) this.#cross(frame, isNew ? undefined : last, send)
    send(this.#packets.telemetry(frame, this.#viewed(frame)))
    send(this.#packets.timings(frame))
    if (!isEarly) this.#cross(frame, isNew ? undefined : last, send)
    this.#last = frame
  }

  #restart(frame: Frame, send: Send): void {
    this.#times = { lastLap: -1, lastSector: -1, bestLap: -1 }
    this.#crossings = []
    send(this.#packets.gameState(GameState.restarting, frame))
  }

  #sayNow(frame: Frame, isNew: boolean, send: Send): void {
    const { paused, upTime } = frame
    const isDue = isNew || upTime - this.#saidAt >= EVERY_S
    if (!isDue && paused === this.#last?.paused) return
    send(this.#packets.gameState(paused ? GameState.paused : GameState.playing, frame))
    if (!isDue) return
    this.#saidAt = upTime
    for (const packet of this.#packets.names()) send(packet)
  }

  #viewed({ upTime }: Frame): number {
    const away = this.#looksAway
    return away !== undefined && upTime >= away.at && upTime < away.at + away.seconds ? PLAYER - 1 : PLAYER
  }

  #cross(frame: Frame, last: Frame | undefined, send: Send): void {
    const { bestLap, lap, lapEnded, lastLap, sector, upTime } = frame
    const isCrossing = lapEnded || (last !== undefined && sector !== last.sector)
    if (isCrossing) {
      this.#times =
        lapEnded && lastLap !== undefined
          ? { lastLap: lastLap.lapTime, lastSector: lastLap.sectors[2], bestLap: bestLap ?? -1 }
          : { ...this.#times, lastSector: lap.sectors[sector - 1]! }
      for (let rival = 1; rival < PARTICIPANTS; rival++) this.#crossings.push(upTime + rival * APART_S)
    }
    const due = this.#crossings.filter((at) => at > upTime)
    const isRivalCrossing = due.length < this.#crossings.length
    this.#crossings = due
    if (isCrossing || isRivalCrossing) send(this.#packets.timeStats(this.#times))
  }
}

export const projectCars2: EmulatorKind = {
  protocol: "project-cars-2",
  port: PORT,
  simulator: "project-cars-2",
  world: WORLD,
  serve: pushing((scene) => new ProjectCars2Emulator(scene))
}
