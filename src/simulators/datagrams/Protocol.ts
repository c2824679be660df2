/** What a driver over UDP consists of, apart from its socket: pure functions and plain state machines. */
import type { OtherGame } from "../../domain/errors.ts"
import type { EventBuffer } from "../EventBuffer.ts"
import type { LinkOptions } from "../Driver.ts"
import type { DriverOptions } from "../driverOptions.ts"

/**
 * The state machine of one link. It never throws, whatever the bytes; what it cannot read it refuses into `events`.
 */
export interface Interpreter {
  /** What a datagram says, into `events`. `arrival`: when it came, s on a clock that only goes forward. */
  readonly datagram: (bytes: Buffer, arrival: number, events: EventBuffer) => void
  /** Name and version of the simulator, as far as the bytes have told. */
  readonly simulator: () => string
  /** Nothing was heard for so many whole seconds: called for each of them, for what only silence tells. */
  readonly silence?: (seconds: number, events: EventBuffer) => void
  /** Nothing more will be heard on this link: what is known all the same goes into `events`. */
  readonly end?: (events: EventBuffer) => void
}

/** A simulator that sends to us unasked. */
export interface PushProtocol {
  /** What `POST /connect` calls the driver. */
  readonly name: string
  /** Whether these bytes are this protocol's and no other's. Cheap: by length and fixed values. */
  readonly recognises: (bytes: Buffer) => boolean
  /** What a user should change in the simulator, of bytes that are the simulator's and still of no use. */
  readonly hint?: (bytes: Buffer) => string | undefined
  /** Another game that may well send to this simulator's port, recognised by its bytes. */
  readonly otherGame?: (bytes: Buffer) => OtherGame | undefined
  /** Which of several kinds that may come from sockets of their own; left out, all come from one. */
  readonly kindOf?: (bytes: Buffer) => string
  readonly interpreter: (options: LinkOptions) => Interpreter
}

/** The state machine of a link that the service has to ask for. */
export interface Conversation extends Interpreter {
  readonly state: () =>
    | { readonly _tag: "Waiting" }
    | { readonly _tag: "Answered" }
    /** The simulator turned us away, for this reason. */
    | { readonly _tag: "Refused"; readonly reason: string }
  /** Called at the start and then once a second: sends what is due, such as a greeting that got no answer. */
  readonly tick: (now: number) => void
  /** Tells the simulator that the link ends. */
  readonly sendDisconnect: () => void
}

/** A simulator that answers those who ask, to the address that they ask from. */
export interface AskedProtocol {
  readonly name: string
  readonly ports: ReadonlyArray<number>
  /** What a connect may tell its driver. */
  readonly options?: DriverOptions
  /** Nothing heard for so long: the link is lost, s. */
  readonly silentAfter: number
  /** The port that it answers to, where that is fixed; else any free one of ours. */
  readonly answersTo?: (port: number) => number
  readonly conversation: (options: LinkOptions, send: (bytes: Uint8Array) => void) => Conversation
}
