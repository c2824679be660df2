/**
 * Reads EA SPORTS WRC: points and stages (codemasters-dirt-rally2-and-ea-wrc.md, part B). Names are numbers, which
 * only the game's own folder explains; they identify stages and cars.
 */
import type { Interpreter } from "../../datagrams/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import type { StageMoment } from "../codemasters/moments.ts"
import { Stages } from "../codemasters/Stages.ts"
import { gearOf, isFinished, isOut, problemWith, resultOf } from "./decode.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import { channels, setCar } from "./channels.ts"
import { least, packets } from "./layout.ts"

const { read } = least

/** Lengths are less than a million metres. */
const stageOf = (bytes: Buffer, length: number): number => {
  const { location_id: location, route_id: route } = packets.get(bytes.length)!.read
  return route === undefined ? length : (location(bytes) * 65_536 + route(bytes)) * 1e6 + length
}

/** A packet that tells the stage's number also tells the car's. */
const isNamed = (bytes: Buffer): boolean => packets.get(bytes.length)!.read.route_id !== undefined

const momentOf = (bytes: Buffer): StageMoment => {
  const distance = read.stage_current_distance(bytes)
  const length = read.stage_length(bytes)
  const progress = length > 0 ? distance / length : 0
  return {
    clock: read.game_total_time(bytes),
    stageTime: read.stage_current_time(bytes),
    distance,
    length,
    progress,
    stage: stageOf(bytes, length),
    car: isNamed(bytes) ? packets.get(bytes.length)!.read.vehicle_id(bytes) : 0,
    isDone: progress >= 1 || isFinished(bytes),
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
  readonly #sample = newSample()

  readonly simulator = (): string => "EA SPORTS WRC"

  readonly silence = (seconds: number, events: EventBuffer): void => this.#stages.silence(seconds, events)

  readonly end = (events: EventBuffer): void => this.#stages.end(events)

  readonly datagram = (bytes: Buffer, arrival: number, events: EventBuffer): void => {
    const problem = problemWith(bytes)
    if (problem !== undefined) return events.refuse(problem)
    this.#channels.use(channels.get(bytes.length)!)
    const time = this.#stages.read(momentOf(bytes), arrival, events)
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
}
