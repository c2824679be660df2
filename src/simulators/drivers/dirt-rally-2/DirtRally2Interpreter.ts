/**
 * Reads DiRT Rally 2.0: points, stages and the laps of rallycross (codemasters-dirt-rally2-and-ea-wrc.md, part A).
 * The game sends no names: a stage is identified by its length, a car by its engine's rates and its gears.
 */
import type { Interpreter } from "../../udp/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import { share } from "../../packets/conversions.ts"
import { timeOfSeconds } from "../../timekeeping/reportedTimes.ts"
import { NEARLY_DONE, type StageMoment } from "../../timekeeping/stageMoments.ts"
import { NAMELESS, Stages } from "../../timekeeping/Stages.ts"
import { Stillness } from "../../packets/Stillness.ts"
import { channels } from "./channels.ts"
import { axesOf, gearOf, isEmpty, problemWith, rpmPerRate, speedAlong } from "./decode.ts"
import { packet } from "./layout.ts"

const { read } = packet

/** The game's clock is the first field. */
const CLOCK_BYTES = 4

/** The progress of a finished run; it is a float. 1e-5 of the longest stage is less than 0.2 m. */
const DONE = 0.999_99

/** A stage is one lap; some of the games say at its end that it is completed. */
const isStage = (bytes: Buffer): boolean => {
  const laps = read.totalLaps(bytes)
  if (laps === 1) return true
  return !(laps > 1) && timeOfSeconds(read.lastLap(bytes)) === null && !(read.lapsCompleted(bytes) > 0)
}

const circuitOf = (bytes: Buffer): StageMoment["circuit"] => {
  if (isStage(bytes)) return undefined
  // Either of them rises at the line.
  const laps = Math.max(read.lap(bytes), read.lapsCompleted(bytes), 0) || 0
  return { laps, lastLap: timeOfSeconds(read.lastLap(bytes)) }
}

/** Rates in rad/s have at most four digits, gears two. */
const carOf = (bytes: Buffer): number =>
  read.maxRate(bytes) * 1e6 + read.idleRate(bytes) * 100 + read.maxGears(bytes)

const momentOf = (bytes: Buffer, isStill: boolean): StageMoment => {
  const length = read.trackLength(bytes)
  const progress = read.progress(bytes)
  const circuit = circuitOf(bytes)
  const isCompleted = circuit === undefined && read.lapsCompleted(bytes) > 0
  const result = isCompleted ? (timeOfSeconds(read.lastLap(bytes)) ?? undefined) : undefined
  return {
    clock: read.totalTime(bytes),
    isStill,
    // Behind the finish the stage's clock may start anew.
    stageTime: Math.max(read.lapTime(bytes), result ?? 0),
    distance: read.distance(bytes),
    length: length > 0 && length < Infinity ? length : 0,
    progress,
    stage: length,
    x: read.positionX(bytes),
    y: read.positionZ(bytes),
    car: carOf(bytes),
    circuit,
    sector1: timeOfSeconds(read.sector1(bytes)),
    sector2: timeOfSeconds(read.sector2(bytes)),
    // The games also call the lap of a driver who retires completed.
    isDone: progress >= DONE || (isCompleted && progress >= NEARLY_DONE),
    isOut: false,
    result
  }
}

const OTHER_AXES = "a packet with the axes of WRC Generations: it has another layout, and cannot be recorded"

export class DirtRally2Interpreter implements Interpreter {
  readonly #channels = new ChannelRows()
  readonly #stages = new Stages(() => {
    this.#channels.begin()
    return NAMELESS
  })
  readonly #stillness = new Stillness(CLOCK_BYTES)
  readonly #sample = newSample()
  readonly #title: string
  /** The car was seen moving in the axes of our packet. */
  #isOurs = false

  constructor(title: string) {
    this.#title = title
    this.#channels.use(channels)
  }

  readonly simulator = (): string => this.#title

  readonly silence = (seconds: number, events: EventBuffer): void => this.#stages.silence(seconds, events)

  readonly end = (events: EventBuffer): void => this.#stages.end(events)

  readonly datagram = (bytes: Buffer, arrival: number, events: EventBuffer): void => {
    const problem = problemWith(bytes)
    if (problem !== undefined) return events.refuse(problem)
    if (isEmpty(bytes)) {
      if (read.speed(bytes) > 0) events.refuse("a moving car whose idle and maximum engine speeds are 0")
      return this.#stages.end(events)
    }
    if (!this.#isOurs) {
      const axes = axesOf(bytes)
      if (axes === "other") return events.refuse(OTHER_AXES)
      this.#isOurs = axes === "ours"
    }
    const moment = momentOf(bytes, this.#stillness.take(bytes))
    const time = this.#stages.read(moment, arrival, events)
    if (time === undefined) return
    const sample = this.#sample
    sample.speed = read.speed(bytes) * 3.6
    sample.rpm = read.engineRate(bytes) * rpmPerRate(read.maxRate(bytes))
    sample.gear = gearOf(read.gear(bytes))
    sample.throttle = read.throttle(bytes)
    sample.brake = read.brake(bytes)
    sample.steering = read.steering(bytes)
    // Right-handed with y up, as in the same maker's F1 games (and in dr2_logger's maps): turned until z is up.
    sample.x = read.positionX(bytes)
    sample.y = -read.positionZ(bytes)
    sample.z = read.positionY(bytes)
    this.#stages.point(sample, time, events)
    this.#rows(bytes, moment.circuit === undefined, time, events)
  }

  #rows(bytes: Buffer, isStage: boolean, time: number, events: EventBuffer): void {
    const rows = this.#channels
    rows.read("telemetry", bytes)
    rows.set("car.velocityForward", speedAlong(bytes, "forward"))
    rows.set("car.velocityRight", speedAlong(bytes, "right"))
    rows.set("run.lapNumber", this.#stages.lapNumber)
    rows.set("run.lapDistance", this.#stages.lapDistance)
    // On a circuit it may be the length of the race.
    rows.set("run.progress", isStage ? share(read.progress(bytes)) : Number.NaN)
    rows.take(time, events)
  }
}
