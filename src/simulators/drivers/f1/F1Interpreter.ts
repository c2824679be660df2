/**
 * Reads EA's F1 telemetry: sessions, points and laps (f1-udp-2023-2026.md).
 *
 * A point is a frame: its Motion, LapData and CarTelemetry, in any order. It is complete when all three have come.
 * Without LapData it is complete when the next frame begins; without one of the others it counts as lost. The number
 * that continues through flashbacks identifies a frame, so a late packet is not mistaken for another frame.
 *
 * A session is its `sessionUID`: a restart has another, often without an event. A pause is silence, in which the game's
 * clock stops. Menus have no UID, and report nothing about a session.
 *
 * Over 250 lines: each kind of packet adds to the same frame and session.
 */
import type { Interpreter } from "../../udp/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { type Relation, SequenceFilter, SLACK_S } from "../../timekeeping/SequenceFilter.ts"
import type { Moment } from "../../timekeeping/Moment.ts"
import { Timekeeper } from "../../timekeeping/Timekeeper.ts"
import { Timeline } from "../../timekeeping/Timeline.ts"
import { Header, problemWith, readHistoryCar, readLap, readMotion, readTelemetry } from "./decode.ts"
import { F1Channels } from "./F1Channels.ts"
import { F1Session } from "./F1Session.ts"
import { HEADER_BYTES, layoutOf, type PacketName, formats } from "./layout.ts"
import { LostFrames } from "./LostFrames.ts"

/** The same in every format. */
const { packets } = layoutOf(formats[0])!
const { carTelemetry, event, lapData, motion, participants, session, sessionHistory } = packets
/** Packets that have channels and nothing else, by id. */
const others = new Map(
  (["carStatus", "carDamage", "motionEx", "carTelemetry2"] as const).map((name) => [packets[name].id, name])
)

/** A frame at most this far behind the newest was overtaken; one further behind has another count. */
const OVERTAKEN_FRAMES = 256
/** Packets of the session before may arrive for this long after the last packet of this session, s: they begin no new session. */
const ECHO_S = 5
/**
 * A session without a packet for this long is over, s (timekeeping.md, rule 1). Menus send packets, so the link is not
 * lost.
 */
const LEFT_S = 600
/** A packet is sent less than this before the next frame, s; a longer step means another clock. */
const MAX_STEP_S = 1
const NO_SESSION = 0n
/** Above the highest rate that the game offers, Hz. */
const MAX_RATE = 120

/** The order of two frames, of which the second came `elapsed` s after the first. */
const relateFrames = (last: number, next: number, elapsed: number): Relation => {
  const step = next - last
  if (step === 0) return "same"
  if (step > 0) return step <= MAX_RATE * (elapsed + SLACK_S) ? "next" : "ahead"
  return step > -OVERTAKEN_FRAMES ? "late" : "back"
}

export class F1Interpreter implements Interpreter {
  readonly #header = new Header()
  readonly #sample = newSample()
  readonly #channels = new F1Channels()
  readonly #moment: Moment = { time: Number.NaN, lapNumber: Number.NaN, clock: Number.NaN, lastLap: null }
  readonly #timekeeper = new Timekeeper(
    () => this.#recorded.names,
    () => {
      this.#recorded = this.#session
    },
    () => this.#recorded.isNamed
  )
  /** The current session and the one before it. */
  #uid = NO_SESSION
  #before = NO_SESSION
  #session = new F1Session()
  /** The session of the timekeeper: the one before, until points of the current one have come. */
  #recorded = this.#session
  /** Whether points of the current session have come, and whether it is over. */
  #hasPoints = false
  #isOver = false
  #timeline = new Timeline()
  #lostFrames = new LostFrames()
  readonly #order = new SequenceFilter(relateFrames)
  /** When the last packet of the session came. */
  #heard = -Infinity
  #player = 0
  /** The current frame: its numbers, its session time, its time on the feed's clock, and its packets that have come. */
  #frame = Number.NaN
  #overallFrame = Number.NaN
  #clock = Number.NaN
  #time: number | undefined
  #hasMotion = false
  #hasLap = false
  #hasTelemetry = false
  #isGiven = false
  /** Whether the clock went back since the last LapData. */
  #isRewound = false
  #arrival = 0

  simulator(): string {
    const { gameYear, layout } = this.#header
    return `F1 ${gameYear} (format ${layout.format})`
  }

  datagram(bytes: Buffer, arrival: number, events: EventBuffer): void {
    const problem = problemWith(bytes)
    if (problem !== undefined) return events.refuse(problem)
    const header = this.#header
    header.read(bytes)
    this.#arrival = arrival
    const { packetId, sessionUid } = header
    if (sessionUid === NO_SESSION) return this.#menu(bytes, events)
    if (sessionUid !== this.#uid) {
      if (sessionUid === this.#before && arrival - this.#heard < ECHO_S) {
        if (packetId === carTelemetry.id) events.late()
        return
      }
      this.#giveRest(events)
      this.#enter(sessionUid)
    }
    this.#heard = arrival
    if (this.#isOver) return
    this.#packet(bytes, events)
    this.#timekeeper.settle(arrival, events)
  }

  readonly end = (events: EventBuffer): void => this.#timekeeper.linkLost(events)

  #packet(bytes: Buffer, events: EventBuffer): void {
    const { layout, packetId, player } = this.#header
    switch (packetId) {
      case motion.id:
        if (!this.#isOfFrame(events) || this.#hasMotion) return
        readMotion(bytes, layout, player, this.#sample)
        this.#hasMotion = true
        this.#giveWhole(events)
        return this.#tell("motion", bytes, events)
      case lapData.id:
        if (!this.#isOfFrame(events) || this.#hasLap) return
        this.#readLap(bytes)
        this.#hasLap = true
        this.#giveWhole(events)
        return this.#tell("lapData", bytes, events)
      case carTelemetry.id:
        if (!this.#isOfFrame(events)) return
        if (this.#hasTelemetry) return events.late()
        readTelemetry(bytes, layout, player, this.#sample)
        this.#hasTelemetry = true
        this.#giveWhole(events)
        return this.#tell("carTelemetry", bytes, events)
      case session.id:
        this.#session.session(bytes, this.#header)
        return this.#tell("session", bytes, events)
      case participants.id:
        return this.#session.participants(bytes, this.#header)
      case sessionHistory.id:
        if (readHistoryCar(bytes) !== player) return
        this.#channels.readHistory(bytes, this.#header)
        return this.#learn(bytes, events)
      case event.id:
        if (event.head.readText.code(bytes, HEADER_BYTES) === "SEND") this.#leave(events)
        return
      default:
        if (others.has(packetId)) this.#tell(others.get(packetId)!, bytes, events)
    }
  }

  /** Reads the channels of a packet, at the current frame, or at a later moment by the session's clock. */
  #tell(name: PacketName, bytes: Buffer, events: EventBuffer): void {
    const { layout, overallFrame, player, sessionTime } = this.#header
    if (player >= layout.cars || this.#session.isSpectating || overallFrame < this.#overallFrame) return
    this.#channels.read(name, bytes, this.#header)
    const later = sessionTime - this.#clock
    // Before the first frame, and where the clock goes back, the time is unknown.
    const isTimed = this.#time !== undefined && later >= 0 && later < MAX_STEP_S
    if (isTimed && this.#hasPoints) this.#channels.take(this.#time! + later, events)
  }

  /** Whether the packet belongs to the player in the current frame. A packet of a later frame begins that frame. */
  #isOfFrame(events: EventBuffer): boolean {
    const { frame, layout, overallFrame, packetId, player } = this.#header
    // One packet far from the others is not believed.
    const verdict = this.#order.take(overallFrame, this.#arrival)
    if (verdict === "first") this.#beginFrames()
    const behind = this.#overallFrame - overallFrame || this.#frame - frame
    if (verdict === "unsure" || (behind > 0 && behind < OVERTAKEN_FRAMES)) {
      if (packetId === carTelemetry.id) events.late()
      return false
    }
    if (behind !== 0) this.#begin(events)
    return this.#time !== undefined && player < layout.cars
  }

  #begin(events: EventBuffer): void {
    this.#giveRest(events)
    const { frame, layout, overallFrame, player, sessionTime } = this.#header
    this.#frame = frame
    this.#overallFrame = overallFrame
    this.#hasMotion = false
    this.#hasLap = false
    this.#hasTelemetry = false
    this.#isGiven = false
    this.#time = undefined
    this.#player = player
    if (!Number.isFinite(sessionTime)) return events.refuse("the session time of an F1 packet is no number")
    // The own car of a spectator, if there is one, is not driven.
    if (player >= layout.cars || this.#session.isSpectating) {
      // A session that is only watched has no moment, so nothing else would end the session before.
      if (!this.#hasPoints) this.#timekeeper.end(events)
      return this.#lostFrames.interrupt()
    }
    if (sessionTime < this.#clock) {
      this.#timeline.restart()
      this.#session.rewind()
      this.#isRewound = true
      this.#lostFrames.interrupt()
    }
    this.#clock = sessionTime
    this.#time = this.#timeline.at(sessionTime, this.#arrival)
    if (this.#time === undefined) return
    const lost = this.#lostFrames.before(overallFrame, sessionTime)
    if (lost > 0 && this.#hasPoints) events.missing(lost)
    this.#sample.lapDistance = Number.NaN
  }

  #readLap(bytes: Buffer): void {
    const { layout, player } = this.#header
    const moment = this.#moment
    moment.time = this.#time!
    moment.session = this.#uid
    moment.isRewound = this.#isRewound
    moment.completed = this.#session.completed
    readLap(bytes, layout, player, moment, this.#sample)
    this.#isRewound = false
  }

  #giveWhole(events: EventBuffer): void {
    if (this.#hasMotion && this.#hasLap && this.#hasTelemetry) this.#give(events)
  }

  /** The frame is over: no more packets of it will come. */
  #giveRest(events: EventBuffer): void {
    if (this.#time === undefined || this.#isGiven) return
    if (this.#hasMotion && this.#hasTelemetry) return this.#give(events)
    // The first frame had begun before the driver listened.
    if (!this.#hasPoints) return
    events.missing(1)
    if (this.#hasLap) this.#timekeeper.read(this.#moment, this.#arrival, events)
  }

  #give(events: EventBuffer): void {
    this.#isGiven = true
    const sample = this.#sample
    // A session begins with the lap of its car.
    if (!this.#hasLap && !this.#hasPoints) return
    if (this.#hasLap) this.#timekeeper.read(this.#moment, this.#arrival, events)
    sample.time = this.#time!
    sample.lapNumber = this.#hasLap ? this.#timekeeper.lapNumber : Number.NaN
    this.#hasPoints = true
    events.point(sample)
  }

  /** A packet without a session. After the flag, the packet with the final lap's numbers may have none. */
  #menu(bytes: Buffer, events: EventBuffer): void {
    const isHistory = this.#header.packetId === sessionHistory.id && readHistoryCar(bytes) === this.#player
    if (isHistory && !this.#isOver) this.#learn(bytes, events)
    if (this.#uid === NO_SESSION || this.#arrival - this.#heard < LEFT_S) return
    if (!this.#isOver) this.#leave(events)
    // The game may still return to it: as another one.
    this.#enter(NO_SESSION)
  }

  #learn(bytes: Buffer, events: EventBuffer): void {
    this.#session.history(bytes)
    this.#timekeeper.learn(events)
  }

  #leave(events: EventBuffer): void {
    this.#giveRest(events)
    this.#timekeeper.end(events)
    this.#isOver = true
  }

  #enter(uid: bigint): void {
    this.#before = this.#uid
    this.#uid = uid
    this.#session = new F1Session()
    this.#hasPoints = this.#isOver = this.#isRewound = false
    this.#channels.begin()
    this.#order.reset()
    this.#beginFrames()
  }

  /** The next frame is the first; one before it was another session's. */
  #beginFrames(): void {
    this.#timeline = new Timeline()
    this.#lostFrames = new LostFrames()
    this.#frame = this.#overallFrame = this.#clock = Number.NaN
    this.#time = undefined
  }
}
