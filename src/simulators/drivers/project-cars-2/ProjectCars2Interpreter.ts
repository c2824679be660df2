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
import type { Interpreter } from "../../datagrams/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { Timeline } from "../../Timeline.ts"
import {
  type CarTimings,
  clockOf,
  isParticipant,
  problemWith,
  readStats,
  readTelemetry,
  readTiming,
  type Stats,
  viewedIn
} from "./decode.ts"
import {
  basePacket,
  MAX_PARTICIPANTS,
  PacketType,
  participantAt,
  RaceState,
  statsAt,
  telemetryOf,
  timings,
  timingsTick
} from "./layout.ts"
import { Pc2Channels } from "./Pc2Channels.ts"
import { Pc2Names } from "./Pc2Names.ts"
import { Order } from "./Order.ts"
import { Pc2Laps } from "./Pc2Laps.ts"
import { Pc2Session } from "./Pc2Session.ts"

/** A lap's clock that goes back by more starts anew, s. */
const BACK_S = 1
/** A shorter pause is ignored, s. */
const PAUSE_S = 0.1
const STEP_S = 0.001

export class ProjectCars2Interpreter implements Interpreter {
  readonly #order = new Order()
  readonly #names = new Pc2Names()
  readonly #session = new Pc2Session()
  readonly #laps = new Pc2Laps()
  readonly #channels = new Pc2Channels()
  readonly #timeline = new Timeline()
  readonly #sample = newSample()
  /** The participant of the newest telemetry, and its tick count, s; NaN in builds without one. */
  #viewed = -1
  #tick = Number.NaN
  /** The player's index among the participants; undefined while unknown. */
  #own: number | undefined
  #timing: CarTimings | undefined
  /** Of the participants that these timings number. */
  #stamp = 0
  /** When these timings were sent, s by the game's clock without its pauses; NaN in builds that do not tell it. */
  #timed = Number.NaN
  #stats: Stats = { lastLap: null, lastSector: null }
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
      if (isTelemetry && this.#session.isDriving) events.late()
      return
    }
    // The game was started again.
    if (verdict === "anew") this.#renew(events)
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

  readonly end = (events: EventBuffer): void => this.#session.linkLost(events)

  /** Packets with a later number belong to another session; those with an earlier number that still arrive belong to none. */
  #renewAfter(bytes: Buffer, events: EventBuffer): void {
    this.#order.beginAfter(basePacket.read.packetNumber(bytes))
    this.#renew(events)
  }

  #renew(events: EventBuffer): void {
    this.#session.renew(events)
    this.#laps.reset()
    this.#timing = undefined
    this.#channels.forget("participant", "stats", "timings")
    this.#stats = { lastLap: null, lastSector: null }
  }

  #changed(bytes: Buffer, events: EventBuffer): void {
    this.#channels.keep("gameState", bytes)
    switch (this.#session.change(bytes, events)) {
      case "left":
        this.#session.end(events)
        this.#names.forget()
        this.#channels.forget("raceDefinition")
        return this.#renewAfter(bytes, events)
      case "restarted":
        return this.#renewAfter(bytes, events)
      case "interrupted":
        this.#isInterrupted = true
        this.#order.interrupt()
    }
  }

  #time(bytes: Buffer, events: EventBuffer): void {
    if (!this.#session.isDriving) return
    const local = timings.read.localParticipantIndex(bytes)
    // Where no packet tells the player, it is the participant that was viewed first.
    const own = isParticipant(bytes, local) ? local : (this.#own ?? this.#viewed)
    if (!isParticipant(bytes, own)) {
      this.#timing = undefined
      if (own >= MAX_PARTICIPANTS) {
        events.refuse(
          `the car is participant ${own + 1}, and the game tells the first ${MAX_PARTICIPANTS} alone`
        )
      }
      return
    }
    const last = own === this.#own ? this.#timing : undefined
    const timing = readTiming(bytes, own)
    this.#own = own
    if (last !== undefined) this.#follow(last, timing, bytes, events)
    this.#timing = timing
    this.#stamp = timings.read.participantsChangedTimestamp(bytes)
    this.#channels.keep("timings", bytes)
    this.#channels.keep("participant", bytes, participantAt(own))
    const hasTick = bytes.length >= timingsTick.size
    this.#timed = hasTick ? timingsTick.read.tickCount(bytes) / 1000 + this.#shift : Number.NaN
  }

  #follow(last: CarTimings, now: CarTimings, bytes: Buffer, events: EventBuffer): void {
    const isBack = now.currentLap === last.currentLap && now.currentTime < last.currentTime - BACK_S
    const isUnstarted = now.raceState === RaceState.notStarted && last.raceState >= RaceState.racing
    const isFallen = now.currentLap < last.currentLap || isUnstarted
    // The car went back to the garage, or drove out of it: the lap is given up, and the session goes on.
    if (this.#session.isFree && (isFallen || isBack)) this.#laps.reset()
    else if (isFallen || (isBack && this.#session.isRace)) this.#renewAfter(bytes, events)
    else if (isBack) this.#laps.reset()
  }

  #learn(bytes: Buffer, events: EventBuffer): void {
    if (this.#own === undefined || !this.#session.isDriving) return
    this.#stats = readStats(bytes, this.#own)
    this.#channels.keep("stats", bytes, statsAt(this.#own))
    this.#readLaps(events)
  }

  #drove(bytes: Buffer, lost: number, arrival: number, events: EventBuffer): void {
    const before = this.#viewed
    this.#viewed = viewedIn(bytes)
    this.#tick = clockOf(bytes)
    const timing = this.#timing
    if (!this.#session.isDriving) return
    if (timing === undefined) {
      // The player is still unknown.
      if (before !== this.#viewed) this.#own = undefined
      return
    }
    const own = this.#own!
    if (!this.#advance(timing, arrival)) return events.late()
    if (this.#viewed !== own) {
      this.#order.interrupt()
      return this.#readLaps(events)
    }
    if (!this.#session.isBegun) this.#channels.begin()
    this.#session.begin(this.#names.of(own, timing, this.#stamp), arrival, events, () => {
      this.#laps.reset()
      this.#channels.begin()
    })
    if (lost > 0) events.missing(lost)
    this.#readLaps(events)
    this.#point(bytes, timing, events)
    const { time } = this.#timeline
    this.#channels.telemetry(bytes, telemetryOf(bytes), this.#sample.gear, time)
    this.#channels.setSectors(this.#laps.sectors)
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

  #readLaps(events: EventBuffer): void {
    const timing = this.#timing
    const { time } = this.#timeline
    if (timing === undefined || Number.isNaN(time) || !this.#session.isBegun) return
    // Telemetry may be a tick after the timings, or before, and longer where packets were lost.
    const since = this.#clock + this.#shift - this.#timed
    const sinceLine = timing.currentTime + (Number.isNaN(since) ? 0 : since)
    this.#laps.read(time, sinceLine, timing, this.#stats, events)
  }

  #point(bytes: Buffer, timing: CarTimings, events: EventBuffer): void {
    const sample = this.#sample
    readTelemetry(bytes, timing, sample)
    sample.time = this.#timeline.time
    sample.lapNumber = this.#laps.lapNumber
    sample.lapDistance = timing.lapDistance
    events.point(sample)
  }
}
