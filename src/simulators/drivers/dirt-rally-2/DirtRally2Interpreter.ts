/**
 * What DiRT Rally 2.0 says: points, stages and the laps of rallycross (codemasters-dirt-rally2-and-ea-wrc.md, part A).
 * There are no names: a stage is told from others by its length, a car by its engine's rates and its gears.
 */
import type { Interpreter } from "../../datagrams/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { NEARLY_DONE, type StageMoment } from "../codemasters/moments.ts"
import { Stages } from "../codemasters/Stages.ts"
import { float, gearOf, index, isEmpty, problemWith, rpmOf, timeOf } from "./decode.ts"

/** Of the way, as a float: a hand's breadth of the longest stage is missing at most. */
const DONE = 0.999_99

/** A stage is one lap, which some of the games say is completed at its end. */
const isStage = (bytes: Buffer): boolean => {
  const laps = float(bytes, index.totalLaps)
  if (laps === 1) return true
  return (
    !(laps > 1) && timeOf(float(bytes, index.lastLap)) === null && !(float(bytes, index.lapsCompleted) > 0)
  )
}

const circuitOf = (bytes: Buffer): StageMoment["circuit"] => {
  if (isStage(bytes)) return undefined
  // Either of them goes up at the line.
  const laps = Math.max(float(bytes, index.lap), float(bytes, index.lapsCompleted), 0) || 0
  return { laps, lastLap: timeOf(float(bytes, index.lastLap)) }
}

/** Rates in rad/s have four digits at most, gears one. */
const carOf = (bytes: Buffer): number =>
  float(bytes, index.maxRate) * 1e6 + float(bytes, index.idleRate) * 100 + float(bytes, index.maxGears)

const momentOf = (bytes: Buffer): StageMoment => {
  const length = float(bytes, index.trackLength)
  const progress = float(bytes, index.progress)
  const circuit = circuitOf(bytes)
  const isCompleted = circuit === undefined && float(bytes, index.lapsCompleted) > 0
  const result = isCompleted ? (timeOf(float(bytes, index.lastLap)) ?? undefined) : undefined
  return {
    clock: float(bytes, index.totalTime),
    // Behind the finish the stage's clock may begin anew.
    stageTime: Math.max(float(bytes, index.lapTime), result ?? 0),
    distance: float(bytes, index.distance),
    length: length > 0 && length < Infinity ? length : 0,
    progress,
    stage: length,
    car: carOf(bytes),
    circuit,
    sector1: timeOf(float(bytes, index.sector1)),
    sector2: timeOf(float(bytes, index.sector2)),
    // The games call the lap of who retires completed, too.
    isDone: progress >= DONE || (isCompleted && progress >= NEARLY_DONE),
    isOut: false,
    result
  }
}

export class DirtRally2Interpreter implements Interpreter {
  readonly #stages = new Stages()
  readonly #sample = newSample()

  readonly simulator = (): string => "DiRT Rally 2.0"

  readonly silence = (seconds: number, events: EventBuffer): void => this.#stages.silence(seconds, events)

  readonly end = (events: EventBuffer): void => this.#stages.end(events)

  readonly datagram = (bytes: Buffer, arrival: number, events: EventBuffer): void => {
    const problem = problemWith(bytes)
    if (problem !== undefined) return events.refuse(problem)
    if (isEmpty(bytes)) {
      if (float(bytes, index.speed) > 0) events.refuse("a car that moves, and has no engine: its rates are 0")
      return this.#stages.rest(events)
    }
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
