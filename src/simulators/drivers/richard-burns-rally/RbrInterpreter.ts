/**
 * Reads Richard Burns Rally with the plug-in NGP: points and stages (richard-burns-rally.md). Stage and car are numbers.
 *
 * The game goes on behind the finish, where the stage's time stands still; a run whose packets end before that was given up.
 * A car that is put back on the road gets a penalty, by which the stage's time leaps and no other time does. So the points'
 * clock is that of the physics.
 */
import type { Interpreter } from "../../udp/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import type { StageMoment } from "../../timekeeping/stageMoments.ts"
import { Stages } from "../../timekeeping/Stages.ts"
import { channels, meanWear, wearValues } from "./channels.ts"
import { packet } from "./layout.ts"
import { problemWith } from "./plausible.ts"
import { SpeedUnit } from "./SpeedUnit.ts"
import { StepClock } from "./StepClock.ts"

const { read } = packet

/** The finish is passed where the stage's time stands still for this long, s, while the car moves, m/s, this near to the end, m. */
const STANDS_S = 1
const MOVING = 2
const NEAR_M = 50
/** A packet with the same steps within this time is a repetition; after it the game is paused, s. */
const PAUSED_AFTER_S = 0.25
/** A packet fewer steps than this behind the newest was overtaken on the way: about a second. */
const OVERTAKEN_STEPS = 720
/** The packet's number for neutral; first gear is 2. */
const NEUTRAL = 1

export class RbrInterpreter implements Interpreter {
  readonly #channels = new ChannelRows()
  readonly #stages = new Stages(({ car, stage }) => {
    this.#channels.begin()
    return { circuit: `RBR stage ${stage}`, vehicle: `RBR car ${car}` }
  })
  readonly #clock = new StepClock()
  readonly #speed = new SpeedUnit()
  readonly #sample = newSample()
  /** The length of each stage: the distance to the end before its start, m. */
  readonly #lengths = new Map<number, number>()
  /** The steps of the newest packet, and when it came. */
  #steps = Number.NaN
  #newsAt = Number.NEGATIVE_INFINITY
  #raceTime = Number.NaN
  #isNewRun = false
  /** Since when, on the game's clock, the stage's time has this value. */
  #raceTimeSince = Number.NaN

  constructor() {
    this.#channels.use(channels)
  }

  readonly simulator = (): string => "Richard Burns Rally"

  readonly silence = (seconds: number, events: EventBuffer): void => this.#stages.silence(seconds, events)

  readonly end = (events: EventBuffer): void => this.#stages.end(events)

  readonly datagram = (bytes: Buffer, arrival: number, events: EventBuffer): void => {
    const problem = problemWith(bytes)
    if (problem !== undefined) return events.refuse(problem)
    const steps = read.totalSteps(bytes)
    if (steps === this.#steps) {
      if (arrival - this.#newsAt < PAUSED_AFTER_S) events.late()
      return
    }
    const raceTime = read.raceTime(bytes)
    const clock = this.#clock.at(steps, raceTime)
    const isOvertaken = steps < this.#steps && this.#steps - steps < OVERTAKEN_STEPS
    if (!isOvertaken) this.#follow(steps, raceTime, clock, arrival)
    const moment = this.#momentOf(bytes, clock)
    const time = this.#stages.read(moment, arrival, events)
    if (time !== undefined) this.#point(bytes, time, clock, events)
  }

  #follow(steps: number, raceTime: number, clock: number, arrival: number): void {
    // Another run: the player may have changed the unit.
    if (steps < this.#steps || raceTime < this.#raceTime) {
      this.#speed.reset()
      this.#isNewRun = true
    }
    this.#steps = steps
    this.#newsAt = arrival
    if (raceTime !== this.#raceTime) this.#raceTimeSince = clock
    this.#raceTime = raceTime
  }

  #momentOf(bytes: Buffer, clock: number): StageMoment {
    const stage = read.stageIndex(bytes)
    const stageTime = read.raceTime(bytes)
    const toEnd = read.distanceToEnd(bytes)
    // Stages of a plug-in share a number: the length is the run's.
    const known = this.#isNewRun && stageTime === 0 ? 0 : (this.#lengths.get(stage) ?? 0)
    this.#isNewRun = false
    const length = stageTime === 0 ? Math.max(known, toEnd) : known
    if (length !== known) this.#lengths.set(stage, length)
    const stands = stageTime > 0 ? clock - this.#raceTimeSince : 0
    const isOver = stands > STANDS_S && toEnd < NEAR_M && Math.abs(read.speed(bytes)) > MOVING
    const isDone = stageTime > 0 && (toEnd <= 0 || isOver)
    return {
      clock,
      stageTime,
      distance: length > 0 ? length - toEnd : Number.NaN,
      length,
      // The game reports when a run is over.
      progress: Number.NaN,
      stage,
      x: read.positionX(bytes),
      y: read.positionY(bytes),
      car: read.carIndex(bytes),
      isDone,
      doneFor: stands,
      isOut: false,
      // The stage's time is the result once it stands still.
      result: isDone && stands > 0 ? stageTime : null
    }
  }

  #point(bytes: Buffer, time: number, clock: number, events: EventBuffer): void {
    const sample = this.#sample
    // The plan is x and y, as maps of stages are drawn; no real packets show whether they are mirrored.
    sample.x = read.positionX(bytes)
    sample.y = read.positionY(bytes)
    sample.z = read.positionZ(bytes)
    const velocity = Math.hypot(
      read.velocitySurge(bytes),
      read.velocitySway(bytes),
      read.velocityHeave(bytes)
    )
    sample.speed = this.#speed.read(read.speed(bytes), velocity, sample.x, sample.y, sample.z, clock)
    sample.rpm = read.rpm(bytes)
    sample.gear = read.gear(bytes) - NEUTRAL
    sample.throttle = read.throttle(bytes)
    sample.brake = read.brake(bytes)
    sample.steering = read.steering(bytes)
    this.#stages.point(sample, time, events)
    this.#row(bytes, time, events)
  }

  #row(bytes: Buffer, time: number, events: EventBuffer): void {
    const rows = this.#channels
    rows.read("telemetry", bytes)
    rows.set("run.lapDistance", this.#stages.lapDistance)
    for (let tyre = 0; tyre < wearValues.length; tyre++) rows.set(wearValues[tyre]!, meanWear(bytes, tyre))
    rows.take(time, events)
  }
}
