/** An emulator that plays its game to the service: started, held up, closed and started again as a scenario has it. */
import { Frames } from "../../../simulator/emulators/frames.ts"
import type { DrivenLap } from "../../../simulator/model/lap.ts"
import type { Arrive, PlayedGame } from "../cases/handed.ts"
import { BEGIN_S } from "../cases/handed.ts"
import { framesOptions, scene } from "../drivers/emulating.ts"
import { type Game, type Kind, type Out, portOf } from "../drivers/suite/kind.ts"
import type { Scenario } from "./scenarios.ts"

/** From one end of the way to the other, s. */
const WAY_S = 0.001
/** A game goes on for so long after its last lap, s: lap times may come late. */
const AFTER_S = 4

export class EmulatedGame implements PlayedGame {
  readonly #kind: Kind
  readonly #scenario: Scenario
  readonly #arrive: Arrive
  readonly #out: Out
  #game: Game
  #frames: Frames
  #mail: Array<{ readonly at: number; readonly bytes: Buffer; readonly isStream: boolean }> = []
  #link = 0
  #lives: number
  #frame = 0
  /** When the frame numbered 0 is due, s. */
  #begin = BEGIN_S
  /** Messages of a TCP client before the game was there. */
  #greeting: Buffer | undefined
  /** When it is started again, s. */
  #opens = -Infinity
  #over = 0
  #now = 0
  /** How many sessions began in the lives before. */
  #before = 0
  /** The datagrams of the frame, or of an answer. */
  #messages: Array<Buffer> = []
  /** The laps that were driven to their end, in order, by session. */
  readonly driven: Array<Array<DrivenLap>> = [[]]

  constructor(kind: Kind, scenario: Scenario, arrive: Arrive) {
    this.#kind = kind
    this.#scenario = scenario
    this.#arrive = arrive
    this.#lives = scenario.lives ?? 1
    this.#game = kind.game(scene)
    this.#frames = this.#newFrames()
    this.#out = {
      datagram: (bytes, to) => {
        if (to === undefined || to.port === portOf(this.#link)) this.#messages.push(Buffer.from(bytes))
      },
      stream: (bytes, link) => {
        if (link === this.#link) this.#give([Buffer.from(bytes)], true)
      }
    }
  }

  get isOver(): boolean {
    return this.#lives === 0
  }

  get due(): number {
    const frame = this.isOver ? Infinity : this.#begin + this.#frame / this.#rate
    return Math.min(this.#mail[0]?.at ?? Infinity, frame)
  }

  hear(bytes: Buffer, now: number, link: number): void {
    this.#now = now
    if (this.isOver) return
    this.#link = link
    // While the game is closed, it receives nothing; a client that connects waits until it is there.
    if (now < this.#opens) {
      if (this.#kind.protocol === "lfs") this.#greeting = bytes
      return
    }
    this.#game.heard(bytes, link, this.#out)
    this.#give(this.#take(), false)
  }

  send(now: number): void {
    this.#now = now
    const [mail] = this.#mail
    if (mail !== undefined && mail.at <= now) {
      this.#mail.shift()
      return this.#arrive(mail.bytes, mail.isStream)
    }
    if (this.#greeting !== undefined) {
      const greeting = this.#greeting
      this.#greeting = undefined
      return this.hear(greeting, now, this.#link)
    }
    const frame = this.#frames.next()
    this.#frame++
    if (frame.session >= this.#sessions) this.driven.push([])
    if (frame.lapEnded) this.driven.at(-1)!.push(frame.lastLap!)
    this.#game.frame(frame, this.#out)
    const { lost = [], way } = this.#scenario
    const datagrams = this.#take()
    const at = now - this.#begin
    if (!lost.some(({ from, until }) => from <= at && at < until))
      this.#give(way?.(datagrams, frame.index) ?? datagrams, false)
    const { restarts = [] } = this.#scenario.frames
    this.#over = frame.finished && frame.session === restarts.length ? this.#over + 1 : 0
    if (this.#over >= AFTER_S * this.#rate) this.#close(now)
  }

  get #rate(): number {
    return framesOptions(this.#scenario.frames).rate
  }

  /** How many sessions have begun in this life. */
  get #sessions(): number {
    return this.driven.length - this.#before
  }

  #newFrames(): Frames {
    return new Frames(framesOptions(this.#scenario.frames))
  }

  #close(now: number): void {
    this.#lives--
    if (this.isOver) return
    this.#before = this.driven.length
    this.driven.push([])
    this.#game = this.#kind.game(scene)
    this.#frames = this.#newFrames()
    this.#frame = this.#over = 0
    this.#begin = this.#opens = now + (this.#scenario.closedFor ?? 0)
  }

  #take(): ReadonlyArray<Buffer> {
    const messages = this.#messages
    this.#messages = []
    return messages
  }

  #give(all: ReadonlyArray<Buffer>, isStream: boolean): void {
    this.#mail.push(...all.map((bytes) => ({ at: this.#now + WAY_S, bytes, isStream })))
  }
}
