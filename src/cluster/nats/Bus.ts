/** What a cluster needs of a message bus. */
import { Data, type Effect } from "effect"

/** The bus answered, and cannot be used. */
export class BusRefused extends Data.TaggedError("BusRefused")<{ readonly reason: string }> {}

/** Nobody answered a question in time, or nobody is there to. */
export class NotAnswered extends Data.TaggedError("NotAnswered")<{ readonly reason: string }> {}

/** A message, and the function that answers it if its sender waits for an answer. */
export type Heard = (bytes: Uint8Array, answer: (bytes: Uint8Array) => void) => void

/**
 * Guarantees: messages of one sender arrive at one receiver in the order in which they were sent, over all subjects. Any message may be
 * lost, and all are while the bus is away. A sender does not hear itself.
 */
export interface Bus {
  /** Sends at most MAX_MESSAGE_BYTES, which nothing may change afterwards. Does nothing while the bus is away. */
  readonly publish: (subject: string, bytes: Uint8Array) => void
  /** Calls `heard` with each message of the subject, in which `*` stands for any one part, until the returned function is called. */
  readonly subscribe: (subject: string, heard: Heard) => () => void
  /** Fails if nobody answers in time. */
  readonly request: (
    subject: string,
    bytes: Uint8Array,
    withinMs: number
  ) => Effect.Effect<Uint8Array, NotAnswered>
  /** Resolves when the bus has taken everything published before; rejects if the connection is lost meanwhile. */
  readonly flush: () => Promise<void>
  /** Whether the bus takes messages now. */
  readonly isUp: () => boolean
  /** Calls `changed` whenever the bus goes away or comes back, until the returned function is called. */
  readonly onChange: (changed: (isUp: boolean) => void) => () => void
}

/** Half of what nats-server takes in one message by default. */
export const MAX_MESSAGE_BYTES = 512 * 1024
