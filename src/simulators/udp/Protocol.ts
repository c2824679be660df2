/** The parts of a driver over UDP except its socket: pure functions and plain state machines. */
import type { OtherGame } from "../../domain/errors.ts"
import type { EventBuffer } from "../EventBuffer.ts"
import type { LinkOptions } from "../Driver.ts"
import type { DriverOptions } from "../driverOptions.ts"

/**
 * The state machine of one game. It continues with the next link (memory.ts), whose packets show whether the session
 * does. It never throws, whatever the bytes; it refuses unreadable bytes into `events`.
 */
export interface Interpreter {
  /** Reads a datagram into `events`. `arrival`: when it came, s on a clock that only goes forward. */
  readonly datagram: (bytes: Buffer, arrival: number, events: EventBuffer) => void
  /** Name and version of the simulator, as far as its packets reported them. */
  readonly simulator: () => string
  /** Nothing was heard for this many whole seconds. Called for each of them: only silence shows some ends. */
  readonly silence?: (seconds: number, events: EventBuffer) => void
  /** The link ends. The interpreter puts what it still knows into `events`. */
  readonly end?: (events: EventBuffer) => void
}

/** A simulator that sends to us without being asked. */
export interface PushProtocol {
  /** The driver's name in `POST /connect`. */
  readonly name: string
  /** Whether these bytes belong to this protocol and to no other. Cheap: by length and fixed values. */
  readonly recognises: (bytes: Buffer) => boolean
  /** Advice on a setting to change in the simulator, if these bytes are the simulator's but not usable. */
  readonly hint?: (bytes: Buffer) => string | undefined
  /** Another game that may send to this simulator's port, recognised by its bytes. */
  readonly otherGame?: (bytes: Buffer) => OtherGame | undefined
  /** The kind of a datagram, where each kind may come from another socket; left out, all come from one. */
  readonly kindOf?: (bytes: Buffer) => string
  readonly interpreter: (options: LinkOptions) => Interpreter
}

/** The state machine of a game that the service has to ask. */
export interface Conversation extends Interpreter {
  /** Called for each link, over which nothing was answered yet. `send` sends over it. */
  readonly open: (send: (bytes: Uint8Array) => void) => void
  readonly state: () =>
    | { readonly _tag: "Waiting" }
    | { readonly _tag: "Answered" }
    /** The simulator refused us, for this reason. */
    | { readonly _tag: "Refused"; readonly reason: string }
  /** Called at the start and then once a second. Sends what is due, such as a greeting without an answer. */
  readonly tick: (now: number) => void
  /** Tells the simulator that the link ends. */
  readonly sendDisconnect: () => void
}

/** A simulator that answers its clients, at the address from which they ask. */
export interface AskedProtocol {
  readonly name: string
  readonly ports: ReadonlyArray<number>
  /** The driver's options in a connect. */
  readonly options?: DriverOptions
  /** After this long without a datagram the link is lost, s. */
  readonly silentAfter: number
  /** The port to which the simulator answers, where that is fixed; else any free one of ours. */
  readonly answersTo?: (port: number) => number
  readonly conversation: (options: LinkOptions) => Conversation
}
