/**
 * The connection of one subscription. The hub writes shared messages to it: the same bytes for all subscribers with the
 * same options, as on the WebSocket. tRPC writes the events of this subscription only: connected, pings, errors, the
 * end.
 *
 * Both write whole events in whole HTTP chunks, each in one write, so that no event lands within another.
 *
 * Hard cases. The hub writes nothing before tRPC has sent its first event, which tells the client that it is connected.
 * A client of HTTP/1.0 does not understand chunks; it gets no shared messages, and neither does a client whose
 * connection still answers an earlier request (pipelining).
 */
import type { ServerResponse } from "node:http"
import type { TooManyOfClient, TooManySelections } from "../../domain/errors.ts"
import type { TelemetryRun } from "../../live/hub/frames.ts"
import type { Hub } from "../../live/hub/Hub.ts"
import type { EncodedEvent, SubscriptionOptions } from "../../live/hub/Subscriber.ts"
import type { LiveMessage } from "../../live/hub/messages.ts"
import type { Encoding } from "../../live/transports/NewestOnly.ts"
import type { MessageBatch } from "../../live/hub/MessageBatch.ts"
import { BEHIND_BYTES as FRAMES_BEHIND_BYTES } from "../../live/transports/protocol.ts"

/**
 * An event in the form in which tRPC writes a tracked one. A message that a client missed is not sent again: the id
 * only records which message the client saw last.
 */
const eventText = (message: LiveMessage): string => {
  const { data, session_id, type } = message
  const of = "timestamp" in data ? data.timestamp : "id" in data ? data.id : data.mode
  const id = `${type}:${session_id}:${of}`
  return `data: ${JSON.stringify(message)}\nid: ${id}\n\n\n`
}

/**
 * A subscription may be behind by as many messages as a WebSocket. An event also has the steering, an id and its lines,
 * so it has up to twice the bytes.
 */
const BEHIND_BYTES = 2 * FRAMES_BEHIND_BYTES

const asChunk = (text: string) => Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)

/** Makes the bytes for the first subscriber that asks, and keeps them for the others. */
const once = <K extends object>(make: (of: K) => Buffer) => {
  const made = new WeakMap<K, Buffer>()
  return (of: K): Buffer => {
    const before = made.get(of)
    if (before !== undefined) return before
    const bytes = make(of)
    made.set(of, bytes)
    return bytes
  }
}

const encodingBy = (write: (text: string) => Buffer): Encoding => ({
  batch: once(({ runs }: MessageBatch) =>
    write(runs.flatMap(({ messages }) => messages.map(eventText)).join(""))
  ),
  newest: once((run: TelemetryRun) => write(eventText(run.messages[run.count - 1]!))),
  event: once(({ event }: EncodedEvent) => write(eventText(event))),
  behindBytes: BEHIND_BYTES
})

const chunked = encodingBy(asChunk)
const plain = encodingBy((text) => Buffer.from(text))

export class EventStream {
  readonly #response: ServerResponse
  #connected = false
  /** Why the subscription gets an HTTP status instead of a stream; set before anything is sent. */
  refusal: TooManyOfClient | TooManySelections | undefined

  constructor(response: ServerResponse) {
    this.#response = response
  }

  /** The address of the client. */
  get address(): string | undefined {
    return this.#response.req.socket.remoteAddress
  }

  refuse(error: TooManyOfClient | TooManySelections): void {
    this.refusal = error
  }

  /** To be called when tRPC's first event has been sent. */
  connected(): void {
    this.#connected = true
  }

  /** Makes the hub write to the connection until the caller calls the returned function. */
  follow(hub: Hub, options: SubscriptionOptions): () => void {
    const response = this.#response
    const { socket } = response
    if (socket === null) return () => {}
    return hub.stream(options, {
      socket,
      // The response's headers are not written yet, so its own state decides.
      encoding: response.useChunkedEncodingByDefault ? chunked : plain,
      isOpen: () =>
        this.#connected && response.socket === socket && !response.writableEnded && !socket.destroyed
    })
  }
}
