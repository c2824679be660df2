import type { IncomingMessage, Server, ServerResponse } from "node:http"

/**
 * A server listens before its routes are built, and Node drops a request that has no listener without a word: its
 * client would wait for ever, as behind a worker that has just been replaced. Such requests are kept, in order, until
 * somebody takes requests.
 */
export const holdEarly = (server: Server): Server => {
  const early: Array<() => void> = []
  const hold = (request: IncomingMessage, response: ServerResponse) =>
    void early.push(() => server.emit("request", request, response))
  server.on("request", hold)
  const served = (event: string | symbol) => {
    if (event !== "request") return
    server.off("newListener", served)
    // Node tells of a listener before it adds it.
    queueMicrotask(() => {
      server.off("request", hold)
      for (const again of early) again()
    })
  }
  server.on("newListener", served)
  return server
}
