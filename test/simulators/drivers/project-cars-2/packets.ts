/**
 * Packets of Project CARS 2, written by the tables (which the sheet and the golden packets prove), and the events that they
 * give.
 */
import type { SimulatorEvent } from "../../../../src/domain/SimulatorEvent.ts"
import {
  basePacket,
  gameState,
  MAX_PARTICIPANTS,
  PacketType,
  participant,
  participantAt,
  participants,
  raceDefinition,
  stats,
  statsAt,
  telemetryOf,
  timings,
  timingsTick,
  vehicle,
  VEHICLES_A_PACKET,
  VEHICLES_AT
} from "../../../../src/simulators/drivers/project-cars-2/layout.ts"
import { protocol } from "../../../../src/simulators/drivers/project-cars-2/ProjectCars2Driver.ts"
import { EventBuffer } from "../../../../src/simulators/EventBuffer.ts"
import { linkOptions } from "../interpreting.ts"

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

const PLAYER = 2

const standing: Moment = {
  tick: 0,
  viewed: PLAYER,
  local: PLAYER,
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

/** A game that sends the values of a test, and the driver's events. */
export class Game {
  readonly #interpreter = protocol.interpreter(linkOptions())
  readonly #buffer = new EventBuffer()
  readonly events: Array<SimulatorEvent> = []
  readonly #categories = new Map<number, number>()
  #number = 0
  /** s. */
  now = 100
  moment: Moment = standing

  deliver(bytes: Buffer): void {
    this.#interpreter.datagram(bytes, this.now, this.#buffer)
    this.events.push(...this.#buffer.take())
  }

  #packet(packetType: number, length: number): Buffer {
    const bytes = Buffer.alloc(length)
    const number = (this.#categories.get(packetType) ?? 0) + 1
    this.#categories.set(packetType, number)
    basePacket.write(bytes, 0, {
      packetNumber: ++this.#number,
      categoryPacketNumber: number,
      partialPacketIndex: 1,
      partialPacketNumber: 1,
      packetType
    })
    return bytes
  }

  telemetry(length = 559): Buffer {
    const { gear, tick, viewed } = this.moment
    const bytes = this.#packet(PacketType.telemetry, length)
    const values = { viewedParticipantIndex: viewed, speed: 50, gearNumGears: 0x60 | gear, tickCount: tick }
    telemetryOf(bytes).write(bytes, 0, values)
    return bytes
  }

  timings(): Buffer {
    const { invalid, lap, pitMode, raceState, sector, sectorTime, tick, time, vehicle } = this.moment
    const bytes = this.#packet(PacketType.timings, timingsTick.size)
    const { local, participants } = this.moment
    timings.write(bytes, 0, { numParticipants: participants, localParticipantIndex: local })
    timingsTick.write(bytes, 0, { tickCount: tick })
    participant.write(bytes, participantAt(PLAYER), {
      sector,
      pitModeSchedule: pitMode,
      carIndex: 0x8000 | vehicle,
      raceState: raceState | (invalid ? 0x80 : 0),
      currentLap: lap,
      currentTime: time,
      currentSectorTime: sectorTime
    })
    return bytes
  }

  state(game: number, session = 5): void {
    const bytes = this.#packet(PacketType.gameState, gameState.size)
    gameState.write(bytes, 0, { state: game | (session << 4) })
    this.deliver(bytes)
  }

  stats(lastLap: number, lastSector: number): void {
    const bytes = this.#packet(PacketType.timeStats, statsAt(MAX_PARTICIPANTS))
    stats.write(bytes, statsAt(PLAYER), { lastLap, lastSector })
    this.deliver(bytes)
  }

  circuit(trackLocation: string, trackVariation = ""): void {
    const bytes = this.#packet(PacketType.raceDefinition, raceDefinition.size)
    raceDefinition.write(bytes, 0, { trackLength: 5000, trackLocation, trackVariation })
    this.deliver(bytes)
  }

  drivers(...names: ReadonlyArray<string>): void {
    const bytes = this.#packet(PacketType.participants, participants.size)
    names.forEach((name, i) => participants.write(bytes, 0, { [`name${i}`]: name }))
    this.deliver(bytes)
  }

  cars(...names: ReadonlyArray<string>): void {
    const bytes = this.#packet(PacketType.vehicles, VEHICLES_AT + vehicle.size * VEHICLES_A_PACKET)
    names.forEach((name, index) => vehicle.write(bytes, VEHICLES_AT + vehicle.size * index, { index, name }))
    this.deliver(bytes)
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
      this.deliver(this.timings())
      this.deliver(this.telemetry())
      this.pass(0.1)
      const { sectorTime, time } = this.moment
      this.moment = { ...this.moment, time: time + 0.1, sectorTime: sectorTime + 0.1 }
    }
  }

  /** Time goes on, and the car stands. */
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
