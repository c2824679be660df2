/** Forza's side of "Data Out": a frame as the bytes that the game sends (forza-data-out.md, sections 3 to 5 and 8). */
import { vehicles } from "../../model/vehicles.ts"
import type { Frame, Scene } from "../Emulator.ts"
import { inWorld, steeringIn, type World } from "../World.ts"

export const WORLD: World = {
  axes: "left-handed, y up",
  steering: "right",
  source: "overview, and forza-data-out, sections 3 and 5: the documented axes; unproven by a map"
}

export type Game = "motorsport7" | "motorsport" | "horizon"

const LENGTHS: { readonly [G in Game]: number } = { motorsport7: 311, horizon: 324, motorsport: 331 }
/** Horizon's own fields stand before the dash part. */
const HORIZON_SHIFT = 12
/** Horizon's last byte is spare, and some report packets without it: one in so many. */
const WITHOUT_SPARE = 60
/** TimestampMS wraps around this long after the emulator's start, s. */
const WRAPS_AFTER_S = 5
/** "Shifting" is shown instead of a gear for so long, s. */
const SHIFT_S = 0.05
const SHIFTING = 11
/** Car ordinals from here on, one a vehicle; none of a real car. */
const FIRST_CAR = 9001
/** Maple Valley: no real place either. */
const TRACK = 67

const u8 = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 255)

export class DataOut {
  readonly #game: Game
  readonly #scene: Scene
  readonly #bytes: Buffer
  #gear: number | undefined
  #shiftedAt = -Infinity
  #lastLap: number | undefined

  constructor(game: Game, scene: Scene) {
    this.#game = game
    this.#scene = scene
    this.#bytes = Buffer.alloc(LENGTHS[game])
  }

  /** Overwritten by the next. */
  encode(frame: Frame): Buffer {
    const bytes = this.#bytes.fill(0)
    bytes.writeUInt32LE(Math.floor((frame.upTime - WRAPS_AFTER_S) * 1000 + 0.5) >>> 0, 4)
    if (!frame.paused) {
      bytes.writeInt32LE(1, 0)
      this.#sled(bytes, frame)
      this.#dash(bytes, this.#game === "horizon" ? HORIZON_SHIFT : 0, frame)
      if (this.#game === "motorsport") bytes.writeInt32LE(TRACK, 327)
    }
    const isShort = this.#game === "horizon" && frame.index % WITHOUT_SPARE === WITHOUT_SPARE - 1
    return isShort ? bytes.subarray(0, -1) : bytes
  }

  #sled(bytes: Buffer, { heading, rpm, speed }: Frame): void {
    const { vehicle } = this.#scene
    bytes.writeFloatLE(vehicle.shiftUp * 1.04, 8)
    bytes.writeFloatLE(vehicle.idle, 12)
    bytes.writeFloatLE(rpm, 16)
    // In the car's frame: forward.
    bytes.writeFloatLE(speed / 3.6, 40)
    // Clockwise from Z seen from above, as left-handed frames turn.
    bytes.writeFloatLE(Math.PI / 2 - heading, 56)
    for (let wheel = 0; wheel < 4; wheel++) {
      bytes.writeFloatLE(0.4, 68 + 4 * wheel)
      bytes.writeFloatLE(speed / 3.6 / vehicle.wheelRadius, 100 + 4 * wheel)
    }
    bytes.writeInt32LE(FIRST_CAR + vehicles.indexOf(vehicle), 212)
    bytes.writeInt32LE(4, 216)
    bytes.writeInt32LE(750, 220)
    bytes.writeInt32LE(1, 224)
    bytes.writeInt32LE(8, 228)
  }

  #dash(bytes: Buffer, shift: number, frame: Frame): void {
    const { circuit } = this.#scene
    const { bestLap, brake, lap, lapDistance, lapEnded, lastLap, speed, throttle } = frame
    for (const [n, value] of inWorld(WORLD, frame.x, frame.y, frame.z).entries()) {
      bytes.writeFloatLE(value, 232 + 4 * n + shift)
    }
    bytes.writeFloatLE(speed / 3.6, 244 + shift)
    for (let wheel = 0; wheel < 4; wheel++) bytes.writeFloatLE(195, 256 + 4 * wheel + shift)
    bytes.writeFloatLE(0.8, 276 + shift)
    bytes.writeFloatLE((lap.lapNumber - 1) * circuit.length + lapDistance, 280 + shift)
    bytes.writeFloatLE(bestLap ?? 0, 284 + shift)
    // After every other lap, its time comes a packet later than its count.
    const isLate = lapEnded && lap.lapNumber % 2 === 1
    bytes.writeFloatLE((isLate ? this.#lastLap : lastLap?.lapTime) ?? 0, 288 + shift)
    this.#lastLap = lastLap?.lapTime
    bytes.writeFloatLE(frame.lapTime, 292 + shift)
    bytes.writeFloatLE(frame.sessionTime, 296 + shift)
    bytes.writeUInt16LE(lap.lapNumber - 1, 300 + shift)
    bytes.writeUInt8(1, 302 + shift)
    bytes.writeUInt8(u8(throttle), 303 + shift)
    bytes.writeUInt8(u8(brake), 304 + shift)
    bytes.writeUInt8(this.#gearOf(frame), 307 + shift)
    bytes.writeInt8(
      Math.round(steeringIn(WORLD, Math.min(1, Math.max(-1, frame.steering))) * 127),
      308 + shift
    )
  }

  #gearOf({ gear, upTime }: Frame): number {
    if (this.#gear !== undefined && gear !== this.#gear) this.#shiftedAt = upTime
    this.#gear = gear
    if (upTime - this.#shiftedAt < SHIFT_S || gear === 0) return SHIFTING
    return gear < 0 ? 0 : gear
  }
}
