/** A driver that receives a case's datagrams, and the events that it hands on. Silences end links, and links open again. */
import type { LinkOptions } from "../../../src/simulators/Driver.ts"
import { NativeDecoder } from "../../../src/simulators/drivers/native/NativeDecoder.ts"
import { recall, type RememberedGame } from "../../../src/simulators/udp/memory.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { linkOptions } from "../drivers/interpreting.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { Game, type Line, linesOf } from "./games.ts"
import { type Reader, type Shell, shellOf } from "./readers.ts"

/** Events that the recorder gets together at a moment, s, or the loss of the link. */
export interface Handed {
  readonly at: number
  readonly what: ReadonlyArray<SimulatorEvent> | "lost"
}

/** The game's side; its times are those of the service. */
export interface PlayedGame {
  /** Whether it sends no more. */
  readonly isOver: boolean
  /** The time of its next datagram; infinite while it waits for a request. */
  readonly due: number
  /** Sends all that is due at `now`. */
  readonly send: (now: number) => void
  /** Receives a message of the service's nth link. */
  readonly hear: (bytes: Buffer, now: number, link: number) => void
}

/** Receives a datagram on the service's side. */
export type Arrive = (bytes: Buffer, isStream: boolean) => void

/** When the file's time is 0 for a game that sends unasked, s of the service. */
export const BEGIN_S = 100
/** Until the user disconnects, after the last datagram, s: by then an asked game's link is lost, and a listener's is not. */
const AFTER_S = 20
/** A tick of a second is at no round time, just as a file's times are not. */
const TICKS_AT_S = BEGIN_S - 0.73
/** The wait before a link that was lost is opened again, s. */
const RECONNECT_S = 0.25
/** The end of a case whose game nobody asks, s. */
const NEVER_S = 3600

class Service {
  readonly handed: Array<Handed> = []
  readonly #shell: Shell
  readonly #options: LinkOptions
  readonly #sendToGame: (bytes: Buffer, link: number) => void
  #events = new EventBuffer()
  #reader: Reader | undefined
  #game: RememberedGame<Reader> | undefined
  #received = true
  #silent = 0
  #links = 0
  tickAt = TICKS_AT_S
  now = TICKS_AT_S

  constructor(shell: Shell, options: LinkOptions, sendToGame: (bytes: Buffer, link: number) => void) {
    this.#shell = shell
    this.#options = options
    this.#sendToGame = sendToGame
  }

  hear(bytes: Buffer, isStream: boolean): void {
    const isOwn = this.#shell.recognises?.(bytes) ?? true
    if (this.#reader === undefined && this.#shell.recognises !== undefined && isOwn) this.#open()
    if (this.#reader === undefined) return
    if (!isOwn) this.#events.refuse("not the game's")
    else {
      this.#received = true
      this.#game!.hear(this.now)
      if (isStream && this.#reader.stream !== undefined) {
        this.#reader.stream(bytes, this.now, this.#events)
      } else this.#reader.datagram(bytes, this.now, this.#events)
    }
    this.#hand()
  }

  tick(): void {
    this.tickAt = this.now + 1
    if (this.#reader === undefined && this.#shell.recognises === undefined) this.#open()
    const reader = this.#reader
    if (reader === undefined) return
    this.#silent = this.#received ? 0 : this.#silent + 1
    this.#received = false
    if (this.#silent > 0) reader.silence?.(this.#silent, this.#events)
    this.#hand()
    // Before the first answer there is no link to lose.
    const isOpen = reader.conversation === undefined || reader.conversation.state()._tag === "Answered"
    if (isOpen && this.#silent >= this.#shell.silentAfter) this.lose()
    else reader.conversation?.tick?.(this.now)
  }

  /** The link ends. */
  lose(): void {
    const reader = this.#reader
    if (reader === undefined) return
    this.#reader = undefined
    reader.end?.(this.#events)
    reader.conversation?.sendDisconnect()
    this.#hand()
    this.handed.push({ at: this.now, what: "lost" })
    this.tickAt = this.now + RECONNECT_S
  }

  #open(): void {
    this.#received = true
    this.#silent = 0
    const { make, name } = this.#shell
    const game = recall(this.#options.memory, name, this.now, () => make(this.#options))
    this.#game = game
    this.#events = game.events
    this.#reader = game.interpreter
    const link = ++this.#links
    this.#reader.open?.((bytes) => this.#sendToGame(Buffer.from(bytes), link))
  }

  #hand(): void {
    const events = this.#events.take()
    if (events.length > 0) this.handed.push({ at: this.now, what: events })
  }
}

/** One by one: a decoder's events are valid until it decodes more. */
function* nativeHanded(file: string): Iterable<Handed> {
  const decoder = new NativeDecoder()
  let left = linesOf(file)
  while (left.length > 0) {
    yield { at: BEGIN_S, what: decoder.decode(left) }
    left = left.slice(decoder.consumed)
  }
}

/** All events that are handed to the recorder while a game plays, and until the user disconnects. */
export const handedBy = (
  simulator: string,
  options: Readonly<Record<string, unknown>>,
  play: (arrive: Arrive) => PlayedGame
): ReadonlyArray<Handed> => {
  const service: Service = new Service(shellOf(simulator), linkOptions({ options }), (bytes, link) =>
    game.hear(bytes, service.now, link)
  )
  const game = play((bytes, isStream) => service.hear(bytes, isStream))
  for (let until = NEVER_S; Math.min(game.due, service.tickAt) < until;) {
    service.now = Math.min(game.due, service.tickAt)
    if (service.tickAt <= game.due) service.tick()
    else game.send(service.now)
    if (game.isOver && until === NEVER_S) until = service.now + AFTER_S
  }
  service.lose()
  return service.handed
}

/** The same while a case's file is played. `changed`: the lines to play instead of the file's. */
export const handedOf = (
  file: string,
  simulator: string,
  options: Readonly<Record<string, unknown>>,
  changed: (lines: ReadonlyArray<Line>) => ReadonlyArray<Line> = (lines) => lines
): Iterable<Handed> => {
  if (simulator === "native") return nativeHanded(file)
  const lines = changed(linesOf(file).map((line) => JSON.parse(line) as Line))
  return handedBy(simulator, options, (arrive) => new Game(simulator, lines, BEGIN_S, arrive))
}
