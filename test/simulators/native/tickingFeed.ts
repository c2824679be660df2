/** Serves a feed of a test's own, which sends to each client when it connects, and every so many milliseconds. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { type WebSocket, WebSocketServer } from "ws"

interface TickingFeed {
  readonly greet: (socket: WebSocket) => void
  readonly tick: () => void
}

/** Until the scope ends, on a port of the loopback interface. Returns its address. */
export const served = Effect.fn(function* (feed: TickingFeed, everyMs: number) {
  const http = createServer()
  const server = new WebSocketServer({ server: http, handleProtocols: () => "telemetry-feed.v1" })
  server.on("connection", (socket) => feed.greet(socket))
  const port = yield* Effect.async<number>((resume) => {
    http.listen(0, "127.0.0.1", () => resume(Effect.succeed((http.address() as AddressInfo).port)))
  })
  const ticking = setInterval(() => feed.tick(), everyMs)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      clearInterval(ticking)
      for (const client of server.clients) client.terminate()
      server.close()
      http.close()
    })
  )
  return `http://127.0.0.1:${port}`
})
