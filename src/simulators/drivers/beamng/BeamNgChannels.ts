/** The channels of the car; the driven path shows the signs. */
import { ABSENT } from "../../../domain/RowBatch.ts"
import type { EventBuffer } from "../../EventBuffer.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import { PathMotion, Sense, YawSense } from "../../senses.ts"
import { channels } from "./channels.ts"
import { motionSim } from "./layout.ts"

const { read } = motionSim
const TURN = 2 * Math.PI

export class BeamNgChannels {
  readonly #rows = new ChannelRows()
  readonly #path = new PathMotion()
  readonly #lateral = new Sense()
  readonly #longitudinal = new Sense()
  readonly #yawRate = new Sense()
  readonly #yaw = new YawSense()

  constructor() {
    this.#rows.use(channels)
    this.#rows.begin()
  }

  /** Called when a session begins. */
  begin(): void {
    this.#rows.begin()
  }

  /** At `time`, s on the feed's clock. */
  motion(bytes: Buffer, time: number): void {
    const rows = this.#rows
    this.#follow(bytes, time)
    rows.read("motion", bytes)
    rows.set("found.lateral", this.#lateral.sign)
    rows.set("found.longitudinal", this.#longitudinal.sign)
    rows.set("found.yawRate", this.#yawRate.sign)
    const yaw = read.yaw(bytes) * this.#yaw.sign + this.#yaw.zero
    rows.set("found.yaw", Number.isNaN(yaw) ? ABSENT : ((yaw % TURN) + TURN) % TURN)
    const [x, y] = [read.upX(bytes), read.upY(bytes)]
    // The up vector leans back where the nose is up, and to the right where the right side is down.
    rows.set("found.pitch", -Math.asin(x * Math.sin(yaw) + y * Math.cos(yaw)))
    rows.set("found.roll", Math.asin(x * Math.cos(yaw) - y * Math.sin(yaw)))
  }

  gauge(bytes: Buffer): void {
    this.#rows.read("gauge", bytes)
  }

  take(time: number, events: EventBuffer): void {
    this.#rows.take(time, events)
  }

  #follow(bytes: Buffer, time: number): void {
    const path = this.#path
    path.follow(time, read.velocityX(bytes), read.velocityY(bytes))
    this.#yaw.follow(read.yaw(bytes), path.heading)
    this.#yawRate.follow(read.yawRate(bytes), path.yawRate)
    // On a straight path, world axes look like the car's axes.
    const hasTurned = !Number.isNaN(this.#yaw.sign)
    this.#lateral.follow(read.accelerationX(bytes), path.lateral, hasTurned)
    this.#longitudinal.follow(read.accelerationY(bytes), path.longitudinal, hasTurned)
  }
}
