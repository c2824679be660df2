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

/** A group that is told at every point's time. */
export interface RecordedGroup {
  readonly name: string
  readonly channels: ReadonlyArray<string>
  /** Of the channel at this index, at the session's point at that one. */
  readonly value: (channel: number, point: number) => number
}

/** Samples of the points from this one on, at their times, column after column. */
const samplesOf = ({ channels, value }: RecordedGroup, from: number, times: Float64Array): Float64Array => {
  const columns = new Float64Array(times.length * (1 + channels.length))
  columns.set(times)
  for (let c = 0; c < channels.length; c++) {
    for (let i = 0; i < times.length; i++) columns[(c + 1) * times.length + i] = value(c, from + i)
  }
  return columns
}

const send = async (
  socket: WebSocket,
  batch: PointBatch,
  { lapPoints, points }: DrivenSession,
  groups: ReadonlyArray<RecordedGroup>
) => {
  await once(socket, "message")
  socket.send(welcome("bench"))
  const declared = groups.map(({ channels, name }) => ({
    name,
    channels: channels.map((channel) => ({ name: channel }))
  }))
  const more = groups.length === 0 ? {} : { groups: declared }
  socket.send(JSON.stringify({ type: "session", ...facts, columns: channels, ...more }))
  // Groups are told at most a second behind each other.
  const together = groups.length === 0 ? lapPoints : RATE
  for (let from = 0; from < points; from += together) {
    const part = batch.slice(from, Math.min(from + together, points))
    for (const [g, group] of groups.entries()) {
      socket.send(packed(from, [samplesOf(group, from, part.timestamps)], part.length, g + 1))
    }
    socket.send(packed(from, [part.data], part.length))
    const sent = from + part.length
    if (sent % lapPoints === 0) {
      socket.send(JSON.stringify(lapMessage(sent / lapPoints - 1, lapPoints / RATE)))
    }
    while (socket.bufferedAmount > MAX_BUFFERED) await sleep(1)
  }
  socket.send(sessionEnd)
}

interface Status {
  readonly connections: ReadonlyArray<{ readonly points_stored: number; readonly samples_stored: number }>
}

const untilStored = async (url: string, points: number, samples: number) => {
  for (;;) {
    const { connections } = (await (await fetch(`${url}/api/v1/status`)).json()) as Status
    const [one] = connections
    if (one?.points_stored === points && one.samples_stored === samples) return
    await sleep(20)
  }
}

/** A service with this session alone, whose laps, points and samples are all stored. */
export const recorded = async (
  session: DrivenSession,
  groups: ReadonlyArray<RecordedGroup> = []
): Promise<Service> => {
  const batch = drive(session)
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => SUBPROTOCOL })
  await once(server, "listening")
  server.once("connection", (socket) => void send(socket, batch, session, groups))
  const service = await startService()
  const { port } = server.address() as AddressInfo
  const body = JSON.stringify({ host: "127.0.0.1", port, app_name: "bench", simulator: "native" })
  const { status } = await fetch(`${service.url}/api/v1/connect`, { method: "POST", body })
  if (status !== 200) throw new Error(`connecting was answered ${status}`)
  await untilStored(service.url, session.points, groups.length * session.points)
  await fetch(`${service.url}/api/v1/disconnect`, { method: "POST" })
  server.close()
  await untilQuiet(service)
  return service
}
