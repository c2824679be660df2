/** A car's native feed, as the bundled simulator sends it; timestamps are on the clock that all processes share. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { type WebSocket, WebSocketServer } from "ws"
import { pointsText, session, welcome } from "../../simulator/feed/messages.ts"
import { SUBPROTOCOL } from "../../src/simulators/drivers/native/protocol.ts"
import { circuitNamed } from "../../simulator/model/Circuit.ts"
import { SimulatedDrive } from "../../simulator/model/SimulatedDrive.ts"
import { vehicles } from "../../simulator/model/vehicles.ts"
import { FEED_ZERO, monotonic } from "../suite/clock.ts"

export interface CarFeed {
  /** `ws://HOST:PORT` */
  readonly url: string
  readonly port: number
  /** Sends this many points to all connected readers, one in each message, `rate` a second; late ones go at once. */
  readonly send: (points: number, rate: number) => Promise<void>
  /** The number of readers. */
  readonly readers: () => number
  readonly close: () => void
}

const circuit = circuitNamed("Hollin Moor")!
const facts = {
  circuit: circuit.name,
  vehicle: vehicles[0]!.name,
  driver: "bench",
  start_time: FEED_ZERO,
  circuit_length: circuit.length,
  start_line: circuit.startLine
}

export const serveCar = async (): Promise<CarFeed> => {
  const drive = new SimulatedDrive({ circuit, vehicle: vehicles[0]!, seed: 1 })
  const readers = new Set<WebSocket>()
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => SUBPROTOCOL })
  server.on("connection", (socket) => {
    socket.once("message", () => {
      socket.send(welcome("bench"))
      socket.send(session(facts, false))
      readers.add(socket)
    })
    socket.once("close", () => readers.delete(socket))
  })
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  let next = 0

  const sendOne = (rate: number, due: number) => {
    const points = drive.points(next, 1, rate)
    points.batch.column("timestamp")[0] = due
    const text = pointsText(next++, points)
    for (const socket of readers) socket.send(text)
  }

  const send = async (count: number, rate: number) => {
    const begin = monotonic()
    for (let sent = 0; sent < count;) {
      const due = Math.min(count, Math.floor((monotonic() - begin) * rate) + 1)
      for (; sent < due; sent++) sendOne(rate, begin + sent / rate)
      await sleep(Math.max(1, (begin + sent / rate - monotonic()) * 1000))
    }
  }
  return {
    url: `ws://127.0.0.1:${port}`,
    port,
    send,
    readers: () => readers.size,
    close: () => server.close()
  }
}
