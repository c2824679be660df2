/**
 * A drive that is recorded on a busy machine. An emulator's frames become datagrams, which may be lost or spoilt, and which wait
 * in a socket of limited size while the service is held up; then they become recorded laps. There is no real socket and no real
 * clock, so the same seed gives the same ride.
 */
import { type Faults, spoil } from "../../../simulator/emulators/faults.ts"
import type { Send } from "../../../simulator/emulators/Emulator.ts"
import { Frames, type FramesOptions } from "../../../simulator/emulators/frames.ts"
import type { DrivenLap } from "../../../simulator/model/lap.ts"
import type { RecordedLap } from "../../../src/domain/Lap.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { framesOptions, scene } from "../drivers/emulating.ts"
import { Effect } from "effect"
import type { Handed } from "../cases/handed.ts"
import { recordedOf } from "../cases/recorded.ts"
import { type Kind, type Out, portOf, type Reader } from "../drivers/suite/kind.ts"

/** A process does nothing from `at` on for `seconds`: s of real time. */
export interface Stall {
  readonly at: number
  readonly seconds: number
}

/** This many datagrams in a row are lost, beginning with the first that is sent after `at`, s of real time. */
export interface Burst {
  readonly at: number
  readonly datagrams: number
}

export interface Conditions {
  readonly seed: number
  /** The speed of the game's clock, as a multiple of the service's. */
  readonly speed: number
  /** When the service connects, s of real time. */
  readonly connectAt: number
  readonly faults: Faults
  readonly frames: Partial<FramesOptions>
  /** In order, without overlaps. */
  readonly gameStalls: ReadonlyArray<Stall>
  readonly serviceStalls: ReadonlyArray<Stall>
  readonly bursts: ReadonlyArray<Burst>
  /** The number of datagrams that the service's socket holds. */
  readonly room: number
  /** Whether, after a stall, the service reads what came over TCP first. */
  readonly streamFirst: boolean
  /** s of game time. */
  readonly until: number
}

export interface Ridden {
  /** The laps that were driven to their end, in order, by session. */
  readonly driven: ReadonlyArray<ReadonlyArray<DrivenLap>>
  readonly recorded: ReadonlyArray<RecordedLap>
}

/** As in `driving.ts`. */
const MAX_BEHIND_S = 1
/** Between two datagrams that were read together, s. */
const APART_S = 20e-6
const START_S = 100
const RECONNECT_S = 0.25

/** The service's side: sockets that fill up while it is held up, and links that are lost by silence. */
class Service {
  readonly handed: Array<Handed> = []
  readonly #kind: Kind
  readonly #conditions: Conditions
  readonly #sendToGame: (bytes: Buffer, link: number) => void
  #events = new EventBuffer()
  #stalls: Array<Stall>
  #reader: Reader | undefined
  #waiting: Array<{ readonly bytes: Buffer; readonly stream: boolean }> = []
  #datagrams = 0
  #tickAt: number
  #silent = 0
  #received = false
  #now = 0
  links = 0

  constructor(kind: Kind, conditions: Conditions, sendToGame: (bytes: Buffer, link: number) => void) {
    this.#kind = kind
    this.#conditions = conditions
    this.#sendToGame = sendToGame
    this.#stalls = conditions.serviceStalls.map(({ at, seconds }) => ({ at: at + START_S, seconds }))
    this.#tickAt = START_S + conditions.connectAt
  }

  /** Everything that is due before `now`. */
  advance(now: number): void {
    for (;;) {
      const stall = this.#stalls[0]
      const until = stall === undefined ? Infinity : stall.at + stall.seconds
      // Timers run before sockets are read.
      const tick =
        stall !== undefined && this.#tickAt >= stall.at ? Math.max(this.#tickAt, until) : this.#tickAt
      if (tick <= now && tick <= until) this.#tick(tick)
      else if (until <= now) {
        this.#stalls.shift()
        this.#drain(until)
      } else break
    }
    this.#now = now
  }

  receive(bytes: Buffer, stream: boolean): void {
    const stall = this.#stalls[0]
    if (stall === undefined || this.#now < stall.at) return this.#hear(bytes, stream, this.#now)
    if (!stream && this.#datagrams >= this.#conditions.room) return
    this.#waiting.push({ bytes, stream })
    if (!stream) this.#datagrams++
  }

  turn(): void {
    const events = this.#events.take()
    if (events.length > 0) this.handed.push({ at: this.#now, what: events })
  }

  #drain(at: number): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#datagrams = 0
    const { streamFirst } = this.#conditions
    const first = waiting.filter(({ stream }) => stream === streamFirst)
    const second = waiting.filter(({ stream }) => stream !== streamFirst)
    ;[...first, ...second].forEach(({ bytes, stream }, n) => this.#hear(bytes, stream, at + n * APART_S))
    this.#now = at
    this.turn()
  }

  #hear(bytes: Buffer, stream: boolean, arrival: number): void {
    const reader = this.#reader
    if (reader === undefined) return
    if (stream) reader.stream?.(bytes, arrival, this.#events)
    else {
      if (reader.recognises?.(bytes) === false) return
      reader.datagram(bytes, arrival, this.#events)
    }
    this.#received = true
  }

  #tick(at: number): void {
    this.#tickAt = at + 1
    this.#now = at
    if (this.#reader === undefined) this.#open()
    this.#silent = this.#received ? 0 : this.#silent + 1
    this.#received = false
    if (this.#silent > 0) this.#reader?.silence?.(this.#silent, this.#events)
    if (this.#silent >= this.#kind.silentAfter && this.links > 0) {
      this.#reader?.sendDisconnect?.()
      this.#reader?.end?.(this.#events)
      this.turn()
      this.handed.push({ at, what: "lost" })
      this.#reader = undefined
      this.#silent = 0
      this.#tickAt = at + RECONNECT_S
    } else this.#reader?.tick?.(at)
  }

  #open(): void {
    const link = ++this.links
    this.#events = new EventBuffer()
    this.#received = true
    this.#reader = this.#kind.open(scene, (bytes) => this.#sendToGame(Buffer.from(bytes), link))
  }
}

export const ride = (kind: Kind, conditions: Conditions) =>
  Effect.suspend(() => {
    const { speed, until } = conditions
    const settings = framesOptions({ laps: 0, ...conditions.frames })
    const source = new Frames(settings)
    const game = kind.game(scene)
    const driven: Array<Array<DrivenLap>> = [[]]
    let bursts = conditions.bursts
    let losing = 0
    let now = START_S
    const arrive: Send = (bytes, to) => {
      if (to !== undefined && to.port !== portOf(service.links)) return
      const burst = bursts[0]
      if (burst !== undefined && now >= START_S + burst.at) {
        losing = burst.datagrams
        bursts = bursts.slice(1)
      }
      if (losing > 0) losing--
      else service.receive(Buffer.from(bytes), false)
    }
    const out: Out = {
      datagram: spoil(conditions.faults, conditions.seed)(arrive),
      stream: (bytes, link) => {
        if (link === service.links) service.receive(bytes, true)
      }
    }
    const messages: Array<() => void> = []
    // A game hears the service's messages when it is the game's turn.
    const service = new Service(kind, conditions, (bytes, link) => {
      messages.push(() => game.heard(bytes, link, out))
    })
    let stalls = conditions.gameStalls
    let shift = 0
    for (let n = 0; n < until * settings.rate; n++) {
      const frame = source.next()
      const due = START_S + frame.upTime / speed + shift
      while (stalls[0] !== undefined && stalls[0].at + stalls[0].seconds + START_S <= due)
        stalls = stalls.slice(1)
      const stall = stalls[0]
      const heldUp = stall !== undefined && due >= stall.at + START_S
      now = Math.max(now, heldUp ? START_S + stall.at + stall.seconds : due)
      shift += Math.max(0, now - due - MAX_BEHIND_S)
      service.advance(now)
      for (let next = messages.shift(); next !== undefined; next = messages.shift()) next()
      game.frame(frame, out)
      if (n % 4 === 3) service.turn()
      if (frame.session >= driven.length) driven.push([])
      if (frame.lapEnded) driven[frame.session]!.push(frame.lastLap!)
    }
    service.advance(now + 60)
    service.turn()
    const names = { circuit: scene.circuit.name, vehicle: scene.vehicle.name, driver: scene.driver }
    return Effect.map(recordedOf(names, false, service.handed), (sessions): Ridden => ({
      driven,
      recorded: sessions.flatMap(({ laps }) => laps)
    }))
  })
