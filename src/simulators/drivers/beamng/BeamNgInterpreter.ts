/**
 * Reads OutGauge and MotionSim of BeamNG.drive together from one port (sheet beamng-outgauge-motionsim).
 *
 * A point is an OutGauge packet with the newest motion; where OutGauge does not arrive, it is a MotionSim packet. Neither has
 * a clock, a number, a lap, a name or the wheel's angle. So times are those of arrival (but see MotionClock), laps are cut
 * at the user's start line, and late or repeated packets and pauses are found by what a moving car cannot do.
 */
import { channelSet } from "../../../domain/ChannelSet.ts"
import type { StartLine } from "../../../domain/SimulatorEvent.ts"
import type { Interpreter } from "../../udp/Protocol.ts"
import { type EventBuffer, newSample, type Sample } from "../../EventBuffer.ts"
import { share } from "../../packets/conversions.ts"
import { distance, isOvertaken, MOVING, type Moving, PAUSED_AFTER_S, speedOf } from "../../packets/Moving.ts"
import { outGauge } from "../outgauge/layout.ts"
import { BeamNgChannels } from "./BeamNgChannels.ts"
import { gearOf, hasNoVehicle, problemWith } from "./decodeGauge.ts"
import { decodeMotion, isMotion } from "./decodeMotion.ts"
import { MotionClock } from "./MotionClock.ts"

/** The session starts when both protocols have arrived, or when one has arrived for this long, s. */
const BOTH_WITHIN_S = 1
/** The maximum number of points that wait for the start; the fastest rate gives fewer. */
const MAX_WAITING = 4096
/**
 * A car that moved further than `JUMP_M` (m) plus `MAX_SPEED` (m/s) for the time that passed was reset: another session
 * begins.
 */
const JUMP_M = 50
const MAX_SPEED = 150
/**
 * A longer step than the car can drive is believed only with the motion after it. The limit allows `AT_ONCE_S` (s) for
 * packets that were delayed and arrive together, and `SHAPE_M` (m) for the car's shape, which changes in a crash.
 */
const AT_ONCE_S = 0.05
const SHAPE_M = 1
/** Timestamps in epoch seconds have this resolution, s. */
const STEP_S = 1e-6

const KMH = 3.6
const { read } = outGauge

/** How far a car goes from one motion to the other, m. */
const reachOf = (from: Moving, to: Moving, passed: number): number =>
  SHAPE_M + Math.max(speedOf(from), speedOf(to)) * (passed + AT_ONCE_S)

/** The channels of each protocol alone. */
const reportedByGauge = channelSet("speed", "rpm", "gear", "throttle", "brake")
const reportedByMotion = channelSet("speed", "position_x", "position_y", "position_z")
const reportedByBoth = reportedByGauge | reportedByMotion

export class BeamNgInterpreter implements Interpreter {
  readonly #startLine: StartLine | undefined
  readonly #sample: Sample = newSample()
  readonly #clock = new MotionClock()
  readonly #channels = new BeamNgChannels()
  /** Points from before the session's start; undefined after it. */
  #waiting: Array<Sample> | undefined = []
  /** Whether the first session and its points wait for a second motion near the first. */
  #isUnsure = false
  #first = Number.NaN
  #gauge: Buffer | undefined
  #motion: Moving | undefined
  #motionAt = 0
  #motionBytes: Buffer | undefined
  /** The time of the newest motion. */
  #now = Number.NaN
  /** The newest motion that was too far from the last for the car to have driven. */
  #elsewhere: Moving | undefined
  /** Whether a new value came since the last point, and when the last new value came. */
  #isNews = false
  #newsAt = 0
  #time = Number.NEGATIVE_INFINITY

  /** `startLine`: where laps begin, in metres of x and y. */
  constructor(startLine: StartLine | undefined) {
    this.#startLine = startLine
  }

  simulator(): string {
    return "BeamNG.drive"
  }

  datagram(bytes: Buffer, arrival: number, events: EventBuffer): void {
    if (Number.isNaN(this.#first)) this.#first = arrival
    if (isMotion(bytes)) this.#readMotion(bytes, arrival, events)
    else this.#readGauge(bytes, arrival, events)
    this.#settle(arrival, events)
  }

  readonly end = (events: EventBuffer): void => this.#startWaiting(events)

  #readGauge(bytes: Buffer, arrival: number, events: EventBuffer): void {
    const problem = problemWith(bytes)
    if (problem !== undefined) return events.refuse(problem)
    if (hasNoVehicle(bytes)) return
    // Points that MotionSim gave before the first OutGauge packet are dropped.
    if (this.#gauge === undefined && this.#waiting !== undefined) this.#waiting = []
    if (this.#gauge?.equals(bytes) !== true) this.#isNews = true
    this.#gauge = bytes
    if (this.#isOld(Math.abs(read.Speed(bytes)), arrival, events)) return
    const sample = this.#sample
    const motion = this.#motion
    sample.declared = motion === undefined ? reportedByGauge : reportedByBoth
    // The gauge's speed is that of the wheels.
    sample.speed = (motion === undefined ? read.Speed(bytes) : speedOf(motion)) * KMH
    sample.rpm = read.RPM(bytes)
    sample.gear = gearOf(bytes)
    sample.throttle = share(read.Throttle(bytes))
    sample.brake = share(read.Brake(bytes))
    this.#channels.gauge(bytes)
    this.#point(this.#clock.beside(arrival), events)
  }

  #readMotion(bytes: Buffer, arrival: number, events: EventBuffer): void {
    const motion = decodeMotion(bytes)
    if (typeof motion === "string") return events.refuse(motion)
    if (!this.#take(motion, arrival, events)) {
      if (this.#gauge === undefined && this.#waiting === undefined) events.late()
      return
    }
    if (this.#motionBytes?.equals(bytes) !== true) this.#isNews = true
    this.#motionBytes = bytes
    this.#channels.motion(bytes, this.#now)
    if (this.#waiting === undefined) this.#channels.take(this.#now, events)
    const sample = this.#sample
    sample.x = motion.x
    sample.y = motion.y
    sample.z = motion.z
    if (this.#gauge === undefined) {
      const speed = speedOf(motion)
      if (this.#isOld(speed, arrival, events)) return
      sample.declared = reportedByMotion
      sample.speed = speed * KMH
      this.#point(this.#now, events)
    } else if (this.#waiting !== undefined) {
      // OutGauge arrived just before its motion: its waiting points take this place.
      for (const waiting of this.#waiting) {
        waiting.declared = reportedByBoth
        waiting.speed = speedOf(motion) * KMH
        waiting.x = motion.x
        waiting.y = motion.y
        waiting.z = motion.z
      }
    }
  }

  /** Returns whether this motion is the newest, and keeps it if so. */
  #take(motion: Moving, arrival: number, events: EventBuffer): boolean {
    const newest = this.#motion
    if (newest !== undefined) {
      if (isOvertaken(newest, motion)) return false
      const passed = arrival - this.#motionAt
      const step = distance(newest, motion)
      if (step > reachOf(newest, motion, passed)) {
        const before = this.#elsewhere
        this.#elsewhere = motion
        // One such packet may be broken, or late from before a jump. A second one near it shows where the car is.
        if (before === undefined || distance(before, motion) > reachOf(before, motion, passed)) return false
        if (step > JUMP_M + MAX_SPEED * passed && this.#waiting === undefined) this.#startElsewhere(events)
      }
      this.#startWaiting(events)
    }
    this.#elsewhere = undefined
    this.#now = this.#clock.at(motion, arrival)
    this.#motion = motion
    this.#motionAt = arrival
    return true
  }

  /** A moving car cannot send equal packets: this one is a repetition, or the game is paused. */
  #isOld(speed: number, arrival: number, events: EventBuffer): boolean {
    if (this.#isNews || !(speed > MOVING)) {
      this.#isNews = false
      this.#newsAt = arrival
      return false
    }
    if (this.#waiting === undefined && arrival - this.#newsAt < PAUSED_AFTER_S) events.late()
    return true
  }

  #point(time: number, events: EventBuffer): void {
    this.#time = Math.max(time, this.#time + STEP_S)
    this.#sample.time = this.#time
    if (this.#waiting !== undefined) {
      this.#waiting.push({ ...this.#sample })
      return
    }
    events.point(this.#sample)
    this.#channels.take(this.#time, events)
  }

  /** Starts the session once it is known which protocols arrive. */
  #settle(arrival: number, events: EventBuffer): void {
    const waiting = this.#waiting
    if (waiting === undefined || waiting.length === 0) return
    const both = this.#gauge !== undefined && this.#motion !== undefined
    if (!both && arrival - this.#first < BOTH_WITHIN_S && waiting.length < MAX_WAITING) return
    this.#waiting = undefined
    if (this.#motion === undefined) this.#start(events)
    else {
      this.#channels.begin()
      this.#isUnsure = true
      events.hold()
    }
    for (const sample of waiting) events.point(sample)
    if (this.#motionBytes !== undefined) this.#channels.motion(this.#motionBytes, this.#now)
    if (this.#gauge !== undefined) this.#channels.gauge(this.#gauge)
    this.#channels.take(this.#time, events)
  }

  /** The first motion was right: another follows it, or none will. */
  #startWaiting(events: EventBuffer): void {
    if (this.#isUnsure) this.#startSession(events)
    this.#isUnsure = false
  }

  /** Two motions show the car in another place. If only one showed it in the place before, no session was there. */
  #startElsewhere(events: EventBuffer): void {
    if (!this.#isUnsure) return this.#start(events)
    events.late(events.drop())
    this.#channels.begin()
    events.hold()
  }

  #start(events: EventBuffer): void {
    this.#channels.begin()
    this.#startSession(events)
  }

  #startSession(events: EventBuffer): void {
    events.start({
      circuit: "",
      vehicle: "",
      driver: "",
      datetime: undefined,
      clockZero: undefined,
      circuitLength: undefined,
      startLine: this.#startLine,
      lapsFromLine: true
    })
  }
}
