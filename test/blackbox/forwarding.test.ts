/** One game for two programs: its datagrams go to a service, which sends them on to another. */
import { createSocket } from "node:dgram"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"

const POINTS = 200

const freePort = Effect.async<number>((resume) => {
  const socket = createSocket("udp4")
  socket.bind(0, "127.0.0.1", () => {
    const { port } = socket.address()
    socket.close(() => resume(Effect.succeed(port)))
  })
})

interface Status {
  readonly connections: ReadonlyArray<
    Box.ConnectionCounts & { readonly forwarded: number; readonly not_forwarded: number }
  >
}

/** The speed at each place; no place is passed twice. */
const speedsOf = (service: Box.Running) =>
  Effect.map(
    Box.get<{ readonly points: ReadonlyArray<Box.Point> }>(service, "/telemetry/range?session_id=1"),
    ({ points }) =>
      new Map(points.map((point) => [`${point["position_x"]} ${point["position_y"]}`, point["speed"]]))
  )

it.scopedLive("a service that forwards passes on every datagram to another one", () =>
  Effect.gen(function* () {
    const [first, second] = [
      yield* Box.startService(yield* Box.folder),
      yield* Box.startService(yield* Box.folder)
    ]
    const [port, other] = [yield* freePort, yield* freePort]
    yield* Box.startSimulator("--protocol", "f1-2025", "--port", String(port))
    const body = { host: "127.0.0.1", port, app_name: "test", simulator: "f1" }
    const refused = yield* Box.ask(first, "POST", "/connect", { ...body, forward: [`127.0.0.1:${port}`] })
    expect(refused).toMatchObject({
      status: 422,
      body: {
        detail: `forward must be the address of another program, not one that the service itself listens on, got 127.0.0.1:${port}`
      }
    })
    const listening = yield* Effect.fork(Box.ask(second, "POST", "/connect", { ...body, port: other }))
    const connected = yield* Box.ask(first, "POST", "/connect", { ...body, forward: [`127.0.0.1:${other}`] })
    expect([connected.status, (yield* listening).status]).toEqual([200, 200])
    for (const service of [second, first]) {
      yield* Box.until(Box.get<Status>(service, "/status"), ({ connections }) =>
        connections.every(({ points_stored }) => points_stored >= POINTS)
      )
    }
    const { connections } = yield* Box.get<Status>(first, "/status")
    expect(connections[0]!.forwarded).toBeGreaterThan(POINTS)
    expect(connections[0]!.not_forwarded).toBe(0)
    // The second received what the first did.
    const [direct, forwarded] = [yield* speedsOf(first), yield* speedsOf(second)]
    const both = [...forwarded].filter(([place]) => direct.has(place))
    expect(both.length).toBeGreaterThan(POINTS / 2)
    for (const [place, speed] of both) expect([place, speed]).toEqual([place, direct.get(place)])
  })
)
