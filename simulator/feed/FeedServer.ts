/**
 * The simulator's side of the native feed: a WebSocket server that speaks a feed to each client.
 *
 * A client must offer the subprotocol and say hello in time. Each is a fiber of its own, so a slow one delays
 * nobody; it ends with its connection. The end of the scope closes every connection as going away.
 */
import type { AddressInfo } from "node:net"
import { Data, Deferred, Effect, FiberId, FiberSet, Option, Schema, type Scope } from "effect"
import { WebSocketServer, type WebSocket } from "ws"
import { SUBPROTOCOL } from "../../src/simulators/drivers/native/protocol.ts"
import type { Feed, FeedClient } from "./Feed.ts"
import { welcome } from "./messages.ts"

/** Close codes of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001
const PROTOCOL_ERROR = 1002
const INTERNAL_ERROR = 1011

/** How long a client may take to say hello; the service's own patience is 5 s. */
const HELLO_WITHIN = "10 seconds"
/** Time for clients to answer a close before they are cut off, ms. */
const CLOSE_WITHIN_MS = 1000
/** Unsent bytes above which the server waits for a client until they fall below the lower mark. */
const HIGH_MARK = 1 << 20
const LOW_MARK = 1 << 18
/** A hello is short: a client that sends more is not a service. */
const MAX_RECEIVED_BYTES = 1 << 16

export class CannotListen extends Data.TaggedError("CannotListen")<{
  readonly host: string
  readonly port: number
  readonly cause: unknown
}> {}

const Hello = Schema.parseJson(
  Schema.Struct({
    type: Schema.Literal("hello"),
    app_name: Schema.optionalWith(Schema.String, { default: () => "unnamed" }),
    rate: Schema.optional(Schema.Number),
    groups: Schema.optionalWith(Schema.Boolean, { default: () => false })
  })
)

const listen = (host: string, port: number) =>
  Effect.acquireRelease(
    Effect.async<WebSocketServer, CannotListen>((resume) => {
      const server = new WebSocketServer({
        host,
        port,
        maxPayload: MAX_RECEIVED_BYTES,
        verifyClient: ({ req }, done) => {
          const offered = (req.headers["sec-websocket-protocol"] ?? "").split(",")
          done(
            offered.some((one) => one.trim() === SUBPROTOCOL),
            400,
            `This feed speaks the subprotocol ${SUBPROTOCOL}`
          )
        },
        handleProtocols: () => SUBPROTOCOL
      })
      server.once("listening", () => resume(Effect.succeed(server)))
      server.once("error", (cause) => resume(new CannotListen({ host, port, cause })))
    }),
    (server) =>
      Effect.async<void>((resume) => {
        const cutOff = setTimeout(() => {
          for (const client of server.clients) client.terminate()
        }, CLOSE_WITHIN_MS)
        server.close(() => {
          clearTimeout(cutOff)
          resume(Effect.void)
        })
      })
  )

/** The listeners of a new socket, attached before it receives anything. */
const attach = (socket: WebSocket) => {
  const first = Deferred.unsafeMake<string>(FiberId.none)
  const closed = Deferred.unsafeMake<void>(FiberId.none)
  let waiting: (() => void) | undefined
  const flushed = () => {
    if (waiting === undefined || socket.bufferedAmount > LOW_MARK) return
    const resume = waiting
    waiting = undefined
    resume()
  }
  socket.once("message", (data) => Deferred.unsafeDone(first, Effect.succeed(String(data))))
  socket.once("close", () => Deferred.unsafeDone(closed, Effect.void))
  // A close follows every error; without a listener the error would end the process.
  socket.on("error", () => undefined)
  return {
    first,
    closed,
    offer: (message: string | Uint8Array): boolean => {
      socket.send(message, flushed)
      return socket.bufferedAmount <= HIGH_MARK
    },
    drained: Effect.async<void>((resume) => {
      if (socket.bufferedAmount <= LOW_MARK) return resume(Effect.void)
      waiting = () => resume(Effect.void)
      return Effect.sync(() => {
        waiting = undefined
      })
    })
  }
}

const attend = (socket: WebSocket, simulator: string, feed: Feed): Effect.Effect<void> => {
  const { closed, drained, first, offer } = attach(socket)
  const close = (code: number, reason: string) => Effect.sync(() => socket.close(code, reason))
  return Effect.gen(function* () {
    const hello = yield* Deferred.await(first).pipe(
      Effect.flatMap(Schema.decode(Hello)),
      Effect.timeout(HELLO_WITHIN),
      Effect.option
    )
    if (Option.isNone(hello)) return yield* close(PROTOCOL_ERROR, "expected a hello message")
    const { app_name: appName, groups, rate } = hello.value
    const client: FeedClient = { appName, rate, groups, offer, drained }
    offer(welcome(simulator))
    yield* Effect.logInfo(`${client.appName} reads the feed`)
    return yield* feed.serve(client)
  }).pipe(
    Effect.catchTag("FeedBroken", ({ reason }) =>
      Effect.zipRight(Effect.logError(reason), close(INTERNAL_ERROR, "the feed broke"))
    ),
    Effect.catchAllDefect((defect) =>
      Effect.zipRight(Effect.logFatal("A feed failed", defect), close(INTERNAL_ERROR, "internal error"))
    ),
    Effect.zipRight(Deferred.await(closed)),
    Effect.raceFirst(Deferred.await(closed)),
    Effect.onInterrupt(() => close(GOING_AWAY, "the simulator stops"))
  )
}

/** Serves `feed` until the scope ends; gives the port that it listens on. */
export const serveFeed = Effect.fn("simulate.serveFeed")(function* (options: {
  readonly host: string
  readonly port: number
  /** Name and version, for the welcome. */
  readonly simulator: string
  readonly feed: Feed
}): Effect.fn.Return<number, CannotListen, Scope.Scope> {
  const server = yield* listen(options.host, options.port)
  const fork = yield* FiberSet.makeRuntime<never, void, never>()
  server.on("connection", (socket) => fork(attend(socket, options.simulator, options.feed)))
  return (server.address() as AddressInfo).port
})
