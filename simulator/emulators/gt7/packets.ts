/** Gran Turismo 7's side: a frame as the bytes that the console sends (gran-turismo-7.md, sections 2, 3 and 7). */
import { randomInt } from "node:crypto"
import { salsa20 } from "@noble/ciphers/salsa.js"
import { vehicles } from "../../model/vehicles.ts"
import type { Frame, Scene } from "../Emulator.ts"
import { inWorld, steeringIn, type World } from "../World.ts"

export const WORLD: World = {
  axes: "right-handed, y up",
  steering: "left",
  source: "gran-turismo-7, section 6, and overview: measured on a real lap of Spa"
}

/** The byte that asks for a format, its length and by what the halves of its nonce differ. */
export const formats = {
  A: { length: 296, mask: 0xdeadbeaf },
  B: { length: 316, mask: 0xdeadbeef },
  "~": { length: 344, mask: 0x55fabb4f },
  C: { length: 368, mask: 0xdeadbeef }
} as const
export type Heartbeat = keyof typeof formats

const KEY = Buffer.from("Simulator Interface Packet GT7 ver 0.0", "latin1").subarray(0, 32)
const IV = 0x40
/** On track, in gear. */
const DRIVING = 0b1001
/** In gear: the game drives the car on. */
const AFTER_FLAG = 0b1000
const PAUSED = 0b0010
const LOADING = 0b0100
/** A session begins with so many packets of loading, its count at 0. */
const LOADING_PACKETS = 10
/** After every other lap, its time comes so many packets later than its count. */
const LATE_PACKETS = 3
/** Car codes from here on, one a vehicle; none of a real car. */
const FIRST_CAR = 9001
/** Lock to lock, rad. */
const STEERING_LOCK = (900 * Math.PI) / 180

const ms = (time: number | undefined) => (time === undefined ? -1 : Math.round(time * 1000))
const u8 = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 255)

/** Encrypted as the console does; the half of the nonce that the receiver needs is put in clear afterwards. */
export const encrypt = (plain: Buffer, heartbeat: Heartbeat, iv = randomInt(2 ** 32)): Buffer => {
  const nonce = Buffer.alloc(8)
  nonce.writeUInt32LE((iv ^ formats[heartbeat].mask) >>> 0, 0)
  nonce.writeUInt32LE(iv, 4)
  const bytes = Buffer.from(salsa20(KEY, nonce, plain))
  bytes.writeUInt32LE(iv, IV)
  return bytes
}

export class Gt7Packets {
  readonly #scene: Scene
  /** Format C, of which the others are the beginning. */
  readonly #bytes = Buffer.alloc(formats.C.length)
  #session = -1
  #loading = 0
  #lastLap: number | undefined
  #late = 0

  constructor(scene: Scene) {
    this.#scene = scene
  }

  /** In plain, overwritten by the next. */
  encode(frame: Frame, packetId: number): Buffer {
    const bytes = this.#bytes.fill(0)
    if (frame.session !== this.#session) this.#loading = LOADING_PACKETS
    this.#session = frame.session
    const isLoading = this.#loading > 0
    if (isLoading) this.#loading--
    bytes.write("0S7G", 0, "latin1")
    bytes.writeInt32LE(packetId, 0x70)
    this.#car(bytes, frame)
    this.#laps(bytes, frame, isLoading)
    const state = isLoading ? LOADING : frame.finished ? AFTER_FLAG : DRIVING
    bytes.writeInt16LE(frame.paused ? state | PAUSED : state, 0x8e)
    return bytes
  }

  #car(bytes: Buffer, frame: Frame): void {
    const { vehicle } = this.#scene
    const speed = frame.speed / 3.6
    const place = inWorld(WORLD, frame.x, frame.y, frame.z)
    const velocity = inWorld(WORLD, Math.cos(frame.heading) * speed, Math.sin(frame.heading) * speed, 0)
    for (const [n, value] of [...place, ...velocity].entries()) bytes.writeFloatLE(value, 0x04 + 4 * n)
    bytes.writeFloatLE(frame.rpm, 0x3c)
    bytes.writeFloatLE(vehicle.fuel, 0x44)
    bytes.writeFloatLE(100, 0x48)
    bytes.writeFloatLE(speed, 0x4c)
    bytes.writeFloatLE(1, 0x50)
    bytes.writeFloatLE(85, 0x58)
    bytes.writeFloatLE(110, 0x5c)
    bytes.writeInt16LE(Math.round(vehicle.shiftUp * 0.95), 0x88)
    bytes.writeInt16LE(Math.round(vehicle.shiftUp), 0x8a)
    // No gear is suggested.
    bytes.writeUInt8(0xf0 | (frame.gear === 0 ? 15 : Math.max(0, frame.gear)), 0x90)
    bytes.writeUInt8(u8(frame.throttle), 0x91)
    bytes.writeUInt8(u8(frame.brake), 0x92)
    for (let wheel = 0; wheel < 4; wheel++) {
      bytes.writeFloatLE(80, 0x60 + 4 * wheel)
      // Negative when driving forward.
      bytes.writeFloatLE(-speed / vehicle.wheelRadius, 0xa4 + 4 * wheel)
      bytes.writeFloatLE(vehicle.wheelRadius, 0xb4 + 4 * wheel)
    }
    bytes.writeInt32LE(FIRST_CAR + vehicles.indexOf(vehicle), 0x124)
    bytes.writeFloatLE((steeringIn(WORLD, frame.steering) * STEERING_LOCK) / 2, 0x128)
    bytes.writeUInt8(u8(frame.throttle), 0x13c)
    bytes.writeUInt8(u8(frame.brake), 0x13d)
    bytes.write("TTTT", 0x158, "latin1")
    bytes.writeFloatLE(vehicle.wheelbase, 0x168)
    bytes.write("GR3", 0x16c, "latin1")
  }

  #laps(bytes: Buffer, { bestLap, lap, lapEnded, lapTime, lastLap }: Frame, isLoading: boolean): void {
    if (lapEnded && lap.lapNumber % 2 === 1) this.#late = LATE_PACKETS
    if (this.#late > 0) this.#late--
    else this.#lastLap = lastLap?.lapTime
    bytes.writeInt16LE(isLoading ? 0 : lap.lapNumber, 0x74)
    bytes.writeInt32LE(ms(bestLap), 0x78)
    bytes.writeInt32LE(ms(this.#lastLap), 0x7c)
    bytes.writeInt16LE(-1, 0x84)
    bytes.writeInt16LE(-1, 0x86)
    bytes.writeInt32LE(ms(lapTime), 0x15c)
  }
}
