import { createServer, IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { expect, it } from "vitest"
import { spreadUpgrades } from "../../src/http/spreadUpgrades.ts"
import { until } from "../live/support.ts"

it("begins few handshakes in a turn of the event loop, in order, and none of a client that has left", async () => {
  const server = spreadUpgrades(createServer())
  const begun: Array<number> = []
  let ofThisTurn = 0
  let most = 0
  server.on("upgrade", ({ url }) => {
    most = Math.max(most, ++ofThisTurn)
    begun.push(Number(url))
  })
  // Runs before what the server does in the same turn.
  const turn = () => {
    ofThisTurn = 0
    ticking = setImmediate(turn)
  }
  let ticking = setImmediate(turn)
  const sockets = Array.from({ length: 30 }, (_, n) => {
    const socket = new Socket()
    const request = new IncomingMessage(socket)
    request.url = String(n)
    server.emit("upgrade", request, socket, Buffer.alloc(0))
    return socket
  })
  // Whole turns of clients that have left, and an error that nobody else would hear.
  for (const socket of sockets.slice(4, 16)) socket.destroy()
  sockets[16]!.emit("error", new Error("reset"))
  await until(() => begun.at(-1) === 29)
  expect(begun).toEqual([0, 1, 2, 3, ...Array.from({ length: 13 }, (_, n) => 17 + n)])
  expect(most).toBeLessThanOrEqual(4)
  clearImmediate(ticking)
  // One alone does not wait.
  const socket = new Socket()
  await new Promise((done) => setImmediate(done))
  server.emit("upgrade", Object.assign(new IncomingMessage(socket), { url: "30" }), socket, Buffer.alloc(0))
  expect(begun.at(-1)).toBe(30)
})
