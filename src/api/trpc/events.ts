/**
 * Passes a body of server-sent events to Node's response, one piece for each event. tRPC gives an event's lines one by
 * one, and each line would be an HTTP chunk and a write of its own.
 */
import { Readable } from "node:stream"
import type { EventStream } from "./EventStream.ts"

const LF = 10

/** tRPC gives the blank line that ends an event as a piece of its own. */
const endsEvent = (piece: Uint8Array) => piece.at(-1) === LF && piece.at(-2) === LF

/**
 * Reads the body only as fast as the response takes it, and cancels it when the response is destroyed. Notifies
 * `stream` when the first event has been sent.
 */
export const eventsOf = (body: ReadableStream<Uint8Array>, stream: EventStream): Readable => {
  const reader = body.getReader()
  const event = async () => {
    const pieces: Array<Uint8Array> = []
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return null
      pieces.push(value)
      if (!endsEvent(value)) continue
      // The event is handed on in this turn.
      setImmediate(() => stream.connected())
      return Buffer.concat(pieces)
    }
  }
  const cancel = async () => {
    try {
      await reader.cancel()
    } catch {
      // The body has failed by itself, which read() has reported.
    }
  }
  return new Readable({
    read() {
      event().then(
        (bytes) => this.push(bytes),
        (error: Error) => this.destroy(error)
      )
    },
    destroy(error, done) {
      void cancel()
      done(error)
    }
  })
}
