import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Option, Scope, Stream } from "effect"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { type LinkLost, type LinkOptions } from "../../../src/simulators/Driver.ts"
import { driver } from "../../../src/simulators/drivers/native/NativeDriver.ts"
import { feedServer, nextEvents, WELCOME } from "./feedServer.ts"
import { packed, plainColumns, session } from "./messages.ts"
import { linkEvents } from "../sinks.ts"
import { isPoints } from "../rows.ts"

const options = (port: number, host = "127.0.0.1"): LinkOptions => ({
  host,
  port,
  appName: "Test app",
  rate: 120,
  options: {},
  memory: new Map()
})

const open = (port: number) => driver.open(options(port))
/** A turn of the event loop, in which sockets are read and written. */
const turn = Effect.promise(() => new Promise<void>((done) => setImmediate(done)))

/** All events until the link is lost, and why it was. */
const untilLost = (link: Effect.Effect.Success<ReturnType<typeof open>>) =>
  Effect.gen(function* () {
    const tags: Array<string> = []
    const lost = yield* Effect.flip(
      Stream.runForEach(linkEvents(link), (event) => Effect.sync(() => tags.push(event._tag)))
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

  it.scopedLive("that has too much text, or too many sessions at once, is read on, to the last of them", () =>
    Effect.gen(function* () {
      const server = yield* feedServer()
      const link = yield* open(server.port)
      const { socket } = yield* server.peer
      socket.send(`{"type":"points","points":[${"{},".repeat(800_000)}{}]}`)
      for (let n = 0; n < 200; n++) socket.send(session({ circuit: `C${n}` }))
      socket.send('{"type":"session_end"}', () => socket.close(1000, "over"))
      const { tags } = yield* untilLost(link)
      expect(tags[0]).toBe("Refused")
      expect(tags.filter((tag) => tag === "SessionStarted")).toHaveLength(200)
      expect(tags).toHaveLength(202)
    })
  )

  it.scopedLive(
    "leaves the event loop to others between texts that take long to decode, and loses none",
    () =>
      Effect.gen(function* () {
        const server = yield* feedServer()
        const link = yield* open(server.port)
        const { socket } = yield* server.peer
        const COUNT = 20
        const SOME = 1000
        const POINTS = 12_000 // 1.2 MB, some 30 ms of decoding
        const point =
          '{"timestamp":1.5,"speed":100.25,"rpm":7000,"gear":3,"throttle":0.5,"brake":0,"steering":0.1}'
        const textOf = (points: number) =>
          `{"type":"points","points":[${Array.from({ length: points }, () => point).join(",")}]}`
        const unknown = `{"type":"weather","long":"${"x".repeat(100_000)}"}`
        // The first two are decoded by themselves, the last is left over.
        for (let n = 0; n < COUNT; n++)
          for (const text of [unknown, textOf(SOME), textOf(POINTS)]) socket.send(text)
        let turns = 0
        const counting = yield* Effect.forkScoped(
          Effect.forever(
            Effect.zipRight(
              turn,
              Effect.sync(() => turns++)
            )
          )
        )
        const sizes: Array<number> = []
        const offer = (events: ReadonlyArray<SimulatorEvent>) => {
          for (const event of events) sizes.push(isPoints(event) ? event.batch.length : -1)
          if (sizes.length === 2 * COUNT) socket.close(1000, "over")
          return true
        }
        const lost = yield* Effect.flip(link.deliverTo({ offer, ready: Effect.void }))
        expect(lost._tag).toBe("LinkLost")
        yield* Fiber.interrupt(counting)
        expect(sizes).toEqual(Array.from({ length: COUNT }, () => [SOME, POINTS]).flat())
        // Without a rest it is some four turns a text, with one some hundreds.
        expect(turns).toBeGreaterThan(COUNT * 20)
      })
  )

  it.scopedLive("that no longer speaks WebSocket, or sends too large a message, is lost", () =>
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

  it.scopedLive("is closed with 1000 when its scope ends, also while it is not read", () =>
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

  it.scopedLive("is not read while no events are taken, and loses none", () =>
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
      const sizes = yield* linkEvents(link).pipe(
        Stream.scan({ points: 0, missing: 0, wrong: 0 }, (sum, event) => ({
          points: sum.points + (isPoints(event) ? event.batch.length : 0),
          missing: sum.missing + (isPoints(event) ? event.missing : 0),
          wrong: sum.wrong + (isPoints(event) ? 0 : 1)
        })),
        Stream.takeUntil(({ points }) => points >= COUNT * POINTS),
        Stream.runLast
      )
      expect(Option.getOrThrow(sizes)).toEqual({ points: COUNT * POINTS, missing: 0, wrong: 0 })
      expect(socket.bufferedAmount).toBe(0)
    })
  )

  it.scopedLive("gives messages together that arrived together, and ignores unknown ones", () =>
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
