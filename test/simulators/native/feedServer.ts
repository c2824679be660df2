/** Servers on the loopback interface: a simulator for which a test sends, and servers that are no simulators. */
import { createServer as createHttpServer } from "node:http"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { Chunk, Effect, Queue, type Scope, Stream } from "effect"
import { type WebSocket, WebSocketServer } from "ws"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import type { Link } from "../../../src/simulators/Driver.ts"
import { linkEvents } from "../sinks.ts"

export const WELCOME = JSON.stringify({ type: "welcome", simulator: "Test 1.0" })

/** The other end of a link. */
export interface Peer {
  readonly socket: WebSocket
  /** The next message that the service sent, as text; waits for it. */
  readonly received: Effect.Effect<string>
  /** The code of the close; waits for it. */
  readonly closed: Effect.Effect<number>
}

export interface FeedServer {
  readonly port: number
  /** The next connection; waits for it. */
  readonly peer: Effect.Effect<Peer>
}

const listening = (server: Server) =>
  Effect.async<number>((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
  })

interface Options {
  /** Sent as soon as the connection is open. */
  readonly greeting?: ReadonlyArray<string | Uint8Array>
  readonly protocol?: string | false
  readonly autoPong?: boolean
}

/** A WebSocket server that sends first; it ends with the scope. */
export const feedServer = ({
  greeting = [WELCOME],
  protocol = "telemetry-feed.v1",
  autoPong = true
}: Options = {}): Effect.Effect<FeedServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const peers = yield* Queue.unbounded<Peer>()
    const http = createHttpServer()
    const server = new WebSocketServer({ server: http, handleProtocols: () => protocol, autoPong })
    server.on("connection", (socket) => {
      const received = Effect.runSync(Queue.unbounded<string>())
      const closed = Effect.runSync(Queue.unbounded<number>())
      socket.on("message", (data: Buffer) => received.unsafeOffer(data.toString("utf8")))
      socket.on("close", (code) => closed.unsafeOffer(code))
      socket.on("error", () => undefined)
      peers.unsafeOffer({ socket, received: Queue.take(received), closed: Queue.take(closed) })
      for (const message of greeting) socket.send(message)
    })
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const client of server.clients) client.terminate()
        server.close()
        http.close()
      })
    )
    return { port: yield* listening(http), peer: Queue.take(peers) }
  })

/** A TCP server that calls `handle` with each connection, and reports when the connections have closed. */
export const tcpServer = (handle: (socket: Socket) => void) =>
  Effect.gen(function* () {
    const gone = yield* Queue.unbounded<void>()
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      // A socket must be read to report its end.
      socket.resume()
      socket.on("error", () => undefined)
      socket.on("close", () => gone.unsafeOffer(undefined))
      handle(socket)
    })
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
    )
    return { port: yield* listening(server), gone: Queue.take(gone) }
  })

/** An HTTP server that answers every request with this status. */
export const httpServer = (status: number) =>
  Effect.gen(function* () {
    const server = createHttpServer((_, response) => response.writeHead(status).end("hello"))
    server.on("upgrade", (_, socket) => socket.end(`HTTP/1.1 ${status} Whatever\r\n\r\n`))
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
    return yield* listening(server)
  })

/**
 * A port on which no program listens, nor can begin to until the scope ends: a connection of this process goes out from it.
 * A port that was only given back may belong to another program a moment later.
 */
export const closedPort = Effect.gen(function* () {
  const { port } = yield* tcpServer(() => undefined)
  const client = yield* Effect.acquireRelease(
    Effect.async<Socket>((resume) => {
      const socket = connect(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )
  return client.localPort!
})

/** The next `count` events of a link. */
export const nextEvents = (link: Link, count: number) =>
  linkEvents(link).pipe(
    Stream.take(count),
    Stream.runCollect,
    Effect.map((events): ReadonlyArray<SimulatorEvent> => Chunk.toReadonlyArray(events))
  )
