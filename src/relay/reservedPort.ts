/** A port that is reserved for the workers. */
import { createServer, type ListenOptions } from "node:net"
import { ServeError } from "@effect/platform/HttpServerError"
import { Effect } from "effect"

/**
 * Binds the port, for the scope's life at most, so that it is known to be free before anything else begins, and closes each
 * connection to it. Succeeds with an Effect that releases the port.
 */
export const reservePort = ({ host, port }: Required<Pick<ListenOptions, "host" | "port">>) =>
  Effect.gen(function* () {
    const server = createServer((socket) => socket.destroy())
    const close = Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
    yield* Effect.acquireRelease(
      Effect.async<void, ServeError>((resume) => {
        server.once("error", (cause) => resume(new ServeError({ cause })))
        server.listen({ host, port }, () => resume(Effect.void))
      }),
      () => close
    )
    return close
  })
