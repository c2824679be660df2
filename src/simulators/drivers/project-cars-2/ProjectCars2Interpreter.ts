/**
 * Reads Project CARS 2 and Automobilista 2: sessions, points and laps (project-cars2-ams2-udp.md, sections 2 to 10).
 *
 * A point is a telemetry packet, with the newest timings for the lap. Telemetry describes the viewed
 * car, so there are points only while that is the player's own. The clock is the tick count, less pauses, in
 * which a lap's time stands still; builds without a tick count are timed by arrival. It starts at the service's own time,
 * so that another link continues after the points of the one before.
 *
 * Packets are numbered: the number shows late and repeated packets, and telemetry's own number
 * shows lost ones.
 */
import type { Interpreter } from "../../udp/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { Timekeeper } from "../../timekeeping/Timekeeper.ts"
import { Timeline } from "../../timekeeping/Timeline.ts"
import {
  type CarTimings,
  clockOf,
  isParticipant,
  problemWith,
  readStats,
  readTelemetry,
  readTiming,
  viewedIn
} from "./decode.ts"
import {
  basePacket,
  MAX_PARTICIPANTS,
  PacketType,
  participantAt,
  statsAt,
  telemetryOf,
  timings,
  timingsTick
} from "./layout.ts"
import { Pc2Channels } from "./Pc2Channels.ts"
import { Pc2Moments } from "./Pc2Moments.ts"
import { Pc2Names } from "./Pc2Names.ts"
import { Order } from "./Order.ts"
import { Pc2State } from "./Pc2State.ts"

/** A shorter pause is ignored, s. */
const PAUSE_S = 0.1
const STEP_S = 0.001

export class ProjectCars2Interpreter implements Interpreter {
  readonly #order = new Order()
  readonly #names = new Pc2Names()
  readonly #state = new Pc2State()
  readonly #moments = new Pc2Moments()
  readonly #timekeeper = new Timekeeper(
    () => this.#names.ofSession,
    () => this.#begin(),
    () => this.#names.areKnown && this.#state.isKnown
  )
  readonly #channels = new Pc2Channels()
  readonly #timeline = new Timeline()
  readonly #sample = newSample()
  /** The participant of the newest telemetry, and its tick count, s; NaN in builds without one. */
  #viewed = -1
  #tick = Number.NaN
  /** The player's index among the participants; undefined while unknown. */
  #own: number | undefined
  #timing: CarTimings | undefined
  /** The stamp of the participants that these timings number. */
  #stamp = 0
  /** When these timings were sent, s by the game's clock without its pauses; NaN in builds that do not report it. */
  #timed = Number.NaN
  /** The timings that the timekeeper has. */
  #taken: CarTimings | undefined
  /** Whether the rare packets that are kept are those of a session that has begun. */
  #hasBegun = false
  /** The offset from the game's clock to ours, s. */
  #shift = Number.NaN
  /** The game's clock and the lap's clock at the last telemetry of a drive. */
  #clock = Number.NaN
  #lapClock = Number.NaN
  #isInterrupted = false

  readonly simulator = (): string => "Project CARS 2"

  readonly datagram = (bytes: Buffer, arrival: number, events: EventBuffer): void => {
    const problem = problemWith(bytes)
    if (problem !== undefined) return events.refuse(problem)
    const type = basePacket.read.packetType(bytes)
    const isTelemetry = type === PacketType.telemetry
    const verdict = this.#order.take(type, basePacket.read.packetNumber(bytes), arrival)
    if (verdict === "late") {
      if (isTelemetry && this.#state.isDriving) events.late()
      return
    }
    // The game was started again, or the first packet was a false one.
    if (verdict === "anew") this.#forget()
    const lost = isTelemetry ? this.#order.lostBefore(basePacket.read.categoryPacketNumber(bytes)) : 0
    switch (type) {
      case PacketType.telemetry:
        return this.#drove(bytes, lost, arrival, events)
      case PacketType.raceDefinition:
        this.#channels.keep("raceDefinition", bytes)
        return this.#names.definition(bytes)
      case PacketType.participants:
        return this.#names.participants(bytes)
      case PacketType.vehicles:
        return this.#names.vehicles(bytes)
      case PacketType.timings:
        return this.#time(bytes, events)
      case PacketType.timeStats:
        return this.#learn(bytes, events)
      case PacketType.gameState:
        return this.#changed(bytes, events)
    }
  }

  readonly end = (events: EventBuffer): void => this.#timekeeper.linkLost(events)

  #begin(): void {
    // The stats are sent rarely, and those of the session before must not be reported in this one.
    if (this.#hasBegun) this.#channels.forget("stats")
    this.#hasBegun = true
    this.#names.begin()
    this.#moments.begin()
    this.#channels.begin()
  }

  /** The packets that follow belong to another session. */
  #forget(): void {
    this.#moments.forget()
    this.#timing = undefined
    this.#hasBegun = false
    this.#channels.forget("participant", "stats", "timings")
  }

  #changed(bytes: Buffer, events: EventBuffer): void {
    const isFirst = !this.#state.isKnown
    this.#channels.keep("gameState", bytes)
    const change = this.#state.change(bytes)
    // The link was opened in a replay or a pause.
    if (isFirst && this.#state.isNotDriven) this.#timekeeper.drop(events)
    if (change === "none") return
    if (change === "interrupted") {
      this.#isInterrupted = true
      return this.#order.interrupt()
    }
    if (change === "restarted") this.#timekeeper.leave(events)
    else if (change === "left") {
      this.#timekeeper.end(events)
      this.#names.forget()
      this.#channels.forget("raceDefinition")
    }
    // Packets with an earlier number that still arrive belong to none.
    this.#order.beginAfter(basePacket.read.packetNumber(bytes))
    this.#forget()
  }

  #time(bytes: Buffer, events: EventBuffer): void {
    if (!this.#state.isDriving) return
    const local = timings.read.localParticipantIndex(bytes)
    // Where no packet names the player, it is the participant that was viewed first.
    const own = isParticipant(bytes, local) ? local : (this.#own ?? this.#viewed)
    if (!isParticipant(bytes, own)) {
      this.#timing = undefined
      if (own >= MAX_PARTICIPANTS) {
        events.refuse(
          `the car is participant ${own + 1}, and the game reports only the first ${MAX_PARTICIPANTS}`
        )
      }
      return
    }
    this.#own = own
    this.#timing = readTiming(bytes, own)
    this.#stamp = timings.read.participantsChangedTimestamp(bytes)
    this.#channels.keep("timings", bytes)
    this.#channels.keep("participant", bytes, participantAt(own))
    const hasTick = bytes.length >= timingsTick.size
    this.#timed = hasTick ? timingsTick.read.tickCount(bytes) / 1000 + this.#shift : Number.NaN
  }

  #learn(bytes: Buffer, events: EventBuffer): void {
    if (this.#own === undefined || !this.#state.isDriving) return
    this.#channels.keep("stats", bytes, statsAt(this.#own))
    if (this.#moments.learn(readStats(bytes, this.#own), this.#timeline.time)) this.#timekeeper.learn(events)
  }

  #drove(bytes: Buffer, lost: number, arrival: number, events: EventBuffer): void {
    const before = this.#viewed
    this.#viewed = viewedIn(bytes)
    this.#tick = clockOf(bytes)
    const timing = this.#timing
    if (!this.#state.isDriving) return
    if (timing === undefined) {
      // The player is still unknown.
      if (before !== this.#viewed) this.#own = undefined
      return
    }
    const own = this.#own!
    if (!this.#advance(timing, arrival)) return events.late()
    if (this.#viewed !== own) {
      this.#order.interrupt()
      if (this.#timekeeper.isBegun) this.#read(timing, arrival, events)
      return
    }
    if (lost > 0) events.missing(lost)
    this.#read(timing, arrival, events)
    this.#point(bytes, timing, events)
    const { time } = this.#timeline
    this.#channels.telemetry(bytes, telemetryOf(bytes), this.#sample.gear, time)
    this.#channels.setSectors(this.#moments.sectors)
    this.#channels.take(time, events)
  }

  /** Advances the time; false for telemetry that is not later than the last. */
  #advance({ currentTime }: CarTimings, arrival: number): boolean {
    const clock = Number.isNaN(this.#tick) ? arrival : this.#tick
    if (Number.isNaN(this.#shift)) this.#shift = arrival - clock
    if (this.#isInterrupted) {
      const lapStep = currentTime - this.#lapClock
      const stood = clock - this.#clock - (lapStep > 0 ? lapStep : STEP_S)
      if (stood > PAUSE_S) this.#shift -= stood
      this.#isInterrupted = false
    }
    const time = this.#timeline.at(clock + this.#shift, arrival)
    if (time === undefined) return false
    this.#clock = clock
    this.#lapClock = currentTime
    return true
  }

  #read(timing: CarTimings, arrival: number, events: EventBuffer): void {
    const timekeeper = this.#timekeeper
    // Timings that come more rarely than telemetry are one moment: they must not confirm themselves.
    if (timing === this.#taken && timekeeper.isBegun) return timekeeper.settle(arrival, events)
    this.#taken = timing
    const names = this.#names.of(this.#own!, timing, this.#stamp)
    // Telemetry may be a tick after the timings, or before, and longer where packets were lost.
    const since = this.#clock + this.#shift - this.#timed
    const sinceLine = timing.currentTime + (Number.isNaN(since) ? 0 : since)
    const moment = this.#moments.of(this.#timeline.time, sinceLine, timing, names, this.#state)
    timekeeper.read(moment, arrival, events)
    if (this.#moments.follow(timekeeper.lapNumber, timekeeper.lapStart)) timekeeper.learn(events)
  }

  #point(bytes: Buffer, timing: CarTimings, events: EventBuffer): void {
    const sample = this.#sample
    readTelemetry(bytes, timing, sample)
    sample.time = this.#timeline.time
    sample.lapNumber = this.#timekeeper.lapNumber
    sample.lapDistance = timing.lapDistance
    events.point(sample)
  }
}
