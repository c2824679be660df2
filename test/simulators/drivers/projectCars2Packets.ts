/** Packets of Project CARS 2 made by hand, and the events that they give. */
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { protocol } from "../../../src/simulators/drivers/project-cars-2/ProjectCars2Driver.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { linkOptions } from "./interpreting.ts"

/** The state of the game at a moment. Times in s, -1 for none. */
export interface Moment {
  /** ms. */
  readonly tick: number
  readonly viewed: number
  readonly local: number
  readonly participants: number
  readonly lap: number
  readonly time: number
  readonly sectorTime: number
  readonly sector: number
  readonly raceState: number
  readonly invalid: boolean
  readonly pitMode: number
  readonly vehicle: number
  readonly gear: number
}

const standing: Moment = {
  tick: 0,
  viewed: 2,
  local: 2,
  participants: 4,
  lap: 1,
  time: 0,
  sectorTime: 0,
  sector: 1,
  raceState: 2,
  invalid: false,
  pitMode: 0,
  vehicle: 0,
  gear: 4
}

/** A game that sends what a test tells it to, and the driver's events. */
export class Game {
  readonly #interpreter = protocol.interpreter(linkOptions())
  readonly #buffer = new EventBuffer()
  readonly events: Array<SimulatorEvent> = []
  readonly #categories = new Map<number, number>()
  #number = 0
  /** s. */
  now = 100
  moment: Moment = standing

  hear(bytes: Buffer): void {
    this.#interpreter.datagram(bytes, this.now, this.#buffer)
    this.events.push(...this.#buffer.take())
  }

  #packet(type: number, length: number, part = 1): Buffer {
    const bytes = Buffer.alloc(length)
    const number = (this.#categories.get(type) ?? 0) + 1
    this.#categories.set(type, number)
    bytes.writeUInt32LE(++this.#number, 0)
    bytes.writeUInt32LE(number, 4)
    bytes[8] = part
    bytes[9] = 1
    bytes[10] = type
    return bytes
  }

  telemetry(length = 559): Buffer {
    const { gear, tick, viewed } = this.moment
    const bytes = this.#packet(0, length)
    bytes.writeInt8(viewed, 12)
    bytes.writeFloatLE(50, 36)
    bytes[45] = 0x60 | gear
    if (length >= 559) bytes.writeUInt32LE(tick, 555)
    return bytes
  }

  timings(): Buffer {
    const { invalid, lap, local, participants, pitMode, raceState, sector, sectorTime, tick, time, vehicle } =
      this.moment
    const bytes = this.#packet(3, 1063)
    bytes.writeInt8(participants, 12)
    const at = 33 + 32 * 2
    bytes[at + 15] = sector
    bytes[at + 17] = pitMode
    bytes.writeUInt16LE(0x8000 | vehicle, at + 18)
    bytes[at + 20] = raceState | (invalid ? 0x80 : 0)
    bytes[at + 21] = lap
    bytes.writeFloatLE(time, at + 22)
    bytes.writeFloatLE(sectorTime, at + 26)
    bytes.writeUInt16LE(local, 1057)
    bytes.writeUInt32LE(tick, 1059)
    return bytes
  }

  state(game: number, session = 5): void {
    const bytes = this.#packet(4, 24)
    bytes[14] = game | (session << 4)
    this.hear(bytes)
  }

  stats(lastLap: number, lastSector: number): void {
    const bytes = this.#packet(7, 1040)
    bytes.writeFloatLE(lastLap, 16 + 32 * 2 + 4)
    bytes.writeFloatLE(lastSector, 16 + 32 * 2 + 8)
    this.hear(bytes)
  }

  circuit(location: string, variation = ""): void {
    const bytes = this.#packet(1, 308)
    bytes.writeFloatLE(5000, 44)
    bytes.write(location, 48)
    bytes.write(variation, 112)
    this.hear(bytes)
  }

  drivers(...names: ReadonlyArray<string>): void {
    const bytes = this.#packet(2, 1136)
    names.forEach((name, i) => bytes.write(name, 16 + 64 * i))
    this.hear(bytes)
  }

  cars(...names: ReadonlyArray<string>): void {
    const bytes = this.#packet(8, 1164)
    names.forEach((name, i) => {
      bytes.writeUInt16LE(i, 12 + 72 * i)
      bytes.write(name, 20 + 72 * i)
    })
    this.hear(bytes)
  }

  names(): void {
    this.circuit("Monza", "GP")
    this.drivers("A", "B", "Robin Vale")
    this.cars("Car one", "Car two")
  }

  /** Timings and telemetry ten times a second; the lap's and the sector's clock run on with the tick. */
  drive(seconds: number, more: Partial<Moment> = {}): void {
    this.moment = { ...this.moment, ...more }
    for (let n = Math.round(seconds * 10); n > 0; n--) {
      this.hear(this.timings())
      this.hear(this.telemetry())
      this.pass(0.1)
      const { sectorTime, time } = this.moment
      this.moment = { ...this.moment, time: time + 0.1, sectorTime: sectorTime + 0.1 }
    }
  }

  /** Time goes on; the car does not. */
  pass(seconds: number): void {
    this.now += seconds
    this.moment = { ...this.moment, tick: this.moment.tick + Math.round(seconds * 1000) }
  }

  /** Three sectors of 10, 11 and 12 s, each a little longer than its clock showed last; then the next lap begins. */
  lap(more: Partial<Moment> = {}): void {
    const { lap } = this.moment
    this.drive(10, { ...more, sector: 1, time: 0, sectorTime: 0 })
    this.stats(lap === 1 ? -1 : 33.015, 10.002 + lap / 1000)
    this.drive(11, { sector: 2, sectorTime: 0 })
    this.drive(12, { sector: 3, sectorTime: 0 })
    this.moment = { ...this.moment, lap: lap + 1, sector: 1, time: 0, sectorTime: 0 }
  }
}

/** A running game, with names. */
export const playing = (more: Partial<Moment> = {}): Game => {
  const game = new Game()
  game.moment = { ...game.moment, ...more }
  game.state(2)
  game.names()
  return game
}
