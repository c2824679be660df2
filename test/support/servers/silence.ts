/** A proxy to a server that falls silent: no connection ends, and nothing passes any more, as after the loss of a machine. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net"
import { Effect } from "effect"

/** A proxy until the scope ends. `server`: an address of any scheme. */
export const wayTo = Effect.fn(function* (server: string) {
  const { hostname, port } = new URL(server)
  const open = new Set<Socket>()
  /** The connections that were made before it fell silent stay silent. */
  const silent = new WeakSet<Socket>()
  const way = createServer((client) => {
    const target = connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, target],
      [target, client]
    ] as const) {
      open.add(socket)
      socket.on("data", (data) => {
        if (!silent.has(socket)) other.write(data)
      })
      socket.on("error", () => undefined)
      socket.on("close", () => {
        open.delete(socket)
        if (!silent.has(socket)) other.destroy()
      })
    }
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => {
      way.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        way.close()
        for (const socket of open) socket.destroy()
      })
  )
  const url = new URL(server)
  url.port = String((way.address() as AddressInfo).port)
  return {
    url: url.href,
    /** From now on existing connections pass nothing; later ones reach the server. */
    fallSilent: Effect.sync(() => {
      for (const socket of open) silent.add(socket)
    })
  }
})
