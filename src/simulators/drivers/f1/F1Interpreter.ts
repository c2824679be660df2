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
import { LostFrames } from "./LostFrames.ts"
import {
  newHeader,
  problemWith,
  readEventCode,
  readHeader,
  readHistoryCar,
  readLapData,
  readMotion,
  readTelemetry
} from "./decode.ts"
import { F1Laps } from "./F1Laps.ts"
import { F1Session } from "./F1Session.ts"
import { PacketId } from "./layout.ts"

/** A frame so many behind the newest was overtaken on the way; one further behind is of another count. */
const OVERTAKEN_FRAMES = 256
/** Packets of the session before may come for so long after the last of this one, s: they are no new session. */
const ECHO_S = 5
/** A menu that lasts longer is no step between two packets of a session: it was left, s. */
const MENU_S = 5
const NO_SESSION = 0n

export class F1Interpreter implements Interpreter {
  readonly #header = newHeader()
  readonly #motion = { x: 0, y: 0, z: 0 }
  readonly #telemetry = { speed: 0, throttle: 0, steering: 0, brake: 0, gear: 0, rpm: 0 }
  readonly #sample = newSample()
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
    readHeader(bytes, header)
    this.#arrival = arrival
    const { packetId, sessionUid } = header
    if (sessionUid === NO_SESSION) return this.#menu(bytes, events)
    if (sessionUid !== this.#uid) {
      if (sessionUid === this.#before && arrival - this.#heard < ECHO_S) {
        if (packetId === PacketId.carTelemetry) events.late()
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
      case PacketId.motion:
        if (!this.#isOfFrame(events) || this.#hasMotion) return
        readMotion(bytes, layout, player, this.#motion)
        this.#hasMotion = true
        return this.#giveWhole(events)
      case PacketId.lapData:
        if (!this.#isOfFrame(events) || this.#hasLap) return
        this.#readLap(bytes, events)
        this.#hasLap = true
        return this.#giveWhole(events)
      case PacketId.carTelemetry:
        if (!this.#isOfFrame(events)) return
        if (this.#hasTelemetry) return events.late()
        readTelemetry(bytes, layout, player, this.#telemetry)
        this.#hasTelemetry = true
        return this.#giveWhole(events)
      case PacketId.session:
        return this.#session.session(bytes)
      case PacketId.participants:
        return this.#session.participants(bytes, this.#header)
      case PacketId.sessionHistory:
        if (readHistoryCar(bytes) === player) this.#laps.learn(bytes, events)
        return
      case PacketId.event:
        if (readEventCode(bytes) === "SEND") this.#leave(events)
    }
  }

  /** Whether the packet tells of the player in the frame under way; a later frame's begins that one. */
  #isOfFrame(events: EventBuffer): boolean {
    const { frame, layout, overallFrame, packetId, player } = this.#header
    const behind = this.#overallFrame - overallFrame || this.#frame - frame
    if (behind > 0 && behind < OVERTAKEN_FRAMES) {
      if (packetId === PacketId.carTelemetry) events.late()
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
    const { brake, gear, rpm, speed, steering, throttle } = this.#telemetry
    const { x, y, z } = this.#motion
    const sample = this.#sample
    sample.time = this.#time!
    sample.speed = speed
    sample.rpm = rpm
    sample.gear = gear
    sample.throttle = throttle
    sample.brake = brake
    sample.steering = steering
    // Theirs is right-handed with y up (section 4.1; in real captures forward x up is right): ours has z up.
    sample.x = x
    sample.y = -z
    sample.z = y
    this.#isGiven = true
    this.#session.point(sample, this.#arrival, events)
  }

  /** A packet without a session. After the flag, the one with the final lap's numbers may be such. */
  #menu(bytes: Buffer, events: EventBuffer): void {
    const { packetId } = this.#header
    if (this.#uid === NO_SESSION || this.#session.isOver) return
    if (packetId === PacketId.sessionHistory && readHistoryCar(bytes) === this.#player) {
      this.#laps.learn(bytes, events)
    }
    // Buttons can be pressed in a pause too, which is silence but for them.
    if (packetId === PacketId.sessionHistory || packetId === PacketId.event) return
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
    this.#laps = new F1Laps()
    this.#timeline = new Timeline()
    this.#lostFrames = new LostFrames()
    this.#frame = Number.NaN
    this.#overallFrame = Number.NaN
    this.#clock = Number.NaN
    this.#time = undefined
  }
}
