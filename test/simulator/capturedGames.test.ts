/** Which game a capture is of, and how that game answers, is closed, and is started again. */
import { readdirSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { basename, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { firstCaptured } from "../../simulator/captures/Captured.ts"
import { kindOf } from "../../simulator/captures/kinds.ts"
import * as Acc from "../../src/simulators/drivers/acc/layout.ts"
import { answer } from "../../src/simulators/drivers/assetto-corsa/layout.ts"
import { encodeRequest } from "../../src/simulators/drivers/assetto-corsa/requests.ts"
import { PacketStream } from "../../src/simulators/drivers/lfs/PacketStream.ts"
import { heard as fromGame, sent as toGame, Tiny } from "../../src/simulators/drivers/lfs/insim.ts"
import { encodeUpdate } from "../../simulator/emulators/acc/encode.ts"
import { noLap } from "../../simulator/emulators/acc/lapFields.ts"
import { capturesHere, casesHere, sharedFolder } from "../support/sharedData.ts"
import { needing } from "../support/needing.ts"
import { captureOfLines, eventually, listener, play } from "./capturing.ts"

const HOST = "127.0.0.1"

const gameIn = (file: string) =>
  Effect.map(firstCaptured(file), (first) => {
    const kind = kindOf(first)
    return [basename(file), kind?.simulator, kind !== undefined && kind.port > 0]
  })

it.effect(
  "finds every case's game and its port by the first datagram",
  () =>
    Effect.gen(function* () {
      const folder = sharedFolder("data/cases/laps")
      const expected: Readonly<Record<string, { readonly simulator: string }>> = JSON.parse(
        readFileSync(join(folder, "expected.json"), "utf8")
      )
      const names = Object.keys(expected)
      const found = yield* Effect.forEach(names, (name) => gameIn(join(folder, `${name}.ndjson.gz`)))
      expect(found).toEqual(names.map((name) => [`${name}.ndjson.gz`, expected[name]!.simulator, true]))
    }),
  needing(casesHere)
)

it.effect(
  "finds every capture's game and its port by the first datagram",
  () =>
    Effect.gen(function* () {
      const folder = sharedFolder("data/captures")
      const files = readdirSync(folder).filter((name) => name.endsWith(".gz"))
      const found = yield* Effect.forEach(files, (name) => gameIn(join(folder, name)))
      const simulators = ["assetto-corsa", "dirt-rally", "f1", "gt7", "project-cars"]
      expect(files.length).toBeGreaterThan(0)
      for (const [name, simulator, hasPort] of found) {
        const begin = simulators.find((one) => String(name).startsWith(one))
        expect([name, String(simulator).startsWith(begin!), hasPort]).toEqual([name, true, true])
      }
    }),
  needing(capturesHere)
)

describe("a game that was closed and started again", () => {
  const cars = [1, 2, 3, 4].map((n) => {
    const bytes = Buffer.alloc(328, n)
    bytes.write("a", "latin1")
    return bytes
  })
  const times = [0, 0.1, 8.1, 8.2]
  const lines = cars.map((bytes, n) => ({ t: times[n]!, hex: bytes.toString("hex") }))

  // The clock stands still. Played ten times as fast as recorded, the game is closed for 0.8 s.
  it.scoped(
    "answers nobody while it is closed, and plays on for a client that asks again, also from another port",
    () =>
      Effect.gen(function* () {
        const port = yield* play(captureOfLines("restarted", lines), 0)
        const first = yield* listener()
        const other = yield* listener(0, "127.0.0.2")
        const sendRequest = ({ socket }: typeof first, request: Parameters<typeof encodeRequest>[0]) =>
          socket.send(encodeRequest(request), port, HOST)
        /** Waits until the game has received all earlier messages. */
        const settled = Effect.suspend(() => {
          const before = other.received.length
          sendRequest(other, "handshake")
          return eventually(() => other.received.length > before)
        })
        sendRequest(first, "subscribeUpdates")
        yield* eventually(() => first.received.length === 1)
        yield* TestClock.adjust("10 millis")
        yield* eventually(() => first.received.length === 2)
        for (const request of ["dismiss", "handshake", "subscribeUpdates"] as const)
          sendRequest(first, request)
        yield* settled
        yield* TestClock.adjust("799 millis")
        sendRequest(first, "handshake")
        yield* settled
        expect(first.received).toEqual(cars.slice(0, 2))

        yield* TestClock.adjust("10 seconds")
        const again = yield* listener()
        // After its restart it does not know the client that leaves, and does not begin from its start.
        sendRequest(first, "dismiss")
        sendRequest(again, "handshake")
        yield* eventually(() => again.received.length === 1)
        expect(answer.values(again.received[0]!)).toMatchObject({ carName: "restarted", driverName: "Ana" })
        sendRequest(again, "subscribeUpdates")
        yield* eventually(() => again.received.length === 2)
        yield* TestClock.adjust("10 millis")
        yield* eventually(() => again.received.length === 3)
        expect(again.received.slice(1)).toEqual(cars.slice(2))
        expect(first.received).toHaveLength(2)
      })
  )
})

// The clock stands still, so the capture does not end before all requests are made.
it.scoped(
  "Assetto Corsa Competizione plays to a client that registers, and names the car that it follows",
  () =>
    Effect.gen(function* () {
      const update = encodeUpdate({
        eventIndex: 0,
        sessionIndex: 0,
        sessionType: 10,
        phase: 5,
        sessionTime: 1000,
        sessionEndTime: 9000,
        focusedCarIndex: 7,
        timeOfDay: 0,
        ambientTemp: 20,
        trackTemp: 30,
        clouds: 0,
        rainLevel: 0,
        wetness: 0,
        bestSessionLap: noLap(7)
      })
      const hex = update.toString("hex")
      const lines = [0, 1].map((t) => ({ t, hex }))
      const port = yield* play(captureOfLines("ring", lines), 0)
      const { received, socket } = yield* listener()
      const sendRequest = (bytes: Buffer) => socket.send(bytes, port, HOST)
      const ask = (type: keyof typeof Acc.requestTypes) =>
        sendRequest(Acc.request.encode({ type: Acc.requestTypes[type], connectionId: 1 }))
      sendRequest(
        Acc.registration.encode({
          type: Acc.requestTypes.register,
          version: Acc.PROTOCOL_VERSION,
          displayName: "a test",
          connectionPassword: "any",
          updateIntervalMs: 50,
          commandPassword: ""
        })
      )
      yield* eventually(() => received.length >= 2)
      expect(Acc.registrationResult.read(received[0]!)).toMatchObject({ success: true })
      ask("entryList")
      ask("trackData")
      yield* eventually(() => received.length === 5)
      const byType = new Map(received.map((bytes) => [bytes[0], bytes]))
      expect(byType.get(Acc.types.realtimeUpdate)).toEqual(update)
      expect(Acc.entryList.read(byType.get(Acc.types.entryList)!)).toMatchObject({ cars: [7] })
      expect(Acc.entryListCar.read(byType.get(Acc.types.entryListCar)!)).toMatchObject({
        carIndex: 7,
        drivers: [{ firstName: "Ana" }]
      })
      expect(Acc.trackData.read(byType.get(Acc.types.trackData)!)).toMatchObject({ trackName: "ring" })
    })
)

const tiny = (SubT: number, ReqI = 0) => fromGame.TINY.encode({ ReqI, SubT })
const hex = (bytes: Buffer) => bytes.toString("hex")
const numbered = (bytes: Buffer, request: number) => {
  const copy = Buffer.from(bytes)
  copy[2] = request
  return copy
}

/** A connection, and the packets that came over it. */
const inSim = (port: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const stream = connect(port, HOST)
      const packets: Array<Buffer> = []
      const parts = new PacketStream()
      const at = { isClosed: false }
      stream.on("data", (chunk) => packets.push(...parts.push(chunk)!))
      stream.on("error", () => undefined)
      stream.on("close", () => (at.isClosed = true))
      return { stream, packets, at }
    }),
    ({ stream }) => Effect.sync(() => stream.destroy())
  )

it.scopedLive("Live for Speed answers over TCP, and plays over TCP and UDP, once", () =>
  Effect.gen(function* () {
    const version = fromGame.VER.encode({ Version: "0.7", Product: "S3", InSimVer: 9 })
    const state = fromGame.STA.encode({ Track: "BL1" })
    const outSim = Buffer.alloc(68, 5)
    const file = captureOfLines("blackwood", [
      { t: 0, answers: "ISI", via: "tcp", hex: hex(version) },
      { t: 0, answers: Tiny.state, via: "tcp", hex: hex(state) },
      { t: 0.01, via: "udp", hex: hex(outSim) },
      { t: 0.02, via: "tcp", hex: hex(tiny(Tiny.clear)) }
    ])
    const port = yield* play(file, 0)
    const udp = yield* listener()
    const { at, packets, stream } = yield* inSim(port)
    stream.write(toGame.ISI.encode({ ReqI: 3, UDPPort: udp.socket.address().port, InSimVer: 9 }))
    stream.write(tiny(Tiny.state, 4))
    yield* eventually(() => at.isClosed)
    expect(packets).toEqual([numbered(version, 3), numbered(state, 4), tiny(Tiny.clear)])
    yield* eventually(() => udp.received.length === 1)
    expect(udp.received).toEqual([outSim])
    // The game has ended.
    const again = yield* inSim(port)
    yield* eventually(() => again.at.isClosed)
    expect(again.packets).toEqual([])
  })
)
