/**
 * Ignores an `Upgrade` to a protocol that the service does not speak, as a server may (RFC 9110, 7.8). Clients count on
 * it: Java's asks for `h2c` with its first request to every server. Node cannot ignore one: where anything listens to
 * `upgrade`, Node lets go of the connection, and the request's body is lost. So the request is put back onto its
 * connection without those headers, and the connection is handed to the server again.
 */
import type { IncomingMessage, Server } from "node:http"
import type { Duplex } from "node:stream"

/** Headers that are about the upgrade, and meant for this hop only. */
const dropped = /^(upgrade|http2-settings)$/i

const withoutUpgrade = (connection: string) =>
  connection
    .split(",")
    .filter((option) => !dropped.test(option.trim()))
    .join(",")

/** The request's first line and headers again, without the upgrade. */
const headOf = ({ method, rawHeaders, url }: IncomingMessage): string => {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i]!, rawHeaders[i + 1]!]
    if (dropped.test(name)) continue
    const kept = name.toLowerCase() === "connection" ? withoutUpgrade(value) : value
    if (kept.trim() !== "" || kept === value) lines.push(`${name}: ${kept}`)
  }
  return `${lines.join("\r\n")}\r\n\r\n`
}

const asksForWebSocket = ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === "websocket"

/** Listeners to `upgrade` get the requests for a WebSocket; the others arrive as `request`. */
export const ignoreOtherUpgrades = (server: Server): Server => {
  const emit = server.emit.bind(server) as (event: string, ...args: ReadonlyArray<unknown>) => boolean
  server.emit = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
    if (event !== "upgrade") return emit(event, ...args)
    const [request, socket, head] = args as [IncomingMessage, Duplex, Buffer]
    if (asksForWebSocket(request)) return emit(event, ...args)
    socket.unshift(Buffer.concat([Buffer.from(headOf(request), "latin1"), head]))
    return emit("connection", socket)
  }
  return server
}
