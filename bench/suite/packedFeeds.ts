/**
 * Several native feeds that send the same drive, packed: as fast as they are read, or paced in real time. They begin
 * together, when the service has greeted all of them.
 *
 * Prints a JSON array of their ports; when everything is sent, a line of JSON (`SendTimes`). Then it waits to be ended.
 *
 *   node packedFeeds.js '{"feeds":4,"points":1000000,"perMessage":100,"rate":60,"realTime":false}'
 */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { type WebSocket, WebSocketServer } from "ws"
import { channels } from "../../src/domain/pointChannels.ts"
import { packed, pointsPacked, sessionEnd, welcome } from "../../simulator/feed/messages.ts"
import { lapColumns, SUBPROTOCOL } from "../../src/simulators/drivers/native/protocol.ts"
import { circuitNamed } from "../../simulator/model/Circuit.ts"
import { SimulatedDrive } from "../../simulator/model/SimulatedDrive.ts"
import { vehicles } from "../../simulator/model/vehicles.ts"
import { benchGroup, channelGroups, signal } from "./benchGroups.ts"
import { FEED_ZERO, monotonic } from "./clock.ts"

export interface PackedFeedsOptions {
  readonly feeds: number
  /** Of each feed. */
  readonly points: number
  readonly perMessage: number
  /** Hz of each feed's points. */
  readonly rate: number
  /** True: each message is sent when its last point is due. False: as fast as it is read. */
  readonly realTime: boolean
  /** Channels of each feed beyond the ten, in groups of 50, with a sample at each point; none by default. */
  readonly channels?: number
  /** Whether points report their lap and the distance in it. */
  readonly lapColumns?: boolean
}

/** When the first message and the last were sent, s on the clock that all processes share. */
export interface SendTimes {
  readonly first: number
  readonly last: number
}

/** With more bytes than this buffered, the feed waits for its reader, as the bundled simulator does. */
const MAX_BUFFERED = 1024 * 1024

const circuit = circuitNamed("Hollin Moor")!

/** Messages that are sent at once: one of points, and one of each group. */
type Step = ReadonlyArray<Uint8Array>

const drivenSteps = (options: PackedFeedsOptions): ReadonlyArray<Step> => {
  const { lapColumns = false, perMessage, points, rate } = options
  const drive = new SimulatedDrive({ circuit, vehicle: vehicles[0]!, seed: 1 })
  const groups = channelGroups(options.channels ?? 0)
  return Array.from({ length: Math.ceil(points / perMessage) }, (_, index) => {
    const from = index * perMessage
    const count = Math.min(perMessage, points - from)
    const driven = drive.points(from, count, rate)
    const times = driven.batch.column("timestamp")
    const samples = groups.map((names, g) =>
      packed(from, [times, ...names.map((_, c) => signal(c, times))], count, g + 1)
    )
    const columns = channels.map((channel) => driven.batch.column(channel))
    return [lapColumns ? pointsPacked(from, driven) : packed(from, columns, count), ...samples]
  })
}

const greeted = async (server: WebSocketServer): Promise<WebSocket> => {
  const [socket] = (await once(server, "connection")) as [WebSocket]
  await once(socket, "message")
  socket.send(welcome("bench"))
  return socket
}

/** The feed's clock zero is now. */
const begin = (socket: WebSocket, feed: number, options: PackedFeedsOptions) => {
  const facts = {
    circuit: circuit.name,
    vehicle: "bench",
    driver: `bench ${feed}`,
    start_time: FEED_ZERO + monotonic(),
    circuit_length: circuit.length,
    start_line: circuit.startLine
  }
  const columns = options.lapColumns === true ? [...channels, ...lapColumns] : channels
  const groups = channelGroups(options.channels ?? 0).map((names, g) => ({
    name: benchGroup(g),
    channels: names.map((name) => ({ name }))
  }))
  socket.send(JSON.stringify({ type: "session", ...facts, columns, groups }))
}

const sendAll = async (socket: WebSocket, steps: ReadonlyArray<Step>) => {
  for (const step of steps) {
    for (const message of step) socket.send(message)
    while (socket.bufferedAmount > MAX_BUFFERED) await sleep(1)
  }
}

/** Timers are late, so several messages may go at once. */
const sendInTime = async (
  sockets: ReadonlyArray<WebSocket>,
  steps: ReadonlyArray<Step>,
  { perMessage, rate }: PackedFeedsOptions
) => {
  const start = monotonic()
  for (let n = 0; n < steps.length;) {
    const due = Math.min(steps.length, Math.floor(((monotonic() - start) * rate) / perMessage))
    for (; n < due; n++) {
      for (const socket of sockets) for (const message of steps[n]!) socket.send(message)
    }
    await sleep(1)
  }
}

const run = async (options: PackedFeedsOptions) => {
  const steps = drivenSteps(options)
  const servers = Array.from(
    { length: options.feeds },
    () => new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => SUBPROTOCOL })
  )
  await Promise.all(servers.map((server) => once(server, "listening")))
  console.log(JSON.stringify(servers.map((server) => (server.address() as AddressInfo).port)))
  const sockets = await Promise.all(servers.map(greeted))
  const first = monotonic()
  sockets.forEach((socket, feed) => begin(socket, feed, options))
  if (options.realTime) await sendInTime(sockets, steps, options)
  else await Promise.all(sockets.map((socket) => sendAll(socket, steps)))
  const sent: SendTimes = { first, last: monotonic() }
  for (const socket of sockets) socket.send(sessionEnd)
  console.log(JSON.stringify(sent))
  await once(process, "SIGTERM")
  process.exit()
}

await run(JSON.parse(process.argv[2]!) as PackedFeedsOptions)
