/**
 * The connection of one subscription, to which the hub writes what is shared: the same bytes for all who are told the same, as the
 * WebSocket does. What is of this subscription alone (that it is connected, pings, errors, its end) tRPC writes.
 *
 * Both write whole events, in whole chunks of HTTP, at once: none is within another.
 *
 * Hard cases. Nothing is shared before tRPC's first event has gone out, with which its client knows that it is connected.
 * A client of HTTP/1.0 knows no chunks; one whose connection still answers an earlier request (pipelining) gets nothing shared.
 */
import type { ServerResponse } from "node:http"
import type { TelemetryRun } from "../live/frames.ts"
import type { Hub } from "../live/Hub.ts"
import type { Announcement, Wish } from "../live/Listener.ts"
import type { LiveMessage } from "../live/messages.ts"
import type { Encoding } from "../live/NewestOnly.ts"
import type { Parcel } from "../live/Parcel.ts"
import { BEHIND_BYTES as FRAMES_BEHIND_BYTES } from "../live/protocol.ts"

/** An event as tRPC writes a tracked one. A message that was missed is not told again: its id says only what was seen. */
const eventText = (message: LiveMessage): string => {
  const { data, session_id, type } = message
  const id = `${type}:${session_id}:${type === "telemetry" ? data.timestamp : data.id}`
  return `data: ${JSON.stringify(message)}\nid: ${id}\n\n\n`
}

/** As many messages as a WebSocket is allowed: an event has the steering, an id and its lines besides, up to twice the bytes. */
const BEHIND_BYTES = 2 * FRAMES_BEHIND_BYTES

const asChunk = (text: string) => Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)

/** Made for the first that asks. */
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
  parcel: once(({ runs }: Parcel) => write(runs.flatMap(({ messages }) => messages.map(eventText)).join(""))),
  newest: once((run: TelemetryRun) => write(eventText(run.messages[run.count - 1]!))),
  event: once(({ event }: Announcement) => write(eventText(event))),
  behindBytes: BEHIND_BYTES
})

const chunked = encodingBy(asChunk)
const plain = encodingBy((text) => Buffer.from(text))

export class EventStream {
  readonly #response: ServerResponse
  #connected = false

  constructor(response: ServerResponse) {
    this.#response = response
  }

  /** tRPC's first event has gone out. */
  connected(): void {
    this.#connected = true
  }

  /** Writes what the hub tells of a wish, until what it returns is called. */
  follow(hub: Hub, wish: Wish): () => void {
    const response = this.#response
    const { socket } = response
    if (socket === null) return () => {}
    return hub.stream(wish, {
      socket,
      encoding: response.chunkedEncoding ? chunked : plain,
      isOpen: () =>
        this.#connected && response.socket === socket && !response.writableEnded && !socket.destroyed
    })
  }
}
