import { Effect } from "effect"
import { WebSocket } from "ws"

/** The status that an upgrade is answered with; a WebSocket that opens is closed again. */
export const openSocket = (
  url: string,
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<number> =>
  Effect.async((resume) => {
    const socket = new WebSocket(url, { headers })
    socket.once("unexpected-response", (_request, { statusCode }) => {
      socket.terminate()
      resume(Effect.succeed(statusCode!))
    })
    socket.once("open", () => {
      socket.once("close", () => resume(Effect.succeed(101)))
      socket.close()
    })
    // The two handlers above end it, or else the test's time limit.
    socket.on("error", () => undefined)
  })
