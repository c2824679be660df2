/**
 * Datagrams into a running service, and its recording of them.
 *
 * No datagram is lost on the way, however slow the machine: after some datagrams the service gets a request, which it answers
 * only once it has read what came before.
 */
import { createSocket, type Socket } from "node:dgram"
import { Effect, Fiber } from "effect"
import type { Outputs } from "../../src/api/trpc/client.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import * as Box from "../support/processes.ts"

type Lap = Outputs["sessions"]["lap"]
type Session = Outputs["sessions"]["get"]

export const HOST = "127.0.0.1"
/** Datagrams between two requests: as many as a socket with the smallest buffer holds. */
const AT_ONCE = 32

export const bound = (port = 0) =>
  Effect.acquireRelease(
    Effect.async<Socket, Error>((resume) => {
      const socket = createSocket("udp4")
      socket.once("error", (cause) => resume(Effect.fail(cause)))
      socket.bind(port, HOST, () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.close())
  )

/** A socket whose next port is free: a console's answers come there. */
export const consoleSocket = Effect.gen(function* () {
  const socket = yield* bound()
  yield* Effect.scoped(bound(socket.address().port + 1))
  return socket
}).pipe(Effect.retry({ times: 50 }), Effect.orDie)

/** Sends everything; nothing is lost, since the service keeps up. */
export const pour = (service: Box.Running, datagrams: ReadonlyArray<Buffer>, send: (bytes: Buffer) => void) =>
  Effect.gen(function* () {
    for (let n = 0; n < datagrams.length; n += AT_ONCE) {
      for (const bytes of datagrams.slice(n, n + AT_ONCE)) send(bytes)
      yield* Box.get(service, "/health")
    }
  })

interface Counts extends Box.ConnectionCounts {
  readonly port: number
  readonly points_missing: number
}

export const countsOf = (service: Box.Running, port: number) =>
  Effect.map(
    Box.get<{ readonly connections: ReadonlyArray<Counts> }>(service, "/status"),
    ({ connections }) => connections.find((one) => one.port === port)!
  )

export const connect = (service: Box.Running, port: number, more: object) =>
  Box.ask<{ readonly detail?: string; readonly simulator?: string }>(service, "POST", "/connect", {
    host: HOST,
    port,
    app_name: "black box",
    ...more
  })

/** Connects to a game that sends without a request: its first datagram is repeated until the service has received it. */
export const connectListening = (
  service: Box.Running,
  port: number,
  first: Buffer,
  socket: Socket,
  more: object
) =>
  Effect.gen(function* () {
    const sending = yield* Effect.fork(
      Effect.forever(
        Effect.sync(() => socket.send(first, port, HOST)).pipe(Effect.zipRight(Effect.sleep("20 millis")))
      )
    )
    const answer = yield* connect(service, port, more)
    yield* Fiber.interrupt(sending)
    return answer
  })

/** The recorded sessions of a driver. */
export const recorded = (service: Box.Running, driver: string) =>
  Effect.gen(function* () {
    const path = `/sessions?driver=${encodeURIComponent(driver)}`
    const { items } = yield* Box.get<{ readonly items: ReadonlyArray<Session> }>(service, path)
    return yield* Effect.forEach(items, (session) =>
      Effect.map(Box.get<ReadonlyArray<Lap>>(service, `/${session.id}/laps`), (laps) => ({ session, laps }))
    )
  })

export const timesOf = (laps: ReadonlyArray<Lap>) =>
  laps.map(({ lap_number, lap_time, valid }) => [lap_number, lap_time, valid])

/** The points of an answer, as columns. */
export const pointsOf = (service: Box.Running, path: string) =>
  Effect.map(
    Box.get<{ readonly points: ReadonlyArray<Box.Point>; readonly total_points: number }>(service, path),
    ({ points }) => {
      const batch = RowBatch.allocate(points.length, channels)
      for (const channel of channels) {
        const column = batch.column(channel)
        points.forEach((point, i) => (column[i] = point[channel]!))
      }
      return batch
    }
  )

export const sessionPoints = (service: Box.Running, { id }: Session) =>
  pointsOf(service, `/telemetry/range?session_id=${id}`)
