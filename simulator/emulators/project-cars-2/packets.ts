/** Automobilista 2's packets, byte by byte (project-cars2-ams2-udp.md, sections 2 to 9). Each is overwritten by the next. */
import type { Frame, Scene } from "../Emulator.ts"
import { inWorld, steeringIn, type World } from "../World.ts"

export const WORLD: World = {
  axes: "left-handed, y up",
  steering: "right",
  source: "overview, and project-cars2-ams2-udp, section 3; no real packets of version 2 are known"
}

/** Builds of the game: the first release has no position, later ones a count of ticks. */
export type Build = 538 | 556 | 559

/** More than one packet has names of, and the player not in the first. */
export const PARTICIPANTS = 20
export const PLAYER = 17

const NAME_BYTES = 64
const NAMES_A_PACKET = 16
/** What names are followed by, after their NUL: no text. */
const GARBAGE = 0xaa
const FIRST_TICK = 5_000_000
/** Vehicles' numbers are as the game has them in the list: the player's. */
const VEHICLE = 3
const HUMAN = 0x8000
const INVALID = 0x80
const ACTIVE = 0x80
const REVERSE = 15

const RaceState = { racing: 2, finished: 3 } as const
export const GameState = { playing: 2, paused: 3, restarting: 5 } as const
const RACE = 5

const i8 = (value: number) => Math.round(Math.min(1, Math.max(-1, value)) * 127)
const u8 = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 255)
const i16 = (value: number) => Math.round(Math.min(32_767, Math.max(-32_768, value)))
const placeOf = ({ x, y, z }: Frame) => inWorld(WORLD, x, y, z)
const tick = ({ upTime }: Frame) => FIRST_TICK + Math.round(upTime * 1000)

const writeName = (bytes: Buffer, name: string, at: number): void => {
  bytes.fill(GARBAGE, at, at + NAME_BYTES)
  const written = bytes.write(name, at, NAME_BYTES - 1)
  bytes[at + written] = 0
}

const nameOf = (index: number, { driver }: Scene) => (index === PLAYER ? driver : `Rival ${index + 1}`)

/** The last lap and sector of a participant, s. */
export interface Times {
  readonly lastLap: number
  readonly lastSector: number
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
    this.#timings = Buffer.alloc(build === 559 ? 1063 : 1059)
  }

  telemetry(frame: Frame, viewed: number): Buffer {
    const { fuel, shiftUp } = this.#scene.vehicle
    const bytes = this.#headed(this.#telemetry, 0)
    bytes.writeInt8(viewed, 12)
    bytes[13] = u8(frame.throttle)
    bytes[14] = u8(frame.brake)
    const steering = i8(steeringIn(WORLD, frame.steering))
    bytes.writeInt8(steering, 15)
    bytes.writeInt16LE(95, 18)
    bytes[28] = Math.round(fuel)
    bytes[29] = u8(frame.brake)
    bytes[30] = u8(frame.throttle)
    bytes.writeFloatLE(0.5, 32)
    bytes.writeFloatLE(frame.speed / 3.6, 36)
    bytes.writeUInt16LE(Math.round(frame.rpm), 40)
    bytes.writeUInt16LE(Math.round(shiftUp * 1.04), 42)
    bytes.writeInt8(steering, 44)
    bytes[45] = 0x60 | (frame.gear < 0 ? REVERSE : frame.gear)
    if (this.#build >= 556) {
      for (const [n, value] of placeOf(frame).entries()) bytes.writeFloatLE(value, 542 + 4 * n)
    }
    if (this.#build === 559) bytes.writeUInt32LE(tick(frame), 555)
    return bytes
  }

  timings(frame: Frame): Buffer {
    const bytes = this.#headed(this.#timings, 3)
    bytes.writeInt8(PARTICIPANTS, 12)
    bytes.writeFloatLE(-1, 17)
    for (let index = 0; index < PARTICIPANTS; index++) {
      const at = 33 + 32 * index
      bytes[at + 14] = ACTIVE | (index + 1)
      bytes.writeUInt16LE(index === PLAYER ? HUMAN | VEHICLE : index % 2, at + 18)
      bytes[at + 20] = RaceState.racing
      bytes[at + 21] = 1
      bytes.writeFloatLE(-1, at + 22)
      bytes.writeFloatLE(-1, at + 26)
    }
    this.#player(bytes, 33 + 32 * PLAYER, frame)
    bytes.writeUInt16LE(PLAYER, 1057)
    if (this.#build === 559) bytes.writeUInt32LE(tick(frame), 1059)
    return bytes
  }

  #player(bytes: Buffer, at: number, frame: Frame): void {
    const { finished, lap, lapDistance, lapTime, sector } = frame
    const [first, second] = lap.sectors
    for (const [n, value] of placeOf(frame).entries()) bytes.writeInt16LE(i16(value), at + 2 * n)
    bytes.writeUInt16LE(Math.floor(lapDistance), at + 12)
    bytes[at + 15] = sector + 1
    // Who left the track did so somewhere on the way.
    const isInvalid = !lap.valid && lapDistance > this.#scene.circuit.length / 2
    bytes[at + 20] = (finished ? RaceState.finished : RaceState.racing) | (isInvalid ? INVALID : 0)
    // The count stays at the flag.
    bytes[at + 21] = finished ? lap.lapNumber - 1 : lap.lapNumber
    const since = sector === 0 ? lapTime : sector === 1 ? lapTime - first : lapTime - first - second
    bytes.writeFloatLE(finished ? -1 : lapTime, at + 22)
    bytes.writeFloatLE(finished ? -1 : since, at + 26)
  }

  timeStats({ lastLap, lastSector }: Times): Buffer {
    const bytes = this.#headed(Buffer.alloc(1040), 7)
    for (let index = 0; index < PARTICIPANTS; index++) {
      const at = 16 + 32 * index
      for (const offset of [0, 4, 8, 12, 16, 20]) bytes.writeFloatLE(-1, at + offset)
    }
    bytes.writeFloatLE(lastLap, 16 + 32 * PLAYER + 4)
    bytes.writeFloatLE(lastSector, 16 + 32 * PLAYER + 8)
    return bytes
  }

  gameState(state: number): Buffer {
    const bytes = this.#headed(Buffer.alloc(24), 4)
    bytes[14] = state | (RACE << 4)
    return bytes
  }

  /** Where, who and in what, in as many packets as it takes. */
  names(): ReadonlyArray<Buffer> {
    return [this.#definition(), this.#names(1), this.#names(2), this.#vehicles(), this.#classes()]
  }

  #definition(): Buffer {
    const { circuit } = this.#scene
    const bytes = this.#headed(Buffer.alloc(308), 1)
    for (const at of [12, 16, 20, 24, 28, 32, 36, 40]) bytes.writeFloatLE(-1, at)
    bytes.writeFloatLE(circuit.length, 44)
    for (const at of [48, 176]) writeName(bytes, circuit.name, at)
    for (const at of [112, 240]) writeName(bytes, "GP", at)
    bytes.writeUInt16LE(0x8006, 304)
    return bytes
  }

  /** Parts are counted from 1. */
  #names(part: number): Buffer {
    const bytes = this.#headed(Buffer.alloc(1136), 2, part, 2)
    for (let i = 0; i < NAMES_A_PACKET; i++) {
      const index = (part - 1) * NAMES_A_PACKET + i
      writeName(bytes, index < PARTICIPANTS ? nameOf(index, this.#scene) : "", 16 + NAME_BYTES * i)
      bytes.writeUInt16LE(index, 1104 + 2 * i)
    }
    return bytes
  }

  #vehicles(): Buffer {
    const bytes = this.#headed(Buffer.alloc(1164), 8, 1, 2)
    for (let i = 0; i < 16; i++) {
      const at = 12 + 72 * i
      bytes.writeUInt16LE(i, at)
      writeName(bytes, i === VEHICLE ? this.#scene.vehicle.name : i < VEHICLE ? `Other car ${i}` : "", at + 8)
    }
    return bytes
  }

  #classes(): Buffer {
    const bytes = this.#headed(Buffer.alloc(1452), 8, 2, 2)
    bytes.writeUInt32LE(1, 12)
    bytes.write("Formula\0", 16)
    return bytes
  }

  #headed(bytes: Buffer, type: number, part = 1, parts = 1): Buffer {
    const number = (this.#numbers.get(type) ?? 0) + 1
    this.#numbers.set(type, number)
    bytes.writeUInt32LE(++this.#number, 0)
    bytes.writeUInt32LE(number, 4)
    bytes[8] = part
    bytes[9] = parts
    bytes[10] = type
    bytes[11] = 2
    return bytes
  }
}
