/**
 * Gran Turismo 7 on a PlayStation: it sends to clients that ask with a heartbeat, to the port after its own
 * (gran-turismo-7.md, section 1). The first packet that decrypts is the handshake.
 */
import { asking } from "../../udp/asking.ts"
import type { AskedProtocol, Conversation } from "../../udp/Protocol.ts"
import type { EventBuffer } from "../../EventBuffer.ts"
import { Gt7Interpreter } from "./Gt7Interpreter.ts"
import type { Heartbeat } from "./layout.ts"
import { options, read } from "./options.ts"

export { options }

const PORT = 33739
const LAST_PORT = 65535
/** Format B has the steering wheel; a game without B has A. */
const formats: ReadonlyArray<Heartbeat> = ["B", "A"]
/** The number of heartbeats, one a second, before the next format is tried; both fit into the time of a connect. */
const TRIES = 3
/** The stream stops 16 s after a heartbeat: two of them may be lost, s. */
const BEAT_S = 5
/** After this long without a packet the console is asked again, s. */
const SILENT_S = 3
/** After this long without a packet the link is lost, s. */
const SILENT_AFTER_S = 10
/** From lock to lock, of the most common wheel, degrees. */
const STEERING_LOCK = 900

class Gt7Conversation implements Conversation {
  readonly #interpreter: Gt7Interpreter
  #send: (bytes: Uint8Array) => void = () => undefined
  #isAnswered = false
  /** Heartbeats that were sent before the first packet. */
  #beats = 0
  #sentAt = -Infinity
  #heardAt = -Infinity

  constructor({ replays, steeringLock }: ReturnType<typeof read>) {
    this.#interpreter = new Gt7Interpreter(steeringLock ?? STEERING_LOCK, replays === true)
  }

  readonly open = (send: (bytes: Uint8Array) => void): void => {
    this.#send = send
    this.#isAnswered = false
    this.#sentAt = -Infinity
  }

  readonly simulator = (): string => this.#interpreter.simulator()

  readonly datagram = (bytes: Buffer, arrival: number, events: EventBuffer): void => {
    this.#heardAt = arrival
    this.#interpreter.datagram(bytes, arrival, events)
    this.#isAnswered ||= this.#interpreter.heartbeat !== undefined
  }

  readonly end = (events: EventBuffer): void => this.#interpreter.end(events)

  readonly state = () => (this.#isAnswered ? ({ _tag: "Answered" } as const) : ({ _tag: "Waiting" } as const))

  readonly tick = (now: number): void => {
    const known = this.#interpreter.heartbeat
    if (this.#isAnswered) {
      const isSilent = now - this.#heardAt >= SILENT_S
      if (now - this.#sentAt < (isSilent ? SILENT_S : BEAT_S)) return
    }
    const format = known ?? formats[Math.floor(this.#beats++ / TRIES) % formats.length]!
    this.#send(Buffer.from(format, "latin1"))
    this.#sentAt = now
  }

  /** The stream ends by itself. */
  readonly sendDisconnect = (): void => {}
}

export const protocol: AskedProtocol = {
  name: "gt7",
  ports: [PORT],
  silentAfter: SILENT_AFTER_S,
  answersTo: (port) => Math.min(port + 1, LAST_PORT),
  options,
  conversation: (link) => new Gt7Conversation(read(link.options))
}

export const layer = asking(protocol)
