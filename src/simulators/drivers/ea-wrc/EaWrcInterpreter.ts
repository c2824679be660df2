/**
 * What EA SPORTS WRC says: points and stages (codemasters-dirt-rally2-and-ea-wrc.md, part B). Names are numbers, which
 * only the game's own folder explains; they tell stages and cars apart.
 */
import type { Interpreter } from "../../datagrams/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import type { StageMoment } from "../codemasters/moments.ts"
import { Stages } from "../codemasters/Stages.ts"
import { gearOf, isFinished, isOut, problemWith, resultOf } from "./decode.ts"
import { channels, IDS_BYTES, tail } from "./layout.ts"

/** Lengths are less than a million metres. */
const stageOf = (bytes: Buffer, length: number): number =>
  bytes.length < IDS_BYTES ? length : (tail.location_id(bytes) * 65_536 + tail.route_id(bytes)) * 1e6 + length

const momentOf = (bytes: Buffer): StageMoment => {
  const distance = channels.stage_current_distance(bytes)
  const length = channels.stage_length(bytes)
  const progress = length > 0 ? distance / length : 0
  return {
    clock: channels.game_total_time(bytes),
    stageTime: channels.stage_current_time(bytes),
    distance,
    length,
    progress,
    stage: stageOf(bytes, length),
    car: bytes.length < IDS_BYTES ? 0 : tail.vehicle_id(bytes),
    circuit: undefined,
    sector1: null,
    sector2: null,
    isDone: progress >= 1 || isFinished(bytes),
    isOut: isOut(bytes),
    result: resultOf(bytes)
  }
}

export class EaWrcInterpreter implements Interpreter {
  readonly #stages = new Stages()
  readonly #sample = newSample()

  readonly simulator = (): string => "EA SPORTS WRC"

  readonly silence = (seconds: number, events: EventBuffer): void => this.#stages.silence(seconds, events)

  readonly end = (events: EventBuffer): void => this.#stages.end(events)

  readonly datagram = (bytes: Buffer, arrival: number, events: EventBuffer): void => {
    const problem = problemWith(bytes)
    if (problem !== undefined) return events.refuse(problem)
    const time = this.#stages.read(momentOf(bytes), arrival, events)
    if (time === undefined) return
    const sample = this.#sample
    sample.time = time
    sample.speed = channels.vehicle_speed(bytes) * 3.6
    sample.rpm = channels.vehicle_engine_rpm_current(bytes)
    sample.gear = gearOf(bytes)
    sample.throttle = channels.vehicle_throttle(bytes)
    sample.brake = channels.vehicle_brake(bytes)
    sample.steering = channels.vehicle_steering(bytes)
    // x left, y up, z forward: left cross up is forward, so it is right-handed, and is turned until z is up.
    sample.x = channels.vehicle_position_x(bytes)
    sample.y = -channels.vehicle_position_z(bytes)
    sample.z = channels.vehicle_position_y(bytes)
    sample.lapNumber = this.#stages.lapNumber
    sample.lapDistance = this.#stages.lapDistance
    events.point(sample)
  }
}
