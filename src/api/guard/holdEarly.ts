import type { IncomingMessage, Server, ServerResponse } from "node:http"

/**
 * Holds requests that arrive before the server can answer them. A server listens before its routes are built, and Node
 * silently drops a request that has no listener: its client would wait forever, for example after a worker was
 * replaced. Such requests are kept, in order, until a listener for requests is added.
 */
export const holdEarly = (server: Server): Server => {
  const early: Array<() => void> = []
  const hold = (request: IncomingMessage, response: ServerResponse) =>
    void early.push(() => server.emit("request", request, response))
  server.on("request", hold)
  const served = (event: string | symbol) => {
    if (event !== "request") return
    server.off("newListener", served)
    // Node announces a listener before it adds it.
    queueMicrotask(() => {
      server.off("request", hold)
      for (const again of early) again()
    })
  }
  server.on("newListener", served)
  return server
}
