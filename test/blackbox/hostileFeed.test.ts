/** A feed whose numbers are finite but larger than any car's does not disturb the recording of others. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { WebSocketServer } from "ws"
import { welcome } from "../../simulator/feed/messages.ts"
import { SUBPROTOCOL } from "../../src/simulators/drivers/native/protocol.ts"
import * as Box from "../support/processes.ts"

const POINTS = 1000
const HUGE = 1.7e308

type Declared = Readonly<Record<string, number>>

/** A feed that sends these points, ten in each message, and stays connected. */
const serving = (driver: string, valuesOf: (n: number) => Declared) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => SUBPROTOCOL })
      server.on("connection", (socket) => {
        socket.once("message", () => {
          socket.send(welcome("black box"))
          const facts = { circuit: "Circle", vehicle: "Kart", driver, start_time: 1_700_000_000 }
          socket.send(JSON.stringify({ type: "session", ...facts }))
          for (let n = 0; n < POINTS; n += 10) {
            const points = Array.from({ length: 10 }, (_, k) => ({
              timestamp: (n + k) / 60,
              rpm: 6000,
              gear: 3,
              throttle: 0.5,
              ...valuesOf(n + k)
            }))
            socket.send(JSON.stringify({ type: "points", points }))
          }
          // The recorder derives sector lines from a lap's points.
          const lap = { lap_number: 1, lap_time: 15, start_time: 0, end_time: 15, valid: true }
          socket.send(JSON.stringify({ type: "lap", ...lap }))
        })
      })
      await once(server, "listening")
      return { server, address: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
    ({ server }) =>
      Effect.sync(() => {
        for (const socket of server.clients) socket.terminate()
        server.close()
      })
  )

interface Counts extends Box.ConnectionCounts {
  readonly rejected: Readonly<Record<string, number>>
}

it.scopedLive(
  "the service stores all of a good feed beside a hostile one, counts the hostile points as refused, and ends normally",
  () =>
    Effect.gen(function* () {
      const service = yield* Box.startService(yield* Box.folder)
      const hostile = yield* serving("Hostile", (n) => ({
        speed: n % 2 === 0 ? HUGE : -HUGE,
        position_x: n % 3 === 0 ? HUGE : -HUGE,
        position_y: n % 2 === 0 ? -HUGE : HUGE
      }))
      const good = yield* serving("Good", (n) => ({
        speed: 100,
        position_x: 300 * Math.cos(n / 200),
        position_y: 300 * Math.sin(n / 200)
      }))
      expect((yield* Box.connect(service, hostile)).status).toBe(200)
      expect((yield* Box.connect(service, good)).status).toBe(200)
      const status = Box.get<{ readonly connections: ReadonlyArray<Counts> }>(service, "/status")
      const { connections } = yield* Box.until(
        status,
        ({ connections }) =>
          connections.every(({ points_received }) => points_received === POINTS) &&
          connections.some(({ points_stored }) => points_stored === POINTS)
      )
      const [of, ofGood] = connections.toSorted((a, b) => a.points_stored - b.points_stored)
      expect(of).toMatchObject({
        points_stored: 0,
        points_rejected: POINTS,
        rejected: { implausible_value: POINTS }
      })
      expect(ofGood).toMatchObject({ points_stored: POINTS, points_rejected: 0, rejected: {} })
      for (const { address } of [hostile, good]) {
        const { hostname, port } = new URL(address)
        const target = { host: hostname, port: Number(port) }
        expect((yield* Box.ask(service, "POST", "/disconnect", target)).status).toBe(200)
      }
      const { items } = yield* Box.get<{
        readonly items: ReadonlyArray<{ readonly id: number; readonly driver: string }>
      }>(service, "/sessions")
      const { id } = items.find(({ driver }) => driver === "Good")!
      const range = yield* Box.get<{ readonly total_points: number }>(
        service,
        `/telemetry/range?session_id=${id}&sample_rate=100`
      )
      expect(range.total_points).toBe(POINTS)
      expect(yield* service.signal("SIGTERM")).toBe(0)
    })
)
