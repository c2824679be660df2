/** A port that is reserved for the workers. */
import { createServer, type ListenOptions } from "node:net"
import { ServeError } from "@effect/platform/HttpServerError"
import { Effect } from "effect"

/**
 * Binds the port, as long as the scope at most, to make sure that it is free before anything else begins. Closes each
 * connection to it. Returns an Effect that releases the port.
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
