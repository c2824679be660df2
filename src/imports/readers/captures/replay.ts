/**
 * Replays captured datagrams through the drivers of games that send unasked, as a link would hear them: with its silences, its
 * lost links, and the state that outlives them (simulators/udp). Plain.
 */
import { type Rows, SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { isPointTime } from "../../../domain/Time.ts"
import { coalesce } from "../../../simulators/connection/coalesce.ts"
import type { LinkOptions } from "../../../simulators/Driver.ts"
import { protocols } from "../../../simulators/drivers/any/AnyDriver.ts"
import { recall, type RememberedGame } from "../../../simulators/udp/memory.ts"
import { SILENT_AFTER_S } from "../../../simulators/udp/silence.ts"
import type { Interpreter, PushProtocol } from "../../../simulators/udp/Protocol.ts"
import type { Datagram } from "./Datagram.ts"

/** The protocol that recognises a datagram. */
export const protocolOf = (bytes: Buffer): PushProtocol | undefined =>
  protocols.find((protocol) => protocol.recognises(bytes))

export { protocols }

/** The arrival of the first datagram, s: the clock of a real link is never at 0. */
const BEGIN_S = 1000

type Started = Extract<SimulatorEvent, { readonly _tag: "SessionStarted" }>

const isRows = (event: SimulatorEvent): event is Rows => event._tag === "Rows"

export class Replay {
  readonly #protocol: PushProtocol
  readonly #options: LinkOptions
  #game: RememberedGame<Interpreter> | undefined
  /** Whether a link is open. */
  #isOpen = false
  #heard = false
  #silentFor = 0
  /** Epoch seconds of the first datagram. */
  #zero: number | undefined
  #now = BEGIN_S
  #tickAt = BEGIN_S + 1
  /** A session that has no row yet, and the events after it. */
  #held: { readonly started: Started; readonly after: Array<SimulatorEvent> } | undefined

  /** `port`: to which the datagrams were sent. */
  constructor(protocol: PushProtocol, port: number) {
    this.#protocol = protocol
    this.#options = { host: "0.0.0.0", port, appName: "", rate: 60, options: {}, memory: new Map() }
  }

  /** The events of the datagrams. Their times are epoch seconds, in order. */
  hear(datagrams: ReadonlyArray<Datagram>): ReadonlyArray<SimulatorEvent> {
    const events: Array<SimulatorEvent> = []
    for (const { bytes, time: captured } of datagrams) {
      if (!isPointTime(captured)) continue
      // Arrivals only go forward, and are small: of epoch seconds a double keeps no microseconds.
      this.#zero ??= captured
      const time = Math.max(this.#now, BEGIN_S + captured - this.#zero)
      this.#now = time
      for (; this.#tickAt <= time; this.#tickAt++) {
        // Nothing more happens until the next datagram.
        if (!this.#isOpen) this.#tickAt = Math.max(this.#tickAt, time - 1)
        this.#passSecond(this.#tickAt, events)
      }
      this.#hear(bytes, time)
      this.#take(time, events)
    }
    return coalesce(events)
  }

  /** The end of the last link. */
  end(): ReadonlyArray<SimulatorEvent> {
    const events: Array<SimulatorEvent> = []
    this.#lose(this.#now, events)
    // A session without any row is none.
    return [...events, SimulatorEvent.SessionEnded()]
  }

  #hear(bytes: Buffer, time: number): void {
    const isOwn = this.#protocol.recognises(bytes)
    if (!this.#isOpen && !isOwn) return
    if (!this.#isOpen) {
      this.#game = recall(this.#options.memory, this.#protocol.name, time, () =>
        this.#protocol.interpreter(this.#options)
      )
      this.#isOpen = true
      this.#silentFor = 0
    }
    const game = this.#game!
    if (!isOwn)
      return game.events.refuse(`a datagram of ${bytes.length} bytes that is not ${this.#protocol.name}'s`)
    this.#heard = true
    game.hear(time)
    game.interpreter.datagram(bytes, time, game.events)
  }

  #passSecond(now: number, events: Array<SimulatorEvent>): void {
    if (!this.#isOpen) return
    this.#silentFor = this.#heard ? 0 : this.#silentFor + 1
    this.#heard = false
    const { events: own, interpreter } = this.#game!
    if (this.#silentFor > 0) interpreter.silence?.(this.#silentFor, own)
    this.#take(now, events)
    if (this.#silentFor >= SILENT_AFTER_S) this.#lose(now, events)
  }

  #lose(now: number, events: Array<SimulatorEvent>): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    const { events: own, interpreter } = this.#game!
    interpreter.end?.(own)
    this.#take(now, events)
  }

  /** Takes the events that may leave at `now`, and places their sessions in time. */
  #take(now: number, into: Array<SimulatorEvent>): void {
    const taken = this.#game?.events.take() ?? []
    for (const [n, event] of taken.entries()) {
      if (event._tag === "SessionStarted") this.#held = { started: event, after: [] }
      else if (this.#held === undefined) into.push(event)
      else if (isRows(event)) {
        const { after, started } = this.#held
        this.#held = undefined
        // The newest row of the session is of now.
        const next = taken.findIndex((later, i) => i > n && later._tag === "SessionStarted")
        const own = taken.slice(n, next < 0 ? undefined : next).filter(isRows)
        const last = Math.max(...own.map(({ batch }) => batch.timestamps.at(-1) ?? Number.NEGATIVE_INFINITY))
        into.push(
          { ...started, clockZero: started.clockZero ?? this.#zero! + now - BEGIN_S - last },
          ...after,
          event
        )
      } else this.#held.after.push(event)
    }
  }
}
