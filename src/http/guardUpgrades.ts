/**
 * What an HTTP server must do for connections that ask for an upgrade, and Effect's does not.
 *
 * From the `upgrade` event on Node no longer watches the connection: nothing reads it, and nothing listens to its
 * errors. Three hard cases follow, whatever the path asked for:
 * - a peer that resets it while the answer is written would raise an error that ends the process;
 * - an answer other than 101 ends our side, but the peer's end is never read, and the connection stays;
 * - bytes that came with the request (`head`) are handed only to the listeners of the event, and Effect
 *   keeps them to itself: a client that speaks at once would break the framing.
 */
import type { IncomingMessage, Server } from "node:http"
import { CLOSE_GRACE_MS } from "../live/protocol.ts"

const heads = new WeakMap<IncomingMessage, Buffer>()

/**
 * The bytes that came together with an upgrade request, often none. Undefined for one that HTTP still holds:
 * with an `Upgrade` header but no `Connection: Upgrade` a request is an ordinary one.
 */
export const headOf = (request: IncomingMessage): Buffer | undefined => heads.get(request)

/** For a server before it is handed to Effect: `NodeHttpServer.layer(() => guardUpgrades(createServer()), …)`. */
export const guardUpgrades = (server: Server): Server =>
  server.on("upgrade", (request, socket, head) => {
    // Effect listens while it serves. Outside that time nothing would answer, and the server would never close.
    if (server.listenerCount("upgrade") === 1) return socket.destroy()
    heads.set(request, head)
    socket.on("error", () => socket.destroy())
    socket.once("finish", () => {
      socket.resume()
      const timer = setTimeout(() => socket.destroy(), CLOSE_GRACE_MS)
      socket.once("close", () => clearTimeout(timer))
    })
  })
