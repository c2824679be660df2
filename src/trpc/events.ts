/**
 * A body of server-sent events on its way to Node's response: an event is one piece. tRPC gives an event's lines one by
 * one, and each would be a chunk of HTTP, and a write of its own.
 */
import { Readable } from "node:stream"
import type { EventStream } from "./EventStream.ts"

const LF = 10

/** The blank line that ends an event comes as a piece of its own. */
const endsEvent = (piece: Uint8Array) => piece.at(-1) === LF && piece.at(-2) === LF

/** Read only as fast as it is taken; cancelled when it is destroyed. `stream` is told when the first has gone on its way. */
export const eventsOf = (body: ReadableStream<Uint8Array>, stream: EventStream): Readable => {
  const reader = body.getReader()
  const event = async () => {
    const pieces: Array<Uint8Array> = []
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return null
      pieces.push(value)
      if (!endsEvent(value)) continue
      // It is handed on in this turn.
      setImmediate(() => stream.connected())
      return Buffer.concat(pieces)
    }
  }
  const cancel = async () => {
    try {
      await reader.cancel()
    } catch {
      // It has broken off by itself, which read() has told.
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
