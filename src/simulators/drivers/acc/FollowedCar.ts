/**
 * The points and laps of one car in one session after another. The protocol does not say which car is the player's: the
 * driver follows the car that is in focus when the link or a session begins, whatever the cameras show later.
 *
 * In each interval the game sends the session's time and then every car, so a car's update has the time of the session
 * update before it. Where that update was lost, the lap's clock shows how far the session's clock advanced.
 */
import { channelSet } from "../../../domain/ChannelSet.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { type Relation, relate, SLACK_S, SequenceFilter } from "../../timekeeping/SequenceFilter.ts"
import type { Moment } from "../../timekeeping/Moment.ts"
import { Timekeeper } from "../../timekeeping/Timekeeper.ts"
import { Timeline } from "../../timekeeping/Timeline.ts"
import { timeOfMs } from "../../timekeeping/reportedTimes.ts"
import { AccChannels } from "./AccChannels.ts"
import type { Entries } from "./Entries.ts"
import { type CarUpdate, type LapInfo, PIT_LANE, type SessionUpdate } from "./layout.ts"

/**
 * The gear on the wire less ours: 0 is reverse and 1 neutral. The game's own sample code says 2; three programs in use say 1
 * (sheet, section 6), and a fourth tried both on the game in July 2026: with 2 every gear was one too low.
 */
const GEAR_OFFSET = 1
/** The phases of a session in which cars drive: from the formation lap until the last car has finished. */
const FIRST_PHASE = 1
const POST_SESSION = 7
/** A car is gone when it sent no update for this many seconds and for this many session updates. */
const CAR_WITHIN_S = 5
const CAR_WITHIN = 3

/** The channels of a car update: it has no height, engine speed, pedals or wheel. */
const declared = channelSet("speed", "gear", "position_x", "position_y")

const isSameSession = (a: SessionUpdate, b: SessionUpdate) =>
  a.eventIndex === b.eventIndex && a.sessionIndex === b.sessionIndex && a.sessionType === b.sessionType

const updateRelation = (last: SessionUpdate, next: SessionUpdate, elapsed: number): Relation =>
  isSameSession(last, next) ? relate(last.sessionTime / 1000, next.sessionTime / 1000, elapsed) : "back"

/**
 * A packet of the lap before arrives at most this long after the line, s. A later one shows that no line was crossed.
 */
const OVERTAKEN_S = 0.25

/** Compares completed laps, then the time of the current lap, which may stop while the session's time runs. */
const carRelation = (last: CarUpdate, next: CarUpdate, elapsed: number): Relation => {
  const laps = next.laps - last.laps
  const before = last.currentLap.laptimeMs
  const now = next.currentLap.laptimeMs
  if (before === null || now === null) return laps < 0 ? "back" : laps > 1 ? "ahead" : "next"
  if (laps === 1) return now / 1000 <= elapsed + SLACK_S ? "next" : "ahead"
  if (laps === 0) return relate(before / 1000, now / 1000, elapsed)
  const isOvertaken = laps === -1 && before < SLACK_S * 1000 && now > before && elapsed < OVERTAKEN_S
  return isOvertaken ? "late" : laps < 0 ? "back" : "ahead"
}

/** Whether the update is a repetition: the car is at the same place, although it moves. */
const cameTwice = (last: CarUpdate | undefined, next: CarUpdate) =>
  last !== undefined &&
  next.kmh > 0 &&
  last.worldPosX === next.worldPosX &&
  last.worldPosY === next.worldPosY &&
  last.currentLap.laptimeMs === next.currentLap.laptimeMs

/** Laps out of the pits and into the pits are invalid (contract, section 4). */
const counts = (lap: LapInfo): boolean => !lap.isInvalid && !lap.isOutlap && !lap.isInlap

export class FollowedCar {
  readonly #entries: Entries
  readonly #updates = new SequenceFilter(updateRelation)
  readonly #moves = new SequenceFilter(carRelation)
  readonly #timeline = new Timeline()
  readonly #moment: Moment = { time: Number.NaN, lapNumber: Number.NaN, clock: Number.NaN, lastLap: null }
  readonly #sample = newSample(declared)
  readonly #channels = new AccChannels()
  /** The offset of the feed's clock from the session's, s: the first reading of the feed's clock is the arrival. */
  #ahead: number | undefined
  #update: SessionUpdate | undefined
  #car: CarUpdate | undefined
  #driverIndex = Number.NaN
  #driver = ""
  /** When the car was last heard, and the number of session updates since then. */
  #carAt = Number.NaN
  #sinceCar = 0
  /** Whether the session update still has no point. */
  #isDue = false
  /** Whether a car update gives no point, and none is missing: in a pause, a replay, or the menus after the session. */
  #stands = false
  /** The session's time at the last point, s. */
  #clock = Number.NaN
  readonly #timekeeper = new Timekeeper(
    () => ({
      ...this.#entries.namesOf(this.carIndex ?? Number.NaN, this.#car?.driverIndex ?? 0),
      circuitLength: this.#entries.trackLength
    }),
    () => this.#channels.begin(),
    () => this.#entries.hasTrack && !this.isUnknown
  )
  /** The followed car. */
  carIndex: number | undefined

  constructor(entries: Entries) {
    this.#entries = entries
  }

  /** Whether the car's entry should be requested. */
  get isUnknown(): boolean {
    const { carIndex } = this
    return carIndex !== undefined && !this.#entries.hasCar(carIndex, this.#car?.driverCount)
  }

  session(update: SessionUpdate, arrival: number, events: EventBuffer): void {
    const last = this.#update
    this.#sinceCar++
    // The times of a replay are not those of the session.
    if (update.isReplayPlaying) {
      this.#rest()
      this.#heardOf(arrival)
      return
    }
    const verdict = this.#updates.take(update, arrival)
    if (verdict === "late") return
    this.#stands = verdict === "same"
    this.#isDue = verdict === "same" ? this.#isDue : verdict !== "unsure"
    if (verdict === "unsure") return
    this.#update = update
    if (verdict === "back") {
      const stays = last !== undefined && isSameSession(last, update)
      this.#leave(stays ? this.carIndex : undefined, events)
    }
    if (arrival - this.#carAt > CAR_WITHIN_S && this.#sinceCar > CAR_WITHIN) this.#leave(undefined, events)
    if (this.carIndex === undefined && update.focusedCarIndex >= 0) this.carIndex = update.focusedCarIndex
    if (Number.isNaN(this.#carAt)) this.#heardOf(arrival)
    if (update.phase < FIRST_PHASE || update.phase >= POST_SESSION) this.#rest()
    if (update.phase >= POST_SESSION && this.#timekeeper.isBegun) {
      this.#timekeeper.end(events)
      this.#leave(this.carIndex, events)
    }
  }

  drove(car: CarUpdate, arrival: number, events: EventBuffer): void {
    const update = this.#update
    this.#heardOf(arrival)
    if (update === undefined || (this.#stands && !this.#isDue)) return
    const verdict = this.#moves.take(car, arrival)
    const clock = this.#isDue ? update.sessionTime / 1000 : this.#goneOn(car)
    if (verdict === "late" || verdict === "unsure" || clock === undefined || cameTwice(this.#car, car)) {
      return this.#timekeeper.isBegun ? events.late() : undefined
    }
    this.#isDue = false
    this.#clock = clock
    this.#ahead ??= arrival - clock
    const time = this.#timeline.at(clock + this.#ahead, arrival)
    if (time === undefined) return events.late()
    this.#car = car
    this.#read(car, time)
    this.#timekeeper.read(this.#moment, arrival, events)
    this.#point(car, time, events)
    this.#channels.tell(car, update, clock, this.#sample, events)
  }

  /** Called after each message, which may have brought the session's names. */
  settle(arrival: number, events: EventBuffer): void {
    this.#timekeeper.settle(arrival, events)
  }

  /** The link ends. */
  linkLost(events: EventBuffer): void {
    this.#timekeeper.linkLost(events)
  }

  /** The followed car has left. The car in focus is followed from the next update on. */
  lose(events: EventBuffer): void {
    this.#leave(undefined, events)
  }

  #heardOf(arrival: number): void {
    this.#carAt = arrival
    this.#sinceCar = 0
  }

  /** No points follow for now, and none of them count as missing. */
  #rest(): void {
    this.#isDue = false
    this.#stands = true
  }

  /**
   * The session's clock by the lap's clock, where the session update was lost; undefined where the car's update is not
   * new.
   */
  #goneOn({ currentLap, laps }: CarUpdate): number | undefined {
    const last = this.#car
    const before = last?.currentLap.laptimeMs ?? Infinity
    const now = currentLap.laptimeMs ?? -Infinity
    return last?.laps === laps && now > before ? this.#clock + (now - before) / 1000 : undefined
  }

  /** The next points belong to another session, of this car or of one that is still to be chosen. */
  #leave(carIndex: number | undefined, events: EventBuffer): void {
    this.#timekeeper.leave(events)
    this.carIndex = carIndex
    this.#driverIndex = Number.NaN
    this.#driver = ""
    this.#carAt = Number.NaN
    this.#car = undefined
    this.#timeline.restart()
    this.#moves.reset()
  }

  /** Cars are shared: the driver may change in the pits. */
  #driverOf(index: number): string {
    if (index !== this.#driverIndex || this.#driver === "") {
      this.#driverIndex = index
      this.#driver = this.isUnknown ? "" : this.#entries.namesOf(this.carIndex ?? Number.NaN, index).driver
    }
    return this.#driver
  }

  #read({ carLocation, currentLap, driverIndex, lastLap, laps }: CarUpdate, time: number): void {
    const [sector1, sector2] = currentLap.splits
    const [one, two, three] = lastLap.splits
    const moment = this.#moment
    moment.time = time
    moment.driver = this.#driverOf(driverIndex)
    moment.lapNumber = laps + 1
    // The game reports the lap's time once it runs: not in the garage, nor in a formation lap.
    moment.clock = (currentLap.laptimeMs ?? 0) / 1000
    moment.lastLap = timeOfMs(lastLap.laptimeMs)
    moment.sector1 = timeOfMs(sector1)
    moment.sector2 = timeOfMs(sector2)
    moment.valid = counts(currentLap)
    moment.isInPit = carLocation === PIT_LANE
    moment.lastLapWas = { sectors: [timeOfMs(one), timeOfMs(two), timeOfMs(three)], valid: counts(lastLap) }
  }

  #point(car: CarUpdate, time: number, events: EventBuffer): void {
    const sample = this.#sample
    sample.time = time
    sample.speed = car.kmh
    sample.gear = car.gear - GEAR_OFFSET
    // The ground plane's axes are x and z of a right-handed world with y up (sheet, section 8: lines recorded from the game
    // fit five real circuits so). Height, engine speed, pedals and wheel are absent.
    sample.x = car.worldPosX
    sample.y = -car.worldPosY
    sample.lapNumber = this.#timekeeper.lapNumber
    sample.lapDistance = car.splinePosition * (this.#entries.trackLength ?? Number.NaN)
    events.point(sample)
  }
}
