/**
 * Spreads upgrades that arrive at once over turns of the event loop. After an interruption of the network all live clients come
 * at the same moment, Node reads all their requests in one turn, and a handshake takes a millisecond with all that follows from
 * it. A client that has left when its turn comes costs nothing.
 */
import type { IncomingMessage, Server } from "node:http"
import type { Socket } from "node:net"

/** Handshakes in one turn of the event loop. */
const MAX_A_TURN = 4

interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Socket
  readonly head: Buffer
  readonly fail: () => void
}

/** Must wrap the server before those that look at an upgrade. */
export const spreadUpgrades = (server: Server): Server => {
  const emit = server.emit.bind(server) as (event: string, ...args: ReadonlyArray<unknown>) => boolean
  const waiting: Array<Upgrade> = []
  let left = MAX_A_TURN
  let isNextTurnDue = false
  const nextTurn = () => {
    isNextTurnDue = false
    left = MAX_A_TURN
    for (let begun = 0; begun < MAX_A_TURN && waiting.length > 0;) if (begin(waiting.shift()!)) begun++
  }
  /** False where the client has left. */
  const begin = ({ fail, head, request, socket }: Upgrade): boolean => {
    socket.off("error", fail)
    if (socket.destroyed) return false
    left--
    if (!isNextTurnDue) setImmediate(nextTurn)
    isNextTurnDue = true
    emit("upgrade", request, socket, head)
    return true
  }
  server.emit = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
    if (event !== "upgrade") return emit(event, ...args)
    const [request, socket, head] = args as [IncomingMessage, Socket, Buffer]
    // Node listens to the connection's errors no more.
    const fail = () => socket.destroy()
    const upgrade = { request, socket, head, fail }
    socket.on("error", fail)
    if (left > 0) begin(upgrade)
    else waiting.push(upgrade)
    return true
  }
  return server
}
