/**
 * What EA's F1 telemetry means: sessions, points and laps (f1-udp-2023-2026.md).
 *
 * A point is a frame: its Motion, LapData and CarTelemetry, whatever their order. It is complete when all three are
 * there, and is given without LapData when the next frame begins; without the others it is counted as lost. Frames are
 * told apart by the number that the game counts on at a flashback, so that what comes late is not taken for one.
 *
 * A session is its `sessionUID`: a restart has another, often without a word. A pause is silence, in which the game's
 * clock stands. Menus have no UID.
 */
import type { Interpreter } from "../../datagrams/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { Timeline } from "../../Timeline.ts"
import { Header, problemWith, readHistoryCar, readLapData, readMotion, readTelemetry } from "./decode.ts"
import { F1Channels } from "./F1Channels.ts"
import { F1Laps } from "./F1Laps.ts"
import { F1Session } from "./F1Session.ts"
import { HEADER_BYTES, layoutOf, type PacketName, formats } from "./layout.ts"
import { LostFrames } from "./LostFrames.ts"

/** The same in every format. */
const { packets } = layoutOf(formats[0])!
const { carTelemetry, event, lapData, motion, participants, session, sessionHistory } = packets
/** What tells channels and nothing else, by id. */
const others = new Map(
  (["carStatus", "carDamage", "motionEx", "carTelemetry2"] as const).map((name) => [packets[name].id, name])
)

/** A frame so many behind the newest was overtaken on the way; one further behind is of another count. */
const OVERTAKEN_FRAMES = 256
/** Packets of the session before may come for so long after the last of this one, s: they are no new session. */
const ECHO_S = 5
/** A menu that lasts longer is no step between two packets of a session: it was left, s. */
const MENU_S = 5
/** No packet is sent so long before the frame after it, s: its clock would be another one. */
const MAX_STEP_S = 1
const NO_SESSION = 0n

export class F1Interpreter implements Interpreter {
  readonly #header = new Header()
  readonly #sample = newSample()
  readonly #channels = new F1Channels()
  /** The session under way and the one before it. */
  #uid = NO_SESSION
  #before = NO_SESSION
  #session = new F1Session()
  #laps = new F1Laps()
  #timeline = new Timeline()
  #lostFrames = new LostFrames()
  /** When a packet of the session came last. */
  #heard = -Infinity
  #player = 0
  /** The frame under way: its numbers, its session time, its time on the feed's clock, and what of it has come. */
  #frame = Number.NaN
  #overallFrame = Number.NaN
  #clock = Number.NaN
  #time: number | undefined
  #hasMotion = false
  #hasLap = false
  #hasTelemetry = false
  #isGiven = false
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
      this.#leave(events)
      this.#enter(sessionUid)
    }
    this.#heard = arrival
    if (this.#session.isOver) return
    this.#packet(bytes, events)
    this.#session.announce(arrival, events)
  }

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
        this.#readLap(bytes, events)
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
        return this.#laps.learn(bytes, events)
      case event.id:
        if (event.head.readText.code(bytes, HEADER_BYTES) === "SEND") this.#leave(events)
        return
      default:
        if (others.has(packetId)) this.#tell(others.get(packetId)!, bytes, events)
    }
  }

  /** The channels of a packet, at the frame under way, or at a later moment by the session's clock. */
  #tell(name: PacketName, bytes: Buffer, events: EventBuffer): void {
    const { layout, overallFrame, player, sessionTime } = this.#header
    if (player >= layout.cars || this.#session.isSpectating || overallFrame < this.#overallFrame) return
    this.#channels.read(name, bytes, this.#header)
    const later = sessionTime - this.#clock
    // Before the first frame, and where the clock goes back, there is no time to tell.
    const isTimed = this.#time !== undefined && later >= 0 && later < MAX_STEP_S
    if (isTimed && this.#session.hasPoints) this.#channels.take(this.#time! + later, events)
  }

  /** Whether the packet tells of the player in the frame under way; a later frame's begins that one. */
  #isOfFrame(events: EventBuffer): boolean {
    const { frame, layout, overallFrame, packetId, player } = this.#header
    const behind = this.#overallFrame - overallFrame || this.#frame - frame
    if (behind > 0 && behind < OVERTAKEN_FRAMES) {
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
    // A spectator's own car, if any, is not driven.
    if (player >= layout.cars || this.#session.isSpectating) return this.#lostFrames.interrupt()
    if (sessionTime < this.#clock) {
      this.#timeline.restart()
      this.#laps.rewind()
      this.#lostFrames.interrupt()
    }
    this.#clock = sessionTime
    this.#time = this.#timeline.at(sessionTime, this.#arrival)
    if (this.#time === undefined) return
    const lost = this.#lostFrames.before(overallFrame, sessionTime)
    if (lost > 0 && this.#session.hasPoints) events.missing(lost)
    this.#sample.lapNumber = Number.NaN
    this.#sample.lapDistance = Number.NaN
  }

  #readLap(bytes: Buffer, events: EventBuffer): void {
    const { layout, player } = this.#header
    const lap = { ...readLapData(bytes, layout, player), time: this.#time! }
    this.#sample.lapNumber = lap.lapNumber
    // Before the start it is the way to the line, not from it.
    this.#sample.lapDistance = lap.lapDistance < 0 ? Number.NaN : lap.lapDistance
    this.#laps.read(lap, events)
  }

  #giveWhole(events: EventBuffer): void {
    if (this.#hasMotion && this.#hasLap && this.#hasTelemetry) this.#give(events)
  }

  /** The frame is over: nothing more of it will come. */
  #giveRest(events: EventBuffer): void {
    if (this.#time === undefined || this.#isGiven) return
    if (this.#hasMotion && this.#hasTelemetry) this.#give(events)
    // The first frame of all was under way when we began to listen.
    else if (this.#session.hasPoints) events.missing(1)
  }

  #give(events: EventBuffer): void {
    this.#sample.time = this.#time!
    this.#isGiven = true
    this.#session.point(this.#sample, this.#arrival, events)
  }

  /** A packet without a session. After the flag, the one with the final lap's numbers may be such. */
  #menu(bytes: Buffer, events: EventBuffer): void {
    const { packetId } = this.#header
    if (this.#uid === NO_SESSION || this.#session.isOver) return
    if (packetId === sessionHistory.id && readHistoryCar(bytes) === this.#player) {
      this.#laps.learn(bytes, events)
    }
    // Buttons can be pressed in a pause too, which is silence but for them.
    if (packetId === sessionHistory.id || packetId === event.id) return
    if (this.#arrival - this.#heard < MENU_S) return
    this.#leave(events)
    // Its packets would be a session again.
    this.#enter(NO_SESSION)
  }

  #leave(events: EventBuffer): void {
    if (this.#session.isOver) return
    this.#giveRest(events)
    this.#laps.finish(events)
    this.#session.end(events)
  }

  #enter(uid: bigint): void {
    this.#before = uid === NO_SESSION ? NO_SESSION : this.#uid
    this.#uid = uid
    this.#session = new F1Session()
    this.#channels.begin()
    this.#laps = new F1Laps()
    this.#timeline = new Timeline()
    this.#lostFrames = new LostFrames()
    this.#frame = this.#overallFrame = this.#clock = Number.NaN
    this.#time = undefined
  }
}
