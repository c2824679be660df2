/** A service that has recorded a session through the native feed. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { type WebSocket, WebSocketServer } from "ws"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import type { PointBatch } from "../../src/domain/RowBatch.ts"
import { packed, sessionEnd, welcome } from "../../simulator/feed/messages.ts"
import { SUBPROTOCOL } from "../../src/simulators/drivers/native/protocol.ts"
import { drive, type DrivenSession, RATE, START } from "./drivenSession.ts"
import { type Service, startService, untilQuiet } from "./programs.ts"

/** With more bytes than this buffered, the feed waits for its reader, as the bundled simulator does. */
const MAX_BUFFERED = 1024 * 1024

const facts = { circuit: "Hollin Moor", vehicle: "bench", driver: "bench", start_time: START }

/** A lap by the feed's clock, s. */
type TimedLap = Pick<RecordedLap, "lapNumber" | "startTime" | "endTime">

const lapMessage = ({ endTime, lapNumber, startTime }: TimedLap) => ({
  type: "lap",
  lap_number: lapNumber,
  lap_time: endTime - startTime,
  sector1_time: null,
  sector2_time: null,
  sector3_time: null,
  valid: true,
  start_time: startTime,
  end_time: endTime
})

/** A group that is sent at every point's time. */
export interface RecordedGroup {
  readonly name: string
  readonly channels: ReadonlyArray<string>
  /** The value of a channel at a point of the session, both by index. */
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

/** Messages that are sent one after another. */
interface Part {
  readonly points: PointBatch
  /** Samples of each group at the points' times, column after column. */
  readonly samples: ReadonlyArray<Float64Array>
  /** The lap that ends with these points. */
  readonly lap: TimedLap | undefined
}

function* partsOf(
  batch: PointBatch,
  { lapPoints, points }: DrivenSession,
  groups: ReadonlyArray<RecordedGroup>
): Generator<Part> {
  // Groups are sent at most a second behind each other.
  const together = groups.length === 0 ? lapPoints : RATE
  const seconds = lapPoints / RATE
  for (let from = 0; from < points; from += together) {
    const part = batch.slice(from, Math.min(from + together, points))
    const sent = from + part.length
    const lap = sent / lapPoints - 1
    yield {
      points: part,
      samples: groups.map((group) => samplesOf(group, from, part.timestamps)),
      lap:
        sent % lapPoints === 0
          ? { lapNumber: lap + 1, startTime: lap * seconds, endTime: (lap + 1) * seconds }
          : undefined
    }
  }
}

const send = async (socket: WebSocket, parts: Iterable<Part>, groups: ReadonlyArray<RecordedGroup>) => {
  await once(socket, "message")
  socket.send(welcome("bench"))
  const declared = groups.map(({ channels, name }) => ({
    name,
    channels: channels.map((channel) => ({ name: channel }))
  }))
  const more = groups.length === 0 ? {} : { groups: declared }
  socket.send(JSON.stringify({ type: "session", ...facts, columns: channels, ...more }))
  let from = 0
  for (const { lap, points, samples } of parts) {
    for (const [g, group] of samples.entries()) socket.send(packed(from, [group], points.length, g + 1))
    socket.send(packed(from, [points.data], points.length))
    from += points.length
    if (lap !== undefined) socket.send(JSON.stringify(lapMessage(lap)))
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

/** A service with only this session, whose laps, points and samples are all stored. */
const recordedFrom = async (
  parts: Iterable<Part>,
  points: number,
  groups: ReadonlyArray<RecordedGroup>
): Promise<Service> => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => SUBPROTOCOL })
  await once(server, "listening")
  server.once("connection", (socket) => void send(socket, parts, groups))
  const service = await startService()
  const { port } = server.address() as AddressInfo
  const body = JSON.stringify({ host: "127.0.0.1", port, app_name: "bench", simulator: "native" })
  const { status } = await fetch(`${service.url}/api/v1/connect`, { method: "POST", body })
  if (status !== 200) throw new Error(`connecting was answered ${status}`)
  await untilStored(service.url, points, groups.length * points)
  await fetch(`${service.url}/api/v1/disconnect`, { method: "POST" })
  server.close()
  await untilQuiet(service)
  return service
}

/** Records a drive, in laps of as many points each. */
export const recorded = (
  session: DrivenSession,
  groups: ReadonlyArray<RecordedGroup> = []
): Promise<Service> => recordedFrom(partsOf(drive(session), session, groups), session.points, groups)

/** Records consecutive laps, on a clock that begins with the first. */
export const recordedLaps = (laps: ReadonlyArray<LapData>): Promise<Service> =>
  recordedFrom(
    laps.map(({ lap, points }) => ({ lap, points, samples: [] })),
    laps.reduce((sum, { points }) => sum + points.length, 0),
    []
  )
