/** A service that has recorded a driven session through the native feed. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { type WebSocket, WebSocketServer } from "ws"
import { channels, type PointBatch } from "../../src/domain/PointBatch.ts"
import { packed, sessionEnd, welcome } from "../../simulator/feed/messages.ts"
import { SUBPROTOCOL } from "../../src/simulators/drivers/native/protocol.ts"
import { drive, type DrivenSession, RATE, START } from "./drivenSession.ts"
import { type Service, startService, untilQuiet } from "./programs.ts"

/** The feed waits for its reader above this, as the bundled simulator does. */
const MAX_BUFFERED = 1024 * 1024

const facts = { circuit: "Hollin Moor", vehicle: "bench", driver: "bench", start_time: START }

const lapMessage = (lap: number, seconds: number) => ({
  type: "lap",
  lap_number: lap + 1,
  lap_time: seconds,
  sector1_time: null,
  sector2_time: null,
  sector3_time: null,
  valid: true,
  start_time: lap * seconds,
  end_time: (lap + 1) * seconds
})

const send = async (socket: WebSocket, batch: PointBatch, { lapPoints, points }: DrivenSession) => {
  await once(socket, "message")
  socket.send(welcome("bench"))
  socket.send(JSON.stringify({ type: "session", ...facts, columns: channels }))
  for (let from = 0; from < points; from += lapPoints) {
    const part = batch.slice(from, Math.min(from + lapPoints, points))
    socket.send(packed(from, [part.data], part.length))
    if (part.length === lapPoints) {
      socket.send(JSON.stringify(lapMessage(from / lapPoints, lapPoints / RATE)))
    }
    while (socket.bufferedAmount > MAX_BUFFERED) await sleep(1)
  }
  socket.send(sessionEnd)
}

interface Status {
  readonly connections: ReadonlyArray<{ readonly points_stored: number }>
}

const untilStored = async (url: string, points: number) => {
  for (;;) {
    const { connections } = (await (await fetch(`${url}/api/v1/status`)).json()) as Status
    if (connections[0]?.points_stored === points) return
    await sleep(20)
  }
}

/** A service with this session alone, whose laps and points are all stored. */
export const recorded = async (session: DrivenSession): Promise<Service> => {
  const batch = drive(session)
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => SUBPROTOCOL })
  await once(server, "listening")
  server.once("connection", (socket) => void send(socket, batch, session))
  const service = await startService()
  const { port } = server.address() as AddressInfo
  const body = JSON.stringify({ host: "127.0.0.1", port, app_name: "bench", simulator: "native" })
  const { status } = await fetch(`${service.url}/api/v1/connect`, { method: "POST", body })
  if (status !== 200) throw new Error(`connecting was answered ${status}`)
  await untilStored(service.url, session.points)
  await fetch(`${service.url}/api/v1/disconnect`, { method: "POST" })
  server.close()
  await untilQuiet(service)
  return service
}
