/**
 * The minimal fan-out without changing its rate, by hand: a WebSocket frame built once for each message, and one write
 * of it to each socket. It never checks how far behind a socket is.
 *
 *   node fanoutRaw.js ws://HOST:PORT        (the feed; prints `listening on http://...`)
 */
import { createHash } from "node:crypto"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { readFeed } from "./feedPoints.ts"

/** RFC 6455, 1.3. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

const sockets = new Set<Socket>()
const server = createServer({ noDelay: true }, (socket) => {
  socket.once("data", (request) => {
    const key = /^sec-websocket-key: (.*)\r$/im.exec(request.toString("latin1"))?.[1]
    const accept = createHash("sha1").update(`${key}${GUID}`).digest("base64")
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`
    )
    sockets.add(socket)
  })
  socket.on("error", () => {})
  socket.on("close", () => sockets.delete(socket))
})
server.listen(0, "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

readFeed(process.argv[2]!, (message) => {
  const text = Buffer.from(JSON.stringify(message))
  // Longer than 125 bytes, shorter than 65,536 (RFC 6455, 5.2).
  const frame = Buffer.concat([Buffer.from([0x81, 126, text.length >> 8, text.length & 0xff]), text])
  for (const socket of sockets) socket.write(frame)
})
