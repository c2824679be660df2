import { describe, expect, it } from "@effect/vitest"
import { Chunk, Duration, Effect, Exit, Layer, Scope, Stream } from "effect"
import { NotASimulator, SimulatorRefused } from "../../../src/domain/errors.ts"
import { Drivers, type LinkLost, type LinkOptions } from "../../../src/simulators/Driver.ts"
import { driver, layer as nativeLayer } from "../../../src/simulators/drivers/native/NativeDriver.ts"
import * as Simulators from "../../../src/simulators/Simulators.ts"
import { MemoryStore } from "../../recording/memoryStore.ts"
import { withWriter } from "../../recording/rig.ts"
import { closedPort, feedServer, httpServer, nextEvents, tcpServer, WELCOME } from "./feedServer.ts"
import { packed, plainColumns, session } from "./messages.ts"

const options = (port: number, host = "127.0.0.1"): LinkOptions => ({
  host,
  port,
  appName: "Test app",
  rate: 120
})

const open = (port: number) => driver.open(options(port))
const failing = (port: number, host?: string) => Effect.flip(driver.open(options(port, host)))

/** A turn of the event loop, in which sockets are read and written. */
const turn = Effect.promise(() => new Promise<void>((done) => setImmediate(done)))

describe("a handshake", () => {
  it.scopedLive("says who connects and what rate is wished for, and learns who answers", () =>
    Effect.gen(function* () {
      const server = yield* feedServer()
      const link = yield* open(server.port)
      expect(link.simulator).toBe("Test 1.0")
      const peer = yield* server.peer
      expect(JSON.parse(yield* peer.heard)).toEqual({ type: "hello", app_name: "Test app", rate: 120 })
      expect(peer.socket.protocol).toBe("telemetry-feed.v1")
    })
  )

  it.scopedLive("gives what came along with the welcome, in order", () =>
    Effect.gen(function* () {
      const greeting = [WELCOME, session(), packed(plainColumns(2)), '{"type":"session_end"}']
      const link = yield* open((yield* feedServer({ greeting })).port)
      const events = yield* nextEvents(link, 3)
      expect(events.map((event) => event._tag)).toEqual(["SessionStarted", "Points", "SessionEnded"])
    })
  )

  for (const protocol of [false, "something-else"] as const) {
    it.scopedLive(`with a server that selects ${protocol || "no"} subprotocol is none`, () =>
      Effect.gen(function* () {
        expect(yield* failing((yield* feedServer({ protocol })).port)).toBeInstanceOf(NotASimulator)
      })
    )
  }

  for (const [what, first] of [
    ["no JSON", "hello!"],
    ["no object", "[1]"],
    ["another type", session()],
    ["a welcome without a name", '{"type":"welcome"}'],
    ["a welcome from nobody", '{"type":"welcome","simulator":5}'],
    ["binary", packed(plainColumns(1))],
    ["without end", `${"[".repeat(100_000)}${"]".repeat(100_000)}`]
  ] as const) {
    it.scopedLive(`whose first message is ${what} is none`, () =>
      Effect.gen(function* () {
        const server = yield* feedServer({ greeting: [first, WELCOME] })
        const error = yield* Effect.scoped(failing(server.port))
        expect(error).toMatchObject({ _tag: "NotASimulator", simulator: "native" })
        expect((error as NotASimulator).reason.length).toBeLessThan(200)
        // It is told so, and not left standing.
        expect(yield* (yield* server.peer).closed).toBe(1000)
      })
    )
  }

  it.scopedLive("whose server closes before its welcome is none", () =>
    Effect.gen(function* () {
      const server = yield* feedServer({ greeting: [] })
      const opening = yield* Effect.fork(failing(server.port))
      ;(yield* server.peer).socket.close(4000, "go away")
      const error = yield* opening
      expect(error).toBeInstanceOf(NotASimulator)
      expect((error as NotASimulator).reason).toContain("4000 go away")
    })
  )

  for (const status of [200, 404, 426, 503]) {
    it.scopedLive(`with a web server that answers ${status} is none`, () =>
      Effect.gen(function* () {
        expect(yield* failing(yield* httpServer(status))).toBeInstanceOf(NotASimulator)
      })
    )
  }

  it.scopedLive("with a server that talks something else is none", () =>
    Effect.gen(function* () {
      const garbage = yield* tcpServer((socket) => socket.write("220 mail.example ESMTP\r\n"))
      expect(yield* failing(garbage.port)).toBeInstanceOf(NotASimulator)
      const binary = yield* tcpServer((socket) => socket.write(Buffer.alloc(1000, 0xfe)))
      expect(yield* failing(binary.port)).toBeInstanceOf(NotASimulator)
      const hangsUp = yield* tcpServer((socket) => socket.destroy())
      expect(["NotASimulator", "SimulatorRefused"]).toContain((yield* failing(hangsUp.port))._tag)
    })
  )

  it.scopedLive("with a port that nobody listens on is refused", () =>
    Effect.gen(function* () {
      const error = yield* failing(yield* closedPort)
      expect(error).toMatchObject({ _tag: "SimulatorRefused", reason: "ECONNREFUSED" })
    })
  )

  for (const host of [
    "::::",
    "a:b",
    "%",
    "%zz",
    "a b",
    "1.2.3.4.5",
    "-",
    "_",
    "fe80::1%eth0",
    ".",
    "x".repeat(253)
  ]) {
    it.scopedLive(`with ${host.slice(0, 20)} is refused, and nothing crashes`, () =>
      Effect.gen(function* () {
        expect(yield* failing(9, host)).toBeInstanceOf(SimulatorRefused)
      })
    )
  }
})

describe("a handshake that hangs", () => {
  it.scopedLive("before the upgrade can be given up, and hangs up", () =>
    Effect.gen(function* () {
      const server = yield* tcpServer(() => undefined)
      const given = yield* Effect.scoped(open(server.port)).pipe(Effect.timeoutOption("50 millis"))
      expect(given._tag).toBe("None")
      yield* server.gone
    })
  )

  it.scopedLive("before the welcome can be given up, and is closed politely", () =>
    Effect.gen(function* () {
      const server = yield* feedServer({ greeting: [] })
      const given = yield* Effect.scoped(open(server.port)).pipe(Effect.timeoutOption("50 millis"))
      expect(given._tag).toBe("None")
      expect(yield* (yield* server.peer).closed).toBe(1000)
    })
  )

  it.scopedLive("is a simulator that is silent", () =>
    Effect.gen(function* () {
      const silent = yield* tcpServer(() => undefined)
      const mute = yield* feedServer({ greeting: [] })
      const simulators = yield* Simulators.Simulators
      for (const { port } of [silent, mute]) {
        const error = yield* Effect.flip(
          simulators.connect({ host: "127.0.0.1", port, app_name: "x", simulator: "native" })
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

/** All events until the link is lost, and why it was. */
const untilLost = (link: Effect.Effect.Success<ReturnType<typeof open>>) =>
  Effect.gen(function* () {
    const tags: Array<string> = []
    const lost = yield* Effect.flip(
      Stream.runForEach(link.events, (event) => Effect.sync(() => tags.push(event._tag)))
    )
    return { tags, lost: lost satisfies LinkLost }
  })

describe("a link", () => {
  it.scopedLive("that is closed, or torn, is lost after everything that came before", () =>
    Effect.gen(function* () {
      const server = yield* feedServer()
      for (const tear of [false, true]) {
        const link = yield* open(server.port)
        const { socket } = yield* server.peer
        socket.send(session())
        socket.send("nonsense")
        socket.send('{"type":"session_end"}', () => (tear ? socket.terminate() : socket.close(1001, "over")))
        const { tags, lost } = yield* untilLost(link)
        expect(tags).toEqual(["SessionStarted", "Refused", "SessionEnded"])
        expect(lost.reason).toBe(tear ? "closed with 1006" : "closed with 1001 over")
      }
    })
  )

  it.scopedLive("that speaks no WebSocket any more, or too much, is lost", () =>
    Effect.gen(function* () {
      const server = yield* feedServer()
      const broken = yield* open(server.port)
      const { socket } = yield* server.peer
      ;(socket as unknown as { _socket: { write: (data: string) => void } })._socket.write("not a frame")
      expect((yield* untilLost(broken)).lost._tag).toBe("LinkLost")
      const flooded = yield* open(server.port)
      const peer = yield* server.peer
      peer.socket.send(Buffer.alloc(16 * 1024 * 1024 + 1))
      expect((yield* untilLost(flooded)).lost._tag).toBe("LinkLost")
      expect(yield* peer.closed).toBe(1009)
    })
  )

  it.scopedLive("is closed with 1000 when its scope ends, also while nobody reads it", () =>
    Effect.gen(function* () {
      const server = yield* feedServer()
      for (const flood of [0, 200]) {
        const scope = yield* Scope.make()
        yield* Scope.extend(open(server.port), scope)
        const peer = yield* server.peer
        const message = packed(plainColumns(1000))
        for (let i = 0; i < flood; i++) peer.socket.send(message)
        if (flood > 0) while (peer.socket.bufferedAmount === 0) yield* turn
        yield* Scope.close(scope, Exit.void)
        expect(yield* peer.closed).toBe(1000)
      }
    })
  )

  it.scopedLive("is not read while nobody takes its events, and loses nothing of them", () =>
    Effect.gen(function* () {
      const server = yield* feedServer()
      const link = yield* open(server.port)
      const { socket } = yield* server.peer
      const COUNT = 800
      const POINTS = 1000 // 80 kB a message, 64 MB in all
      let sent = 0
      for (; sent < COUNT; sent++) {
        socket.send(packed(plainColumns(POINTS), { sequence: BigInt(sent * POINTS) }))
      }
      // It stops when the inbox and the kernel's buffers are full: most of it stays with the simulator.
      let quiet = 0
      let before = -1
      while (quiet < 200) {
        yield* turn
        quiet = socket.bufferedAmount === before ? quiet + 1 : 0
        before = socket.bufferedAmount
      }
      expect(socket.bufferedAmount).toBeGreaterThan(32 * 1024 * 1024)
      const sizes = yield* link.events.pipe(
        Stream.mapChunks((chunk) =>
          Chunk.map(chunk, (event) => (event._tag === "Points" ? event : undefined))
        ),
        Stream.take(COUNT),
        Stream.runFold({ points: 0, missing: 0, wrong: 0 }, (sum, event) => ({
          points: sum.points + (event?.batch.length ?? 0),
          missing: sum.missing + (event?.missing ?? 0),
          wrong: sum.wrong + (event === undefined ? 1 : 0)
        }))
      )
      expect(sizes).toEqual({ points: COUNT * POINTS, missing: 0, wrong: 0 })
      expect(socket.bufferedAmount).toBe(0)
    })
  )

  it.scopedLive("gives together what arrived together, and ignores what it does not know", () =>
    Effect.gen(function* () {
      const greeting = [WELCOME, '{"type":"weather"}', session(), '{"type":"weather"}', session()]
      const link = yield* open((yield* feedServer({ greeting })).port)
      expect((yield* nextEvents(link, 2)).map((event) => event._tag)).toEqual([
        "SessionStarted",
        "SessionStarted"
      ])
    })
  )
})
