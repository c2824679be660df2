/** The channels of the player's car. Rare values, of the place and the weather, stay known in the sessions that follow. */
import { ABSENT } from "../../../domain/RowBatch.ts"
import type { EventBuffer } from "../../EventBuffer.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import { PathMotion, Sense, YawSense } from "../../senses.ts"
import { channelsOf } from "./channels.ts"
import type { TelemetryPacket } from "./layout.ts"
import type { FirstSectors } from "../../timekeeping/reportedTimes.ts"

type RarePacket = "gameState" | "participant" | "raceDefinition" | "stats" | "timings"

interface Kept {
  readonly bytes: Buffer
  readonly base: number
}

export class Pc2Channels {
  readonly #rows = new ChannelRows()
  readonly #kept = new Map<RarePacket, Kept>()
  readonly #path = new PathMotion()
  readonly #lateral = new Sense()
  readonly #longitudinal = new Sense()
  readonly #yawRate = new Sense()
  readonly #forward = new Sense()
  readonly #rolling = new Sense()
  readonly #yaw = new YawSense()
  #build: TelemetryPacket | undefined

  /** Called when a session begins. */
  begin(): void {
    this.#rows.begin()
    this.#readKept()
  }

  /** Forgets packets that belong to the session before. */
  forget(...packets: ReadonlyArray<RarePacket>): void {
    for (const packet of packets) this.#kept.delete(packet)
  }

  /** Takes a packet, or the part of it that begins at `base`. */
  keep(packet: RarePacket, bytes: Buffer, base = 0): void {
    this.#kept.set(packet, { bytes, base })
    if (this.#build !== undefined) this.#rows.read(packet, bytes, base)
  }

  /** The sectors of the current lap, s; null where unknown. */
  setSectors([one, two]: FirstSectors): void {
    this.#rows.set("laps.sector1", one ?? ABSENT)
    this.#rows.set("laps.sector2", two ?? ABSENT)
  }

  /** Takes telemetry of the player's own car, in this gear. */
  telemetry(bytes: Buffer, build: TelemetryPacket, gear: number, time: number): void {
    if (build !== this.#build) {
      this.#build = build
      this.#rows.use(channelsOf(build))
      this.#readKept()
    }
    this.#follow(bytes, build, gear, time)
    this.#rows.read("telemetry", bytes)
  }

  /** The rows of the packets since the last point, at this point. */
  take(time: number, events: EventBuffer): void {
    this.#rows.take(time, events)
  }

  #readKept(): void {
    if (this.#build === undefined) return
    for (const [packet, { base, bytes }] of this.#kept) this.#rows.read(packet, bytes, base)
  }

  #follow(bytes: Buffer, { read }: TelemetryPacket, gear: number, time: number): void {
    const path = this.#path
    path.follow(time, read.worldVelocityX(bytes), read.worldVelocityZ(bytes))
    this.#lateral.follow(read.localAccelerationX(bytes), path.lateral)
    this.#longitudinal.follow(read.localAccelerationZ(bytes), path.longitudinal)
    this.#yawRate.follow(read.angularVelocityY(bytes), path.yawRate)
    if (gear > 0) {
      const speed = read.speed(bytes)
      this.#forward.follow(read.localVelocityZ(bytes), speed)
      this.#rolling.follow(read.tyreRPSRL(bytes) + read.tyreRPSRR(bytes), speed)
      this.#yaw.follow(read.orientationY(bytes), path.heading)
    }
    const rows = this.#rows
    rows.set("senses.lateral", this.#lateral.sign)
    rows.set("senses.longitudinal", this.#longitudinal.sign)
    rows.set("senses.yawRate", this.#yawRate.sign)
    rows.set("senses.forward", this.#forward.sign)
    rows.set("senses.rolling", this.#rolling.sign)
    rows.set("senses.yaw", this.#yaw.sign)
    rows.set("senses.yawZero", this.#yaw.zero)
  }
}
