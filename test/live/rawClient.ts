/** A client below the level of a WebSocket library: bytes on a connection. */
import { once } from "node:events"
import { connect } from "node:net"
import type { Live } from "./support.ts"

const handshake = {
  Host: "localhost",
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="
}

export const upgradeRequest = (query = "", headers: Record<string, string> = {}) =>
  `GET /live${query} HTTP/1.1\r\n` +
  Object.entries({ ...handshake, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("") +
  "\r\n"

/** A connection that stays half open when the server ends its side, and all bytes received so far. */
export const dial = async (live: Live) => {
  const socket = connect({ port: live.port, host: "127.0.0.1", allowHalfOpen: true })
  let text = ""
  socket.on("data", (data) => (text += data.toString("latin1")))
  await once(socket, "connect")
  return { socket, text: () => text }
}

/** The bytes after the headers of the (first) answer. */
export const payload = (text: string) => Buffer.from(text.split("\r\n\r\n")[1] ?? "", "latin1")

/** The answer to a request after which the server ends the connection. */
export const answerTo = async (live: Live, request: string) => {
  const { socket, text } = await dial(live)
  socket.write(request)
  await once(socket, "end")
  socket.destroy()
  const [head = "", body = ""] = text().split("\r\n\r\n")
  return { status: Number(head.split(" ")[1]), head: head.toLowerCase(), body }
}
