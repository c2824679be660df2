/** Readers of a native feed for tests: one without a socket, one with. */
import { Effect, Queue, type Scope } from "effect"
import { WebSocket } from "ws"
import { channels } from "../../src/domain/pointChannels.ts"
import type { FeedClient } from "../../simulator/feed/Feed.ts"
import { SUBPROTOCOL } from "../../src/simulators/drivers/native/protocol.ts"

export type Message = Readonly<Record<string, unknown>> & { readonly type: string }
export type Point = Readonly<Record<string, number>>

interface Group {
  readonly name: string
  readonly channels: ReadonlyArray<{ readonly name: string }>
}

/** Facts that a reader needs for packed messages: the columns of points, and the groups in order of declaration. */
interface Known {
  readonly columns: ReadonlyArray<string>
  readonly groups: ReadonlyMap<string, ReadonlyArray<string>>
}

/** A message as it came; a packed one becomes a points message in which absent values have no key. */
export const readMessage = (data: string | Uint8Array, known: Known): Message => {
  if (typeof data === "string") return JSON.parse(data) as Message
  const bytes = Buffer.from(data)
  const magic = bytes.toString("ascii", 0, 4)
  const count = bytes.readUInt32LE(4)
  const index = magic === "TSB2" ? bytes.readUInt32LE(16) : 0
  const [group, names] = index === 0 ? [undefined, []] : [...known.groups][index - 1]!
  const columns = group === undefined ? known.columns : ["timestamp", ...names]
  const header = magic === "TSB2" ? 24 : 16
  if (!["TSB1", "TSB2"].includes(magic) || bytes.length !== header + 8 * count * columns.length) {
    throw new Error(`not a packed message of ${columns.length} columns: ${bytes.length} bytes`)
  }
  const points = Array.from({ length: count }, (_, i) =>
    Object.fromEntries(
      columns
        .map((name, c) => [name, bytes.readDoubleLE(header + 8 * (c * count + i))] as const)
        .filter(([, value]) => !Number.isNaN(value))
    )
  )
  const sequence = Number(bytes.readBigUInt64LE(8))
  return { type: "points", ...(group === undefined ? {} : { group }), sequence, points }
}

/** All that was read so far, with queries for tests. */
export class Log {
  readonly messages: Array<Message> = []
  #columns: ReadonlyArray<string> = channels
  readonly #groups = new Map<string, ReadonlyArray<string>>()

  add(data: string | Uint8Array): Message {
    const message = readMessage(data, { columns: this.#columns, groups: this.#groups })
    const { columns, groups } = message
    if (Array.isArray(columns)) this.#columns = columns as ReadonlyArray<string>
    for (const { channels, name } of (groups ?? []) as ReadonlyArray<Group>) {
      const before = this.#groups.get(name) ?? []
      const added = channels.map((channel) => channel.name).filter((one) => !before.includes(one))
      this.#groups.set(name, [...before, ...added])
    }
    this.messages.push(message)
    return message
  }

  of(type: string): ReadonlyArray<Message> {
    return this.messages.filter((message) => message.type === type)
  }

  get points(): ReadonlyArray<Point> {
    return this.samples(undefined)
  }

  /** The samples of a group. */
  samples(group: string | undefined): ReadonlyArray<Point> {
    return this.of("points")
      .filter((message) => message["group"] === group)
      .flatMap((message) => message["points"] as ReadonlyArray<Point>)
  }
}

/** A client without a socket that accepts every message. */
export const listener = (rate?: number, groups = false): FeedClient & { readonly log: Log } => {
  const log = new Log()
  return {
    appName: "test",
    rate,
    groups,
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
  /** Waits until the log is `enough`. */
  readonly until: (enough: (log: Log) => boolean) => Effect.Effect<Log>
  /** The code that the connection was closed with. */
  readonly closed: Effect.Effect<number>
}

/** Connects and sends hello; the end of the scope closes the connection. */
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

/** A client that offers `protocols` and is refused: the HTTP status. */
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
