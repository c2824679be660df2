/**
 * Reads EA SPORTS WRC: points and stages (codemasters-dirt-rally2-and-ea-wrc.md, part B). Names are numbers, which
 * only the game's own folder explains; they identify stages and cars.
 */
import type { Interpreter } from "../../udp/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import type { StageMoment } from "../../timekeeping/stageMoments.ts"
import { Stages } from "../../timekeeping/Stages.ts"
import { Stillness } from "../../packets/Stillness.ts"
import { gearOf, isFinished, isOut, ownLength, problemWith, resultOf } from "./decode.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import { channels, setCar } from "./channels.ts"
import { least, packets } from "./layout.ts"

const { read, readBig } = least

/** The packet's and the frame's number, and the game's clock, are the first fields. */
const CLOCK_BYTES = 24

/** The structure that was heard first is read until another was heard alone for this long, s. */
const HANDED_OVER_AFTER_S = 5

/** Lengths are less than a million metres. */
const stageOf = (bytes: Buffer, length: number): number => {
  const { location_id: location, route_id: route } = packets.get(bytes.length)!.read
  return route === undefined ? length : (location(bytes) * 65_536 + route(bytes)) * 1e6 + length
}

/** A packet that has the stage's number also has the car's. */
const isNamed = (bytes: Buffer): boolean => packets.get(bytes.length)!.read.route_id !== undefined

const momentOf = (bytes: Buffer, isStill: boolean): StageMoment => {
  const distance = read.stage_current_distance(bytes)
  const length = read.stage_length(bytes)
  const progress = length > 0 ? distance / length : 0
  return {
    clock: read.game_total_time(bytes),
    order: Number(readBig.game_frame_count(bytes)),
    isStill,
    stageTime: read.stage_current_time(bytes),
    distance,
    length,
    progress,
    stage: stageOf(bytes, length),
    x: read.vehicle_position_x(bytes),
    y: read.vehicle_position_z(bytes),
    car: isNamed(bytes) ? packets.get(bytes.length)!.read.vehicle_id(bytes) : 0,
    isDone: progress >= 1 || isFinished(bytes),
    runsOn: true,
    isOut: isOut(bytes),
    result: resultOf(bytes)
  }
}

export class EaWrcInterpreter implements Interpreter {
  readonly #channels = new ChannelRows()
  readonly #stages = new Stages(() => {
    this.#channels.begin()
    return { circuit: "", vehicle: "" }
  })
  readonly #stillness = new Stillness(CLOCK_BYTES)
  readonly #sample = newSample()
  /** The length of the structure that is read, and of the part of it that is ours in all of its packets. */
  #length = 0
  #ownLength = 0
  #otherSince: number | undefined

  readonly simulator = (): string => "EA SPORTS WRC"

  readonly silence = (seconds: number, events: EventBuffer): void => this.#stages.silence(seconds, events)

  readonly end = (events: EventBuffer): void => this.#stages.end(events)

  readonly datagram = (packet: Buffer, arrival: number, events: EventBuffer): void => {
    const problem = problemWith(packet) ?? this.#otherStructure(packet, arrival)
    if (problem !== undefined) return events.refuse(problem)
    this.#ownLength = Math.min(this.#ownLength, ownLength(packet))
    const bytes = packet.subarray(0, this.#ownLength)
    this.#channels.use(channels.get(bytes.length)!)
    const time = this.#stages.read(momentOf(bytes, this.#stillness.take(bytes)), arrival, events)
    if (time === undefined) return
    const sample = this.#sample
    sample.speed = read.vehicle_speed(bytes) * 3.6
    sample.rpm = read.vehicle_engine_rpm_current(bytes)
    sample.gear = gearOf(bytes)
    sample.throttle = read.vehicle_throttle(bytes)
    sample.brake = read.vehicle_brake(bytes)
    sample.steering = read.vehicle_steering(bytes)
    // x left, y up, z forward: left cross up is forward, so the world is right-handed; it is rotated until z is up.
    sample.x = read.vehicle_position_x(bytes)
    sample.y = -read.vehicle_position_z(bytes)
    sample.z = read.vehicle_position_y(bytes)
    this.#stages.point(sample, time, events)
    this.#channels.read("update", bytes)
    setCar(this.#channels, bytes)
    this.#channels.take(time, events)
  }

  /** Why the packet is not read: the game sends a second structure to this port, which would give each moment twice. */
  #otherStructure({ length }: Buffer, arrival: number): string | undefined {
    if (length !== this.#length) {
      this.#otherSince ??= arrival
      if (this.#length > 0 && arrival - this.#otherSince < HANDED_OVER_AFTER_S)
        return `a packet of another structure, of ${length} bytes, among those of ${this.#length}`
      this.#length = length
      this.#ownLength = length
    }
    this.#otherSince = undefined
    return undefined
  }
}
