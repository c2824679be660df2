/** Automobilista 2's packets (project-cars2-ams2-udp.md, sections 2 to 9). The next packet overwrites each. */
import {
  basePacket,
  builds,
  CLASSES_BYTES,
  gameState,
  MAX_PARTICIPANTS,
  NAMES_A_PACKET,
  participant,
  participantAt,
  participants,
  raceDefinition,
  RaceState,
  stats,
  statsAt,
  timings,
  timingsTick,
  vehicle,
  VEHICLES_A_PACKET,
  VEHICLES_AT,
  vehicleClass
} from "../../../src/simulators/drivers/project-cars-2/layout.ts"
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import type { Frame, Scene } from "../Emulator.ts"
import { positionOf, u8, vectorsIn } from "../values.ts"
import { steeringIn, type World } from "../World.ts"
import { fromCar } from "./fromCar.ts"

export const WORLD: World = {
  axes: "left-handed, y up",
  steering: "right",
  source: "overview, and project-cars2-ams2-udp, section 3; no real packets of version 2 are known"
}

/** Builds of the game: the first release has no race position, later ones have a count of ticks. */
export type Build = 538 | 556 | 559

/** More than fit one packet of names; the player is not in the first. */
export const PARTICIPANTS = 20
export const PLAYER = 17

const FIRST_TICK = 5_000_000
/** Numbers of vehicles in the game's list: the player's. */
const VEHICLE = 3
const HUMAN = 0x8000
const INVALID = 0x80
const ACTIVE = 0x80
const REVERSE = 15

const RACE = 5

const i8 = (value: number) => Math.round(Math.min(1, Math.max(-1, value)) * 127)
const i16 = (value: number) => Math.round(Math.min(32_767, Math.max(-32_768, value)))
const tick = ({ upTime }: Frame) => FIRST_TICK + Math.round(upTime * 1000)

const vector = vectorsIn(WORLD)

/** Bytes after the NUL of a name, which are not text. */
const name = (text: string): string => `${text}\0`.padEnd(40, "#")

const nameOf = (index: number, { driver }: Scene) => (index === PLAYER ? driver : `Rival ${index + 1}`)

/** Lap of a participant, s. */
export interface Times {
  readonly lastLap: number
  readonly lastSector: number
  readonly bestLap: number
}

export class ProjectCars2Packets {
  readonly #scene: Scene
  readonly #build: Build
  readonly #numbers = new Map<number, number>()
  readonly #telemetry: Buffer
  readonly #timings: Buffer
  #number = 0

  constructor(scene: Scene, build: Build) {
    this.#scene = scene
    this.#build = build
    this.#telemetry = Buffer.alloc(build)
    const bytes = Buffer.alloc(build === 559 ? timingsTick.size : timings.size)
    for (let index = 0; index < PARTICIPANTS; index++) {
      participant.write(bytes, participantAt(index), {
        racePosition: ACTIVE | (index + 1),
        carIndex: index === PLAYER ? HUMAN | VEHICLE : index % 2,
        raceState: RaceState.racing,
        currentLap: 1,
        currentTime: -1,
        currentSectorTime: -1
      })
    }
    this.#timings = bytes
  }

  telemetry(frame: Frame, viewed: number): Buffer {
    const { vehicle } = this.#scene
    const bytes = this.#headed(this.#telemetry, 0)
    // 556 bytes are 555 and one spare byte.
    const packet = builds.find(({ size }) => size <= bytes.length)!
    const steering = i8(steeringIn(WORLD, frame.steering))
    const gear = frame.gear < 0 ? REVERSE : frame.gear
    packet.write(bytes, 0, {
      viewedParticipantIndex: viewed,
      unfilteredThrottle: u8(frame.throttle),
      unfilteredBrake: u8(frame.brake),
      unfilteredSteering: steering,
      brake: u8(frame.brake),
      throttle: u8(frame.throttle),
      speed: frame.speed / 3.6,
      rpm: Math.round(frame.rpm),
      maxRpm: Math.round(vehicle.shiftUp * 1.04),
      steering,
      gearNumGears: (vehicle.ratios.length << 4) | gear,
      ...vector("fullPosition", positionOf(frame)),
      tickCount: tick(frame)
    })
    packet.write(bytes, 0, fromCar(frame, vector))
    return bytes
  }

  timings(frame: Frame): Buffer {
    const bytes = this.#headed(this.#timings, 3)
    timings.write(bytes, 0, {
      numParticipants: PARTICIPANTS,
      eventTimeRemaining: -1,
      splitTimeAhead: -1,
      splitTimeBehind: -1,
      splitTime: -1,
      localParticipantIndex: PLAYER
    })
    participant.write(bytes, participantAt(PLAYER), this.#player(frame))
    if (this.#build === 559) timingsTick.write(bytes, 0, { tickCount: tick(frame) })
    return bytes
  }

  #player({ finished, lap, lapDistance, lapTime, sector, x, y, z }: Frame): FieldValues {
    const [first, second] = lap.sectors
    // A car that left the track did so somewhere on the way.
    const isInvalid = !lap.valid && lapDistance > this.#scene.circuit.length / 2
    const since = sector === 0 ? lapTime : sector === 1 ? lapTime - first : lapTime - first - second
    return {
      ...vector("worldPosition", [i16(x), i16(y), i16(z)]),
      currentLapDistance: Math.floor(lapDistance),
      sector: sector + 1,
      raceState: (finished ? RaceState.finished : RaceState.racing) | (isInvalid ? INVALID : 0),
      // The count stays after the flag.
      currentLap: finished ? lap.lapNumber - 1 : lap.lapNumber,
      currentTime: finished ? -1 : lapTime,
      currentSectorTime: finished ? -1 : since
    }
  }

  timeStats({ bestLap, lastLap, lastSector }: Times): Buffer {
    const bytes = this.#headed(Buffer.alloc(statsAt(MAX_PARTICIPANTS)), 7)
    for (let index = 0; index < PARTICIPANTS; index++) {
      stats.write(bytes, statsAt(index), {
        fastestLap: -1,
        lastLap: -1,
        lastSector: -1,
        fastestSector1: -1,
        fastestSector2: -1,
        fastestSector3: -1
      })
    }
    stats.write(bytes, statsAt(PLAYER), { fastestLap: bestLap, lastLap, lastSector })
    return bytes
  }

  gameState(state: number, { carValue }: Frame): Buffer {
    const bytes = this.#headed(Buffer.alloc(gameState.size), 4)
    gameState.write(bytes, 0, {
      state: state | (RACE << 4),
      ambientTemperature: Math.round(carValue("air_temperature")),
      trackTemperature: Math.round(carValue("track_temperature")),
      rainDensity: u8(carValue("rain"))
    })
    return bytes
  }

  /** Places, names and vehicles of all participants, in as many packets as necessary. */
  names(): ReadonlyArray<Buffer> {
    return [this.#definition(), this.#names(1), this.#names(2), this.#vehicles(), this.#classes()]
  }

  #definition(): Buffer {
    const { circuit } = this.#scene
    const bytes = this.#headed(Buffer.alloc(raceDefinition.size), 1)
    raceDefinition.write(bytes, 0, {
      worldFastestLap: -1,
      personalFastestLap: -1,
      trackLength: circuit.length,
      trackLocation: name(circuit.name),
      trackVariation: name("GP"),
      translatedTrackLocation: name(circuit.name),
      translatedTrackVariation: name("GP"),
      lapsTimeInEvent: 0x8006
    })
    return bytes
  }

  /** Parts are counted from 1. */
  #names(part: number): Buffer {
    const bytes = this.#headed(Buffer.alloc(participants.size), 2, part, 2)
    for (let i = 0; i < NAMES_A_PACKET; i++) {
      const index = (part - 1) * NAMES_A_PACKET + i
      participants.write(bytes, 0, {
        [`name${i}`]: name(index < PARTICIPANTS ? nameOf(index, this.#scene) : ""),
        [`index${i}`]: index
      })
    }
    return bytes
  }

  #vehicles(): Buffer {
    const bytes = this.#headed(Buffer.alloc(VEHICLES_AT + vehicle.size * VEHICLES_A_PACKET), 8, 1, 2)
    for (let i = 0; i < VEHICLES_A_PACKET; i++) {
      const text = i === VEHICLE ? this.#scene.vehicle.name : i < VEHICLE ? `Other car ${i}` : ""
      vehicle.write(bytes, VEHICLES_AT + vehicle.size * i, { index: i, name: name(text) })
    }
    return bytes
  }

  #classes(): Buffer {
    const bytes = this.#headed(Buffer.alloc(CLASSES_BYTES), 8, 2, 2)
    vehicleClass.write(bytes, VEHICLES_AT, { index: 1, name: "Formula" })
    return bytes
  }

  #headed(bytes: Buffer, type: number, part = 1, parts = 1): Buffer {
    const number = (this.#numbers.get(type) ?? 0) + 1
    this.#numbers.set(type, number)
    basePacket.write(bytes, 0, {
      packetNumber: ++this.#number,
      categoryPacketNumber: number,
      partialPacketIndex: part,
      partialPacketNumber: parts,
      packetType: type,
      packetVersion: 2
    })
    return bytes
  }
}
