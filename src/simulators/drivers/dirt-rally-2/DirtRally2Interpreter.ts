/**
 * What DiRT Rally 2.0 says: points, stages and the laps of rallycross (codemasters-dirt-rally2-and-ea-wrc.md, part A).
 * There are no names: a stage is told from others by its length, a car by its engine's rates and its gears.
 */
import type { Interpreter } from "../../datagrams/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { type StageMoment, Stages } from "../codemasters/Stages.ts"
import { float, gearOf, index, problemWith, rpmOf, timeOf } from "./decode.ts"

/** Of the way, as a float: a hand's breadth of the longest stage is missing at most. */
const DONE = 0.999_99

const circuitOf = (bytes: Buffer): StageMoment["circuit"] => {
  const lastLap = timeOf(float(bytes, index.lastLap))
  const completed = float(bytes, index.lapsCompleted)
  const isStage = !(float(bytes, index.totalLaps) > 1) && lastLap === null && !(completed > 0)
  // Either of them goes up at the line; a rally stage is the first lap throughout.
  return isStage ? undefined : { laps: Math.max(float(bytes, index.lap), completed, 0) || 0, lastLap }
}

/** Rates in rad/s have four digits at most, gears one. */
const carOf = (bytes: Buffer): number =>
  float(bytes, index.maxRate) * 1e6 + float(bytes, index.idleRate) * 100 + float(bytes, index.maxGears)

const momentOf = (bytes: Buffer): StageMoment => {
  const length = float(bytes, index.trackLength)
  const progress = float(bytes, index.progress)
  return {
    clock: float(bytes, index.totalTime),
    stageTime: float(bytes, index.lapTime),
    distance: float(bytes, index.distance),
    length: length > 0 && length < Infinity ? length : 0,
    progress,
    stage: length,
    car: carOf(bytes),
    circuit: circuitOf(bytes),
    sector1: timeOf(float(bytes, index.sector1)),
    sector2: timeOf(float(bytes, index.sector2)),
    isDone: progress >= DONE,
    result: undefined
  }
}

export class DirtRally2Interpreter implements Interpreter {
  readonly #stages = new Stages()
  readonly #sample = newSample()

  readonly simulator = (): string => "DiRT Rally 2.0"

  readonly datagram = (bytes: Buffer, arrival: number, events: EventBuffer): void => {
    const problem = problemWith(bytes)
    if (problem !== undefined) return events.refuse(problem)
    const time = this.#stages.read(momentOf(bytes), arrival, events)
    if (time === undefined) return
    const sample = this.#sample
    sample.time = time
    sample.speed = float(bytes, index.speed) * 3.6
    sample.rpm = rpmOf(float(bytes, index.engineRate))
    sample.gear = gearOf(float(bytes, index.gear))
    sample.throttle = float(bytes, index.throttle)
    sample.brake = float(bytes, index.brake)
    sample.steering = float(bytes, index.steering)
    // Right-handed with y up, as in the same maker's F1 games (and in dr2_logger's maps): turned until z is up.
    sample.x = float(bytes, index.x)
    sample.y = -float(bytes, index.z)
    sample.z = float(bytes, index.y)
    sample.lapNumber = this.#stages.lapNumber
    sample.lapDistance = this.#stages.lapDistance
    events.point(sample)
  }
}
