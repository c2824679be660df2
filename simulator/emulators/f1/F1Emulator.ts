/**
 * A game of EA's F1 telemetry: full datagrams of all its cars, each kind of packet at its own rhythm
 * (f1-udp-2023-2026.md, sections 3, 6 and 8).
 *
 * Over 250 lines: the kinds of packets of one game, each with its rhythm.
 */
import { randomBytes } from "node:crypto"
import { type F1Format, layoutOf, type PacketName } from "../../../src/simulators/drivers/f1/layout.ts"
import type { DrivenLap } from "../../model/lap.ts"
import type { Emulator, Frame, Scene, Send } from "../Emulator.ts"
import { PLAYER, rivals, teamIdOf, trackIdOf } from "./casting.ts"
import { F1Packet } from "./Packet.ts"
import {
  damageValues,
  lapMs,
  lapTail,
  lapValues,
  motionExValues,
  motionValues,
  openLapValues,
  pastLapValues,
  sessionValues,
  statusValues,
  telemetryTail,
  telemetryValues
} from "./values.ts"

/** The game's own frames per second; lower rates skip some. */
const GAME_HZ = 60
const SESSION_HZ = 2
const DAMAGE_HZ = 10
const PARTICIPANTS_S = 5
const HISTORY_HZ = 20
const BUTTONS_HZ = 1
const BUTTON = 0x10
/** From the flag to the end of the session, s. */
const FLAG_TO_END_S = 0.1
/** Each rival repeats the player's drive, so many frames after the car before it. */
const FRAMES_APART = 8
const HISTORY_LAPS = 100
/** In thousandths since format 2026. */
const forceIn = (format: F1Format) =>
  format === 2026 ? (g: number) => Math.round(g * 1000) : (g: number) => g

/** The race's id in the games' table, which was renumbered. */
const raceType = (format: F1Format) => (format === 2023 ? 10 : 15)

/** Index of the fastest lap from 1; 0 if there is none. */
const bestOf = (laps: ReadonlyArray<DrivenLap>, time: (lap: DrivenLap) => number): number => {
  const times = laps.map((lap) => (lap.valid ? time(lap) : Infinity))
  const best = Math.min(...times)
  return best === Infinity ? 0 : times.indexOf(best) + 1
}

export class F1Emulator implements Emulator {
  readonly #scene: Scene
  readonly #format: F1Format
  readonly #packets: Readonly<Record<PacketName, F1Packet>>
  /** A session's id is this and its number. */
  readonly #uid = BigInt(randomBytes(4).readUInt32LE())
  #session = -1
  /** The game's frame. */
  #count = 0
  /** When the packets with an interval of their own were last sent. */
  #sent = { session: -1, damage: -1, participants: -1, history: -1, buttons: -1 }
  /** The player's car in past frames, as sent in each packet. */
  #trail: Array<{ readonly time: number; readonly cars: ReadonlyArray<Buffer> }> = []
  #laps: Array<DrivenLap> = []
  #flag: number | undefined
  #isOver = false

  constructor(scene: Scene, format: F1Format) {
    this.#scene = scene
    this.#format = format
    this.#packets = Object.fromEntries(
      Object.entries(layoutOf(format)!.packets).map(([name, layout]) => [name, new F1Packet(layout)])
    ) as Record<PacketName, F1Packet>
    this.#writeParticipants()
    this.#packets.lapData.tail(lapTail)
    this.#packets.carTelemetry.tail(telemetryTail)
  }

  frame(frame: Frame, send: Send): void {
    // A paused game is silent, and so is one whose session has ended.
    if (frame.paused) return
    if (frame.session !== this.#session) this.#begin(frame, send)
    if (this.#isOver) return
    const { lastLap, sessionTime } = frame
    if (lastLap !== undefined && lastLap !== this.#laps.at(-1)) this.#laps.push(lastLap)
    this.#count = Math.max(this.#count + 1, Math.round(sessionTime * GAME_HZ))
    this.#sendMoment(frame, send)
    this.#sendNowAndThen(frame, send)
    if (frame.finished) this.#flag ??= sessionTime
    if (this.#flag !== undefined && sessionTime - this.#flag >= FLAG_TO_END_S) this.#end(frame, send)
  }

  /** A restart begins another session; no packet reports the end of the one before. */
  #begin(frame: Frame, send: Send): void {
    this.#session = frame.session
    this.#count = -1
    this.#sent = { session: -1, damage: -1, participants: -1, history: -1, buttons: -1 }
    this.#trail = []
    this.#laps = []
    this.#flag = undefined
    this.#isOver = false
    this.#sendEvent("SSTA", frame, send)
  }

  #sendMoment(frame: Frame, send: Send): void {
    const { carStatus, carTelemetry, lapData, motion, motionEx } = this.#packets
    const packets = [motion, lapData, carTelemetry, carStatus]
    motion.element(PLAYER, motionValues(frame, forceIn(this.#format)))
    lapData.element(PLAYER, lapValues(frame, this.#scene.circuit.length))
    carTelemetry.element(PLAYER, telemetryValues(frame, this.#scene.vehicle))
    carStatus.element(PLAYER, statusValues(frame, this.#scene))
    this.#trail.push({
      time: frame.sessionTime,
      cars: packets.map((packet) => packet.elementBytes(PLAYER))
    })
    if (this.#trail.length > FRAMES_APART * PLAYER + 1) this.#trail.shift()
    const momentOf = (car: number) => this.#trail.at(-1 - FRAMES_APART * (PLAYER - car)) ?? this.#trail[0]!
    for (let car = 0; car < PLAYER; car++) {
      packets.forEach((packet, n) => packet.put(car, momentOf(car).cars[n]!))
    }
    for (let car = 0; car <= PLAYER; car++) {
      const position = PLAYER - car + 1
      const { time } = momentOf(car)
      const ahead = Math.round(((car === PLAYER ? time : momentOf(car + 1).time) - time) * 1000)
      const leader = Math.round((frame.sessionTime - time) * 1000)
      lapData.element(car, {
        carPosition: position,
        gridPosition: position,
        deltaToCarInFrontInMS: ahead,
        deltaToCarInFrontMSPart: ahead,
        deltaToRaceLeaderInMS: leader,
        deltaToRaceLeaderMSPart: leader
      })
    }
    for (const packet of packets) this.#send(packet, frame, send)
    motionEx.head(motionExValues(frame))
    this.#send(motionEx, frame, send)
    if (this.#format === 2026) this.#send(this.#packets.carTelemetry2, frame, send)
  }

  #sendNowAndThen(frame: Frame, send: Send): void {
    const { carDamage, participants, session } = this.#packets
    const { sessionTime } = frame
    const now = {
      session: Math.floor(sessionTime * SESSION_HZ),
      damage: Math.floor(sessionTime * DAMAGE_HZ),
      participants: Math.floor(sessionTime / PARTICIPANTS_S),
      history: Math.floor(sessionTime * HISTORY_HZ),
      buttons: Math.floor(sessionTime * BUTTONS_HZ)
    }
    if (now.session > this.#sent.session) {
      const { circuit } = this.#scene
      session.head(sessionValues(frame, this.#scene, trackIdOf(circuit.name), raceType(this.#format)))
      this.#send(session, frame, send)
    }
    if (now.damage > this.#sent.damage) {
      carDamage.element(PLAYER, damageValues(frame))
      this.#send(carDamage, frame, send)
    }
    if (now.participants > this.#sent.participants) this.#send(participants, frame, send)
    // One car at a time, in turn.
    for (let turn = this.#sent.history + 1; turn <= now.history; turn++) {
      this.#writeHistory(turn % (PLAYER + 1), frame)
      this.#send(this.#packets.sessionHistory, frame, send)
    }
    if (now.buttons > this.#sent.buttons) this.#sendEvent("BUTN", frame, send)
    this.#sent = now
  }

  /** The player's last SessionHistory comes without a session's id. */
  #end(frame: Frame, send: Send): void {
    this.#isOver = true
    this.#count = 0
    this.#sendEvent("SEND", frame, send)
    const { sessionHistory } = this.#packets
    this.#writeHistory(PLAYER, frame)
    this.#writeHeader(sessionHistory, frame)
    sessionHistory.header({ sessionUID: 0n })
    send(sessionHistory.bytes)
  }

  #sendEvent(code: string, frame: Frame, send: Send): void {
    const { event } = this.#packets
    event.head({ code, buttonStatus: code === "BUTN" ? BUTTON : 0 })
    this.#send(event, frame, send)
  }

  #send(packet: F1Packet, frame: Frame, send: Send): void {
    this.#writeHeader(packet, frame)
    send(packet.bytes)
  }

  #writeHeader(packet: F1Packet, frame: Frame): void {
    const count = Math.max(0, this.#count)
    packet.header({
      packetFormat: this.#format,
      gameYear: this.#format % 100,
      gameMajorVersion: 1,
      gameMinorVersion: 4,
      packetVersion: 1,
      packetId: packet.layout.id,
      sessionUID: this.#uid + (BigInt(frame.session + 1) << 32n),
      sessionTime: frame.sessionTime,
      frameIdentifier: count,
      overallFrameIdentifier: count,
      playerCarIndex: PLAYER,
      secondaryPlayerCarIndex: 255
    })
  }

  /** Rivals drive the player's laps, a little later. */
  #writeHistory(car: number, frame: Frame): void {
    const { sessionHistory } = this.#packets
    const laps = this.#laps.slice(0, HISTORY_LAPS)
    const isOpen = !frame.finished && laps.length < HISTORY_LAPS
    sessionHistory.clear()
    sessionHistory.head({
      carIdx: car,
      numLaps: laps.length + (isOpen ? 1 : 0),
      numTyreStints: 0,
      bestLapTimeLapNum: bestOf(laps, lapMs),
      bestSector1LapNum: bestOf(laps, (lap) => lap.sectors[0]),
      bestSector2LapNum: bestOf(laps, (lap) => lap.sectors[1]),
      bestSector3LapNum: bestOf(laps, (lap) => lap.sectors[2])
    })
    laps.forEach((lap, n) => sessionHistory.element(n, pastLapValues(lap)))
    if (isOpen) sessionHistory.element(laps.length, openLapValues(frame))
  }

  #writeParticipants(): void {
    const { participants } = this.#packets
    const { driver, vehicle } = this.#scene
    const names = [...rivals, driver]
    participants.head({ numActiveCars: names.length })
    names.forEach((name, car) => {
      const isPlayer = car === PLAYER
      participants.element(car, {
        aiControlled: isPlayer ? 0 : 1,
        driverId: isPlayer ? 255 : car,
        networkId: car,
        teamId: isPlayer ? teamIdOf(vehicle.name) : car % 10,
        myTeam: 0,
        raceNumber: car + 2,
        nationality: 10,
        name,
        yourTelemetry: 1,
        showOnlineNames: 1,
        techLevel: 0,
        platform: 1,
        numColours: 1
      })
    })
  }
}
