import { expect, it } from "@effect/vitest"
import { createServer, IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { spreadRequests } from "../../src/api/guard/spreadRequests.ts"
import { until } from "../live/support.ts"

/** Blocks the event loop for so long, ms. */
const spend = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

it.each(["request", "upgrade"] as const)(
  "of many that arrive at once (%s) few begin in a turn of the event loop, in order, and none whose client has left",
  async (event) => {
    const server = spreadRequests(createServer())
    const begun: Array<number> = []
    let ofThisTurn = 0
    let most = 0
    // Runs before what the server does in the same turn.
    const turn = () => {
      ofThisTurn = 0
      ticking = setImmediate(turn)
    }
    let ticking = setImmediate(turn)
    server.on(event, ({ url }: IncomingMessage) => {
      most = Math.max(most, ++ofThisTurn)
      begun.push(Number(url))
      spend(1)
    })
    const sockets = Array.from({ length: 30 }, (_, n) => {
      const socket = new Socket()
      const request = new IncomingMessage(socket)
      request.url = String(n)
      if (event === "request") server.emit(event, request, new ServerResponse(request))
      else server.emit(event, request, socket, Buffer.alloc(0))
      return socket
    })
    for (const socket of sockets.slice(4, 16)) socket.destroy()
    // An upgraded connection's error, which nothing else handles.
    if (event === "upgrade") sockets[16]!.emit("error", new Error("reset"))
    await until(() => begun.at(-1) === 29)
    const first = event === "upgrade" ? 17 : 16
    expect(begun).toEqual([0, 1, 2, 3, ...Array.from({ length: 30 - first }, (_, n) => first + n)])
    // Each takes 1 ms at least, and a slice 4. Two slices count as one turn here if one had begun before: the
    // process's fibers share it.
    expect(most).toBeLessThanOrEqual(10)
    clearImmediate(ticking)
  }
)
