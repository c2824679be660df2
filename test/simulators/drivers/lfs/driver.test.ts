import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Fiber, Stream, TestClock } from "effect"
import * as packets from "../../../../simulator/emulators/lfs/packets.ts"
import { layer } from "../../../../src/simulators/drivers/lfs/LfsDriver.ts"
import type { SimulatorEvent } from "../../../../src/domain/SimulatorEvent.ts"
import type { Link } from "../../../../src/simulators/Driver.ts"
import { until } from "../../../live/support.ts"
import { built, send, sender } from "../../udp/udp.ts"
import { closedPort, tcpServer } from "../../native/feedServer.ts"
import { linkOptions } from "../interpreting.ts"
import { served } from "./serving.ts"
import { eventsOf, recorded } from "../suite/events.ts"
import { linkEvents } from "../../sinks.ts"

const driver = built(layer, "lfs")

const ms = (seconds: number) => Math.round(seconds * 1000) / 1000

const opened = Effect.fn(function* (port: number, more: Parameters<typeof linkOptions>[0] = {}) {
  return yield* (yield* driver).open(linkOptions({ port, ...more }))
})

const begun = Effect.promise(() => new Promise<void>((done) => setImmediate(done))).pipe(Effect.repeatN(3))

/** Everything until the session ends. */
const session = (link: Link) =>
  linkEvents(link).pipe(
    Stream.takeUntil((event) => event._tag === "SessionEnded"),
    Stream.runCollect,
    Effect.map((all): ReadonlyArray<SimulatorEvent> => Chunk.toReadonlyArray(all))
  )

/** A server that answers a greeting with these bytes, and keeps all that it receives. */
const serverWith = Effect.fn(function* (...all: ReadonlyArray<Buffer>) {
  const received: Array<Buffer> = []
  const server = yield* tcpServer((socket) => {
    socket.on("data", (bytes) => received.push(bytes))
    socket.once("data", () => {
      for (const bytes of all) socket.write(bytes)
    })
  })
  return { ...server, received: () => Buffer.concat(received) }
})

const reasonOf = Effect.fn(function* (port: number) {
  return yield* Effect.flip(opened(port))
})

describe("a link to Live for Speed", () => {
  it.scoped("records three laps, over TCP and UDP", () =>
    Effect.gen(function* () {
      const game = { adminPassword: "secret", keepAliveEvery: 2, outSim: "full", split: true } as const
      const simulator = yield* served({ game })
      const options = { adminPassword: "secret" }
      const link = yield* opened(simulator.port, { appName: "Telemetry Service", options })
      expect(link.simulator).toBe("Live for Speed 0.7F S3")
      const reading = yield* Effect.fork(session(link))
      yield* simulator.drive
      const events = yield* Fiber.join(reading)
      expect(eventsOf(events, "SessionStarted")[0]).toMatchObject({
        circuit: "Fern Bay Club reversed",
        vehicle: "Formula V8",
        driver: "Robin Vale"
      })
      expect(eventsOf(events, "Refused")).toEqual([])
      const [{ batch, reported }] = recorded(events) as [ReturnType<typeof recorded>[number]]
      expect(reported.map(({ lapNumber, lapTime, valid }) => ({ lapNumber, lapTime, valid }))).toEqual(
        simulator.driven.map(({ lapNumber, lapTime, valid }) => ({ lapNumber, lapTime: ms(lapTime), valid }))
      )
      for (const { lapTime, sectors } of reported) {
        expect(ms(sectors.reduce<number>((sum, one) => sum + one!, 0))).toBe(lapTime)
      }
      const driven = simulator.frames.length
      expect(batch.length).toBeGreaterThan(driven * 0.97)
      expect(batch.column("steering").some((steering) => steering < -0.1)).toBe(true)
    })
  )

  it.scoped("closes the InSim connection at the end", () =>
    Effect.gen(function* () {
      const simulator = yield* serverWith(packets.version(1))
      yield* Effect.scoped(opened(simulator.port, { appName: "A name longer than fifteen bytes" }))
      yield* simulator.gone
      const received = simulator.received()
      expect(received.subarray(-4).toString("hex")).toBe("01030002")
      expect(received.toString("latin1", 28, 44)).toBe("A name longer t\0")
    })
  )

  it.scoped("requests all that it reads, at the rate that the user wishes for", () =>
    Effect.gen(function* () {
      const simulator = yield* serverWith(packets.version(1))
      yield* opened(simulator.port, { rate: 50 })
      yield* Effect.promise(() => until(() => simulator.received().length >= 44 + 16 + 16))
      const received = simulator.received()
      expect(received.readUInt16LE(4)).toBeGreaterThan(0)
      expect(received.readUInt16LE(6)).toBe(4 + 32 + 256)
      expect(received.readUInt16LE(10)).toBe(20)
      expect(received.toString("hex", 44)).toBe(
        ["01030107", "0103010d", "0103010e", "01030113", "0204000202000000", "0204000102000000"].join("")
      )
    })
  )

  it.scoped(
    "receives on its port only from the machine that it is connected to, and counts datagrams of others",
    () =>
      Effect.gen(function* () {
        const simulator = yield* serverWith(packets.version(1))
        const link = yield* opened(simulator.port)
        yield* Effect.promise(() => until(() => simulator.received().length >= 44))
        const port = simulator.received().readUInt16LE(4)
        for (const [address, bytes] of [
          ["127.0.0.9", 9],
          ["127.0.0.1", 11]
        ] as const) {
          yield* send(yield* sender(address), port, "?".repeat(bytes))
        }
        // They come in one batch of events or in two: a batch ends with the counted datagrams.
        const events = [...(yield* linkEvents(link).pipe(Stream.take(2), Stream.runCollect))]
        expect(eventsOf(events, "Refused")).toMatchObject([
          { reason: expect.stringContaining("of 11 bytes") }
        ])
        expect(eventsOf(events, "Foreign")).toMatchObject([
          { datagrams: 1, senders: [expect.stringMatching(/^127\.0\.0\.9:\d+$/)] }
        ])
      })
  )
})

describe("no link", () => {
  it.scoped("fails if the admin password is another", () =>
    Effect.gen(function* () {
      const simulator = yield* served({ game: { adminPassword: "secret" } })
      expect(yield* reasonOf(simulator.port)).toMatchObject({
        _tag: "SimulatorRefused",
        reason: "closed the connection during the handshake (is the admin password right?)"
      })
    })
  )

  it.scoped("fails if no program listens", () =>
    Effect.gen(function* () {
      expect(yield* reasonOf(yield* closedPort)).toMatchObject({
        _tag: "SimulatorRefused",
        reason: "ECONNREFUSED"
      })
    })
  )

  it.scoped("fails if the host has no such name", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(opened(1, { host: "no.such.host.invalid" }))
      expect(failed).toMatchObject({ _tag: "SimulatorRefused" })
    })
  )

  it.scoped.each([
    ["SSH-2.0-OpenSSH_9.6\r\n", "its first bytes are not an IS_VER packet"],
    ["HTTP/1.1 400 Bad Request\r\n\r\n", "its first bytes are not an IS_VER packet"],
    ["220 mail.example\r\n", "its first bytes are not an IS_VER packet"],
    ["\0\0\0\0", "a packet of no length"]
  ] as const)("fails if something else answers: %j", ([text, reason]) =>
    Effect.gen(function* () {
      const stranger = yield* serverWith(Buffer.from(text, "latin1"))
      const failed = yield* reasonOf(stranger.port)
      expect(failed).toMatchObject({ _tag: "NotASimulator", simulator: "lfs" })
      expect("reason" in failed ? failed.reason : "").toBe(reason)
    })
  )

  it.scoped.each([
    // As version 8 has it: byte 0 counts bytes.
    Buffer.concat([Buffer.from([20, 2, 1, 0]), Buffer.alloc(14), Buffer.from([8, 0])]),
    packets.version(1, 8)
  ])("fails if LFS is too old", (version) =>
    Effect.gen(function* () {
      const simulator = yield* serverWith(version)
      expect(yield* reasonOf(simulator.port)).toMatchObject({
        _tag: "SimulatorRefused",
        reason: "it speaks an InSim older than version 9: LFS 0.7A or newer is needed"
      })
    })
  )

  it.scoped("fails if no answer comes, and a user who gives up leaves nothing behind", () =>
    Effect.gen(function* () {
      const simulator = yield* served({ game: { silent: true } })
      const silent = yield* serverWith()
      for (const port of [simulator.port, silent.port]) {
        const opening = yield* Effect.fork(Effect.scoped(opened(port)))
        yield* begun
        if (port === silent.port) yield* Effect.promise(() => until(() => silent.received().length > 0))
        yield* Fiber.interrupt(opening)
      }
      yield* silent.gone
    })
  )
})

describe("the link is lost", () => {
  const lost = Effect.fn(function* (link: Link) {
    return yield* Effect.flip(Stream.runDrain(linkEvents(link)))
  })

  it.scoped("when the simulator is closed", () =>
    Effect.gen(function* () {
      const simulator = yield* tcpServer((socket) => {
        socket.once("data", () => {
          socket.write(packets.version(1))
          // The server closes at the next request, without an answer.
          socket.once("data", () => socket.destroy())
        })
      })
      const link = yield* opened(simulator.port)
      expect(yield* lost(link)).toMatchObject({ _tag: "LinkLost", reason: "closed the connection" })
    })
  )

  it.scoped("when its bytes make no sense any more", () =>
    Effect.gen(function* () {
      const simulator = yield* serverWith(packets.version(1), Buffer.alloc(4))
      const opening = yield* Effect.either(opened(simulator.port))
      // Both may come at once, or one after the other.
      if (opening._tag === "Right")
        expect(yield* lost(opening.right)).toMatchObject({ reason: "a packet of no length" })
      else expect(opening.left).toMatchObject({ reason: "a packet of no length" })
    })
  )

  it.scoped("when nothing was received for as long as LFS would wait", () =>
    Effect.gen(function* () {
      const simulator = yield* serverWith(packets.version(1))
      const reading = yield* Effect.fork(lost(yield* opened(simulator.port)))
      yield* begun
      yield* TestClock.adjust("72 seconds")
      expect(yield* Fiber.join(reading)).toMatchObject({ reason: "nothing arrived for 70 s" })
    })
  )
})
