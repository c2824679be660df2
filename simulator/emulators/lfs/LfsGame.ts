/**
 * Live for Speed's side of InSim, OutGauge and OutSim: a race of one player, and a computer's car that stands in the pits. All
 * clients receive it. Plain, no I/O (sheet lfs-insim-outgauge-outsim, section 10).
 *
 * Names carry colour codes, like those of players. In a pause the game goes on sending constant values; the sheet does not say,
 * and this is the harder case. Some seconds after the last lap the player leaves the race.
 */
import { NO_TIME_MS, StateFlag } from "../../../src/simulators/drivers/lfs/insim.ts"
import type { Frame, Scene } from "../Emulator.ts"
import { LfsClient, type ClientLink } from "./LfsClient.ts"
import * as outputs from "./outputs.ts"
import * as packets from "./packets.ts"

export interface GameOptions {
  /** The game closes connections with another password; empty accepts everyone. */
  readonly adminPassword: string
  /** Number of the track's splits. */
  readonly splits: 0 | 1 | 2
  /** OutSim in cfg.txt: off, `OutSim Opts 1ff`, or the port of another program, which then receives it. */
  readonly outSim: "classic" | "full" | "elsewhere"
  /** Number of a mod, in place of the scene's car. */
  readonly mod: number | undefined
  /** Splits each TCP message after its first byte. */
  readonly split: boolean
  /** Inserts packets of an unknown type. */
  readonly unknownPackets: boolean
  /** Accepts everyone, and sends nothing. */
  readonly silent: boolean
  /** s. */
  readonly keepAliveEvery: number
}

const defaults: GameOptions = {
  adminPassword: "",
  splits: 2,
  outSim: "classic",
  mod: undefined,
  split: false,
  unknownPackets: false,
  silent: false,
  keepAliveEvery: 30
}

/** The game's track and car in place of the scene's, which the game does not have. */
const tracks: Readonly<Record<string, string>> = {
  "Hollin Moor": "WE2",
  "Port Averno": "SO4",
  "Cinder Bowl": "BL2",
  "Sankt Arven": "FE4X",
  "Larkspur Park": "FE1R"
}
const carCodes: Readonly<Record<string, string>> = {
  "Kestrel GT-R3": "FZR",
  "Merlin F-08": "FO8",
  "Wren Cup": "XFG"
}

const PLID = 7
const AI_PLID = 3
const AI = 2
const RACE = 1
/** The player leaves this long after the race, s. */
const LEAVES_AFTER_S = 2
const CUT = 5

export class LfsGame {
  readonly options: GameOptions
  readonly track: string
  readonly #car: string
  readonly #entries: ReadonlyArray<packets.Entry>
  readonly #clients = new Set<LfsClient>()
  #frame: Frame | undefined
  /** When the race ended, s of the race, and whether the player has left it since. */
  #finishedAt: number | undefined
  #hasLeft = false
  #isSpoilt = false

  constructor({ circuit, driver, vehicle }: Scene, options: Partial<GameOptions> = {}) {
    this.options = { ...defaults, ...options }
    this.track = tracks[circuit.name] ?? "AU1"
    this.#car = carCodes[vehicle.name] ?? "UF1"
    const { mod } = this.options
    this.#entries = [
      { plid: AI_PLID, connection: 0, kind: AI, name: "^2AI 1", car: "UF1" },
      {
        plid: PLID,
        connection: 0,
        kind: 0,
        name: `^1${driver.replaceAll("^", "^^")}^8`,
        car: mod?.toString(16).padStart(6, "0") ?? this.#car
      }
    ]
  }

  /** Handles a new TCP connection. */
  connect(line: ClientLink): LfsClient {
    const client = new LfsClient(this, line)
    this.#clients.add(client)
    return client
  }

  disconnect(client: LfsClient): void {
    this.#clients.delete(client)
  }

  frame(frame: Frame): void {
    const last = this.#frame
    this.#frame = frame
    if (last !== undefined && frame.session !== last.session) this.#restart()
    if (frame.paused !== (last?.paused ?? false)) this.#broadcast(this.state(0))
    this.#lapsOf(frame, last)
    for (const client of this.#clients) client.frame(frame)
  }

  state(request: number): Buffer {
    return packets.state(request, {
      flags: StateFlag.inGame | (this.#frame?.paused === true ? StateFlag.paused : 0),
      viewed: this.#hasLeft ? AI_PLID : PLID,
      players: this.#listed().length,
      race: RACE,
      laps: 0,
      track: this.track
    })
  }

  raceStart(request: number): Buffer {
    return packets.raceStart(request, this.#listed().length, this.track, this.options.splits)
  }

  players(request: number): ReadonlyArray<Buffer> {
    const listed = this.#listed()
    return listed.map((entry) => packets.player(request, listed.length, entry))
  }

  connection(request: number): Buffer {
    return packets.connection(request, 0, this.#entries.at(-1)!.name)
  }

  cars(frame: Frame): Buffer {
    const { heading, speed, x, y, z } = frame
    const parked = { plid: AI_PLID, lap: 0, x: -20, y: 30, z: 1, speed: 0, heading: 0 }
    const driven = { plid: PLID, lap: frame.lap.lapNumber, x, y, z, speed, heading }
    return packets.cars(this.#hasLeft ? [parked] : [parked, driven])
  }

  /** Both are sent only while the player drives. */
  outGauge(frame: Frame): Buffer | undefined {
    return this.#hasLeft ? undefined : outputs.outGauge(frame, PLID, this.#car)
  }

  outSim(frame: Frame): Buffer | undefined {
    const { outSim } = this.options
    if (this.#hasLeft || outSim === "elsewhere") return undefined
    return outSim === "full" ? outputs.outSim2(frame) : outputs.outSim(frame)
  }

  #listed(): ReadonlyArray<packets.Entry> {
    return this.#hasLeft ? this.#entries.filter(({ plid }) => plid !== PLID) : this.#entries
  }

  #broadcast(bytes: Buffer): void {
    for (const client of this.#clients) client.send(bytes)
  }

  #restart(): void {
    const returns = this.#hasLeft
    this.#finishedAt = undefined
    this.#hasLeft = false
    this.#isSpoilt = false
    if (returns) for (const player of this.players(0)) this.#broadcast(player)
    this.#broadcast(this.raceStart(0))
    this.#broadcast(this.state(0))
  }

  #lapsOf(frame: Frame, last: Frame | undefined): void {
    const { lap, lapEnded, lastLap, lapTime, sector, session, sessionTime } = frame
    if (lapEnded && lastLap !== undefined) {
      this.#isSpoilt = false
      this.#broadcast(packets.lap(PLID, lastLap.lapTime, sessionTime, lastLap.lapNumber))
    }
    const inSameLap = last?.session === session && last.lap.lapNumber === lap.lapNumber
    if (inSameLap && sector > last.sector && sector <= this.options.splits) {
      const time = lap.sectors.slice(0, sector).reduce((sum, one) => sum + one, 0)
      this.#broadcast(packets.split(PLID, time, sessionTime, sector))
    }
    // The model does not say where a lap became invalid: somewhere in its second third.
    if (!lap.valid && sector === 1 && !this.#isSpoilt && !frame.finished) {
      this.#isSpoilt = true
      for (const client of this.#clients) {
        client.send(packets.hotLapInvalid(PLID, CUT, lapTime, client.version))
      }
    }
    if (frame.finished) this.#finish(frame)
  }

  #finish({ bestLap, lastLap, sessionTime }: Frame): void {
    if (this.#finishedAt === undefined) {
      this.#finishedAt = sessionTime
      const best = bestLap ?? NO_TIME_MS / 1000
      this.#broadcast(packets.finish(PLID, sessionTime, best, lastLap?.lapNumber ?? 0))
    } else if (!this.#hasLeft && sessionTime - this.#finishedAt >= LEAVES_AFTER_S) {
      this.#hasLeft = true
      this.#broadcast(packets.leave(PLID))
      this.#broadcast(this.state(0))
    }
  }
}
