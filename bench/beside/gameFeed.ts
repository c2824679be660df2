/**
 * A game's datagrams: an emulator's, forwarded to the program that is measured, and counted on the way. So each program
 * gets the same feed, and its losses are counted against what was sent.
 */
import { createSocket, type Socket } from "node:dgram"
import { once } from "node:events"
import { startSimulator } from "../suite/simulated.ts"

const LOOPBACK = "127.0.0.1"

export interface GameFeed {
  /** The number of datagrams sent until now that are a point each. */
  readonly sent: () => number
  readonly stop: () => Promise<void>
}

const bound = async (port: number): Promise<Socket> => {
  const socket = createSocket("udp4").bind(port, LOOPBACK)
  await once(socket, "listening")
  return socket
}

/** A UDP port that is free, together with the one after it. */
export const freeUdpPort = async (): Promise<number> => {
  const socket = await bound(0)
  const { port } = socket.address()
  socket.close()
  await once(socket, "close")
  return port
}

const closing = (sockets: ReadonlyArray<Socket>) =>
  Promise.all(sockets.map((socket) => once(socket.close(), "close")))

/** The position of F1's packet id, and the id of the packet that comes once a frame: the car's telemetry. */
const F1_ID_AT = 6
const CAR_TELEMETRY = 6
/** Another packet, ten times a second, from which f1-telemetry makes a row too. */
export const CAR_DAMAGE = 10

/** F1 26, whose game sends to `port`; each packet with one of these ids is a point. */
export const f1Feed = async (
  port: number,
  flags: ReadonlyArray<string>,
  ids: ReadonlyArray<number> = [CAR_TELEMETRY]
): Promise<GameFeed & { readonly frames: () => number }> => {
  const relay = await bound(0)
  let sent = 0
  let frames = 0
  relay.on("message", (bytes) => {
    const id = bytes[F1_ID_AT]!
    if (ids.includes(id)) sent++
    if (id === CAR_TELEMETRY) frames++
    relay.send(bytes, port, LOOPBACK)
  })
  const game = await startSimulator("f1-2026", flags, relay.address().port)
  const stop = async () => {
    await game.stop()
    await closing([relay])
  }
  return { sent: () => sent, frames: () => frames, stop }
}

/** Gran Turismo 7: the console is asked at `port`, and answers only to `answerPort`, whichever port asked. */
export const gt7Feed = async (
  port: number,
  answerPort: number,
  flags: ReadonlyArray<string>
): Promise<GameFeed> => {
  const game = await startSimulator("gt7", flags)
  const [console, asking] = await Promise.all([bound(port), bound(0)])
  let sent = 0
  console.on("message", (heartbeat) => asking.send(heartbeat, Number(game.address.port), LOOPBACK))
  asking.on("message", (bytes) => {
    sent++
    console.send(bytes, answerPort, LOOPBACK)
  })
  const stop = async () => {
    await game.stop()
    await closing([console, asking])
  }
  return { sent: () => sent, stop }
}
