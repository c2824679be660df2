/** A port that is kept for those who come later. */
import { createServer, type ListenOptions } from "node:net"
import { ServeError } from "@effect/platform/HttpServerError"
import { Effect } from "effect"

/**
 * Takes the port, for the scope's life at the most, so that it is known to be free before anything else begins; who asks
 * there is turned away. Succeeds with what gives it up.
 */
export const holdPort = ({ host, port }: Required<Pick<ListenOptions, "host" | "port">>) =>
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
