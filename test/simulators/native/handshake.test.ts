import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer, Stream } from "effect"
import { NotASimulator, SimulatorRefused } from "../../../src/domain/errors.ts"
import { Drivers, type LinkOptions } from "../../../src/simulators/Driver.ts"
import { driver, layer as nativeLayer } from "../../../src/simulators/drivers/native/NativeDriver.ts"
import * as Simulators from "../../../src/simulators/connection/Simulators.ts"
import { MemoryStore } from "../../recording/memoryStore.ts"
import { withWriter } from "../../recording/rig.ts"
import { closedPort, feedServer, httpServer, nextEvents, tcpServer, WELCOME } from "./feedServer.ts"
import { packed, plainColumns, session } from "./messages.ts"
import { linkEvents } from "../sinks.ts"
import { isPoints, kindOf } from "../rows.ts"

const options = (port: number, host = "127.0.0.1"): LinkOptions => ({
  host,
  port,
  appName: "Test app",
  rate: 120,
  options: {},
  memory: new Map()
})

const open = (port: number) => driver.open(options(port))
const failing = (port: number, host?: string) => Effect.flip(driver.open(options(port, host)))

const points = (time: number) => `{"type":"points","points":[{"timestamp":${time}}]}`

describe("a handshake", () => {
  it.scopedLive("sends the service's name and the wished rate, and receives the simulator's name", () =>
    Effect.gen(function* () {
      const server = yield* feedServer()
      const link = yield* open(server.port)
      expect(link.simulator).toBe("Test 1.0")
      const peer = yield* server.peer
      expect(JSON.parse(yield* peer.received)).toEqual({
        type: "hello",
        app_name: "Test app",
        rate: 120,
        groups: true
      })
      expect(peer.socket.protocol).toBe("telemetry-feed.v1")
    })
  )

  it.scopedLive("gives the messages that came with the welcome, in order", () =>
    Effect.gen(function* () {
      const greeting = [WELCOME, session(), packed(plainColumns(2)), '{"type":"session_end"}']
      const link = yield* open((yield* feedServer({ greeting })).port)
      const events = yield* nextEvents(link, 3)
      expect(events.map(kindOf)).toEqual(["SessionStarted", "Points", "SessionEnded"])
    })
  )

  it.scopedLive("reads JSON with a byte order mark, in binary frames, and several lines in a frame", () =>
    Effect.gen(function* () {
      const greeting = [
        `\ufeff${WELCOME}`,
        Buffer.from(session()),
        `${points(1)}\r\n${points(2)}\n\n{"type":"points","points":\n${points(3)}\n`,
        Buffer.from(`\ufeff${points(4)}`),
        JSON.stringify(JSON.parse(points(5)), null, 2),
        packed(plainColumns(1)),
        '{"type":"session_end"}'
      ]
      const link = yield* open((yield* feedServer({ greeting })).port)
      const declared: Array<string | number> = []
      yield* linkEvents(link).pipe(
        Stream.takeUntil(({ _tag }) => _tag === "SessionEnded"),
        Stream.runForEach((event) =>
          Effect.sync(() => {
            declared.push(...(isPoints(event) ? event.batch.timestamps : [event._tag]))
          })
        )
      )
      expect(declared).toEqual(["SessionStarted", 1, 2, "Refused", 3, 4, 5, 0, "SessionEnded"])
    })
  )

  it.scopedLive("with a server that selects no subprotocol succeeds", () =>
    Effect.gen(function* () {
      const link = yield* open((yield* feedServer({ protocol: false, greeting: [WELCOME, session()] })).port)
      expect((yield* nextEvents(link, 1))[0]).toMatchObject({ _tag: "SessionStarted" })
    })
  )

  it.scopedLive("with a server that selects another subprotocol fails", () =>
    Effect.gen(function* () {
      expect(yield* failing((yield* feedServer({ protocol: "something-else" })).port)).toMatchObject({
        _tag: "NotASimulator",
        reason: "it selects a subprotocol other than telemetry-feed.v1"
      })
    })
  )

  for (const [what, first] of [
    ["no JSON", "hello!"],
    ["no object", "[1]"],
    ["another type", session()],
    ["a welcome without a name", '{"type":"welcome"}'],
    ["a welcome from nobody", '{"type":"welcome","simulator":5}'],
    ["binary", packed(plainColumns(1))],
    ["without end", `${"[".repeat(100_000)}${"]".repeat(100_000)}`]
  ] as const) {
    it.scopedLive(`fails if the first message is ${what}`, () =>
      Effect.gen(function* () {
        const server = yield* feedServer({ greeting: [first, WELCOME] })
        const error = yield* Effect.scoped(failing(server.port))
        expect(error).toMatchObject({ _tag: "NotASimulator", simulator: "native" })
        expect((error as NotASimulator).reason).toMatch(/^its first message is not (JSON|a welcome)$/)
        // The service closes the link politely.
        expect(yield* (yield* server.peer).closed).toBe(1000)
      })
    )
  }

  it.scopedLive("fails if the server closes before its welcome", () =>
    Effect.gen(function* () {
      const server = yield* feedServer({ greeting: [] })
      const opening = yield* Effect.fork(failing(server.port))
      ;(yield* server.peer).socket.close(4000, "go away")
      const error = yield* opening
      expect(error).toBeInstanceOf(NotASimulator)
      expect((error as NotASimulator).reason).not.toMatch(/4000|go away/)
    })
  )

  for (const [status, reason] of [
    [200, "it is a web server that opens no WebSocket"],
    [302, "it redirects, and the service follows no redirects"],
    [401, "it requires a login, and the service has none"],
    [404, "it has nothing at the path /, where a feed should be"],
    [426, "it opens no WebSocket"],
    [503, "it opens no WebSocket"]
  ] as const) {
    it.scopedLive(`with a web server that answers ${status} fails, with the reason`, () =>
      Effect.gen(function* () {
        const error = yield* failing(yield* httpServer(status))
        expect(error).toMatchObject({
          _tag: "NotASimulator",
          reason: `it answers with status ${status}: ${reason}`
        })
      })
    )
  }

  it.scopedLive("with a server of another protocol fails", () =>
    Effect.gen(function* () {
      const garbage = yield* tcpServer((socket) => socket.write("220 mail.example ESMTP\r\n"))
      expect(yield* failing(garbage.port)).toBeInstanceOf(NotASimulator)
      const binary = yield* tcpServer((socket) => socket.write(Buffer.alloc(1000, 0xfe)))
      expect(yield* failing(binary.port)).toBeInstanceOf(NotASimulator)
      const hangsUp = yield* tcpServer((socket) => socket.destroy())
      expect(["NotASimulator", "SimulatorRefused"]).toContain((yield* failing(hangsUp.port))._tag)
    })
  )

  it.scopedLive("with a port on which no program listens is refused", () =>
    Effect.gen(function* () {
      const error = yield* failing(yield* closedPort)
      expect(error).toMatchObject({ _tag: "SimulatorRefused", reason: "ECONNREFUSED" })
    })
  )

  for (const host of ["::::", "a:b", "%", "%zz", "a b", "1.2.3.4.5", "-", "_", ".", "x".repeat(253)]) {
    it.scopedLive(`with ${host.slice(0, 20)} is refused, and nothing crashes`, () =>
      Effect.gen(function* () {
        expect(yield* failing(9, host)).toBeInstanceOf(SimulatorRefused)
      })
    )
  }
})

describe("a handshake that hangs", () => {
  it.scopedLive("before the upgrade can be given up, and closes the connection", () =>
    Effect.gen(function* () {
      const connected = yield* Deferred.make<void>()
      const server = yield* tcpServer(() => Deferred.unsafeDone(connected, Effect.void))
      const opening = yield* Effect.fork(Effect.scoped(open(server.port)))
      yield* Deferred.await(connected)
      yield* Fiber.interrupt(opening)
      yield* server.gone
    })
  )

  it.scopedLive("before the welcome can be given up, and is closed politely", () =>
    Effect.gen(function* () {
      const server = yield* feedServer({ greeting: [] })
      const opening = yield* Effect.fork(Effect.scoped(open(server.port)))
      const peer = yield* server.peer
      // The service sends once the link is open on its side, too.
      expect(yield* peer.received).toContain("hello")
      yield* Fiber.interrupt(opening)
      expect(yield* peer.closed).toBe(1000)
    })
  )

  it.scopedLive("fails as a simulator that is silent", () =>
    Effect.gen(function* () {
      const silent = yield* tcpServer(() => undefined)
      const mute = yield* feedServer({ greeting: [] })
      const simulators = yield* Simulators.Simulators
      for (const { port } of [silent, mute]) {
        const error = yield* Effect.flip(
          simulators.connect({ host: "127.0.0.1", port, appName: "x", simulator: "native", options: {} })
        )
        expect(error).toMatchObject({ _tag: "SimulatorSilent", seconds: 0.05 })
      }
    }).pipe(
      Effect.provide(
        Simulators.layer(Duration.millis(50)).pipe(
          Layer.provide(nativeLayer),
          Layer.provide(Drivers.layer),
          Layer.provide(withWriter(new MemoryStore()))
        )
      )
    )
  )
})
