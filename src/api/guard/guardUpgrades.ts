/**
 * Handles connections that ask for an upgrade as an HTTP server must; Effect's server does not.
 *
 * After the `upgrade` event Node no longer watches the connection: nothing reads it, and nothing listens to its errors.
 * Three hard cases follow, whatever the path:
 * - a peer that resets the connection while the answer is written would raise an error that ends the process;
 * - an answer other than 101 ends our side, but nothing reads the peer's end, and the connection stays;
 * - Node hands bytes that came with the request (`head`) only to the listeners of the event, and Effect does not pass
 *   them on: the frames of a client that sends immediately would be incomplete.
 */
import type { IncomingMessage, Server } from "node:http"
import { CLOSE_GRACE_MS } from "../../live/transports/protocol.ts"

const heads = new WeakMap<IncomingMessage, Buffer>()

/**
 * The bytes that came together with an upgrade request, often none. Undefined for an ordinary HTTP request: a request
 * with an `Upgrade` header but no `Connection: Upgrade` is one.
 */
export const headOf = (request: IncomingMessage): Buffer | undefined => heads.get(request)

/** Prepares a server before it is handed to Effect: `NodeHttpServer.layer(() => guardUpgrades(createServer()), …)`. */
export const guardUpgrades = (server: Server): Server =>
  server.on("upgrade", (request, socket, head) => {
    // Effect listens only while it serves. Outside that time nothing would answer, and the server would never close.
    if (server.listenerCount("upgrade") === 1) return socket.destroy()
    heads.set(request, head)
    socket.on("error", () => socket.destroy())
    socket.once("finish", () => {
      socket.resume()
      const timer = setTimeout(() => socket.destroy(), CLOSE_GRACE_MS)
      socket.once("close", () => clearTimeout(timer))
    })
  })
