/** Readers of a native feed for tests: one without a socket, one with. */
import { Effect, Queue, type Scope } from "effect"
import { WebSocket } from "ws"
import { channels } from "../../src/domain/PointBatch.ts"
import type { FeedClient } from "../../simulator/feed/Feed.ts"
import { SUBPROTOCOL } from "../../src/simulators/drivers/native/protocol.ts"

export type Message = Readonly<Record<string, unknown>> & { readonly type: string }
export type Point = Readonly<Record<string, number>>

/** A message as it came; a packed one becomes a points message with the given columns. */
export const readMessage = (data: string | Uint8Array, columns: ReadonlyArray<string>): Message => {
  if (typeof data === "string") return JSON.parse(data) as Message
  const bytes = Buffer.from(data)
  const count = bytes.readUInt32LE(4)
  if (bytes.toString("ascii", 0, 4) !== "TSB1" || bytes.length !== 16 + 8 * count * columns.length) {
    throw new Error(`not a packed message of ${columns.length} columns: ${bytes.length} bytes`)
  }
  const points = Array.from({ length: count }, (_, i) =>
    Object.fromEntries(columns.map((name, c) => [name, bytes.readDoubleLE(16 + 8 * (c * count + i))]))
  )
  return { type: "points", sequence: Number(bytes.readBigUInt64LE(8)), points }
}

/** All that was read so far, with what tests ask of it. */
export class Log {
  readonly messages: Array<Message> = []
  #columns: ReadonlyArray<string> = channels

  add(data: string | Uint8Array): Message {
    const message = readMessage(data, this.#columns)
    const columns = message["columns"]
    if (Array.isArray(columns)) this.#columns = columns as ReadonlyArray<string>
    this.messages.push(message)
    return message
  }

  of(type: string): ReadonlyArray<Message> {
    return this.messages.filter((message) => message.type === type)
  }

  get points(): ReadonlyArray<Point> {
    return this.of("points").flatMap((message) => message["points"] as ReadonlyArray<Point>)
  }
}

/** A client without a socket that takes all it is offered. */
export const listener = (rate?: number): FeedClient & { readonly log: Log } => {
  const log = new Log()
  return {
    appName: "test",
    rate,
    log,
    offer: (message) => {
      log.add(message)
      return true
    },
    drained: Effect.void
  }
}

export interface Reader {
  readonly socket: WebSocket
  readonly log: Log
  /** Waits until `enough` of what was read so far. */
  readonly until: (enough: (log: Log) => boolean) => Effect.Effect<Log>
  /** The code that the connection was closed with. */
  readonly closed: Effect.Effect<number>
}

/** Connects and says hello; the scope's end closes. */
export const connect = (
  port: number,
  hello: unknown = { type: "hello", app_name: "test" }
): Effect.Effect<Reader, never, Scope.Scope> =>
  Effect.gen(function* () {
    const log = new Log()
    const news = yield* Queue.unbounded<void>()
    const codes = yield* Queue.unbounded<number>()
    const socket = yield* Effect.acquireRelease(
      Effect.async<WebSocket>((resume) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}`, SUBPROTOCOL)
        socket.on("message", (data: Buffer, binary) => {
          log.add(binary ? data : data.toString())
          news.unsafeOffer(undefined)
        })
        socket.once("close", (code) => codes.unsafeOffer(code))
        socket.once("open", () => resume(Effect.succeed(socket)))
        socket.once("error", (error) => resume(Effect.die(error)))
      }),
      (socket) => Effect.sync(() => socket.terminate())
    )
    if (hello !== undefined) socket.send(JSON.stringify(hello))
    const until = (enough: (log: Log) => boolean): Effect.Effect<Log> =>
      Effect.suspend(() =>
        enough(log) ? Effect.succeed(log) : Effect.zipRight(Queue.take(news), until(enough))
      )
    return { socket, log, until, closed: Queue.take(codes) }
  })

/** A client that offers `protocols` and is turned down: the HTTP status. */
export const refusal = (port: number, protocols: ReadonlyArray<string>): Effect.Effect<number | undefined> =>
  Effect.async((resume) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, [...protocols])
    socket.on("error", () => undefined)
    socket.once("unexpected-response", (_, response) => {
      resume(Effect.succeed(response.statusCode))
      socket.terminate()
    })
    socket.once("open", () => resume(Effect.succeed(undefined)))
  })
