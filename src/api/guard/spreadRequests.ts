/**
 * Spreads requests that arrive together over turns of the event loop. After an interruption of the network, all clients
 * connect at the same moment. Node reads all their requests in one turn, and each takes up to a millisecond with all
 * resulting work. A client that has left before its turn costs nothing.
 */
import type { IncomingMessage, Server } from "node:http"
import type { Socket } from "node:net"
import { slices } from "../../platform/threads/SlicedScheduler.ts"

/** Must be the last to wrap `emit`: it runs before all other wrappers, and before listeners to an upgrade. */
export const spreadRequests = (server: Server): Server => {
  const emit = server.emit.bind(server) as (event: string, ...args: ReadonlyArray<unknown>) => boolean
  const request = (...args: ReadonlyArray<unknown>) => {
    if (!(args[0] as IncomingMessage).socket.destroyed) emit("request", ...args)
  }
  const upgrade = (...args: ReadonlyArray<unknown>) => {
    const socket = args[1] as Socket
    // Node no longer listens to the connection's errors.
    const fail = () => socket.destroy()
    socket.on("error", fail)
    return () => {
      socket.off("error", fail)
      if (!socket.destroyed) emit("upgrade", ...args)
    }
  }
  server.emit = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
    if (event === "request") slices.scheduleTask(() => request(...args))
    else if (event === "upgrade") slices.scheduleTask(upgrade(...args))
    else return emit(event, ...args)
    return true
  }
  return server
}
