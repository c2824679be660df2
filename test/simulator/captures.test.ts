/** Captures played as their games would: a file of datagrams in, the same datagrams out at a socket. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, FastCheck as fc, TestClock } from "effect"
import { readCaptured } from "../../simulator/captures/Captured.ts"
import { Decryption } from "../../src/simulators/drivers/gt7/cipher.ts"
import { answer } from "../../src/simulators/drivers/assetto-corsa/layout.ts"
import { encodeRequest } from "../../src/simulators/drivers/assetto-corsa/requests.ts"
import { captureOf, eventually, file, listener, play, portOf } from "./capturing.ts"
import { start } from "./simulatorProcess.ts"

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/** Codemasters' packets, each of another length. */
const rally = Array.from({ length: 5 }, (_, n) => Buffer.alloc(264, n + 1))

describe("a line of a capture", () => {
  it("is a time and the bytes of a datagram", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        fc.uint8Array({ minLength: 1 }),
        (t, bytes) => {
          const read = readCaptured(JSON.stringify({ t, hex: Buffer.from(bytes).toString("hex") }))
          expect(Either.getOrThrow(read)).toEqual({ time: t, bytes: Buffer.from(bytes) })
        }
      )
    )
  })

  it.each([
    ["{", "it is not JSON"],
    ["3", "t is not a time in seconds"],
    ['{"hex":"00"}', "t is not a time in seconds"],
    ['{"t":-1,"hex":"00"}', "t is not a time in seconds"],
    ['{"t":0}', "hex is not the bytes of a datagram"],
    ['{"t":0,"hex":"0"}', "hex is not the bytes of a datagram"],
    ['{"t":0,"hex":"zz"}', "hex is not the bytes of a datagram"],
    ['{"t":0,"hex":"00","via":"post"}', "via is neither tcp nor udp"],
    ['{"t":0,"hex":"00","answers":"no"}', "answers is neither ISI nor the number of a request"]
  ])("is reported if it is not valid: %s", (line, reason) => {
    expect(Either.getLeft(readCaptured(line))).toMatchObject({ value: reason })
  })
})

describe("a capture of a game that sends unasked", () => {
  it.scopedLive("is played once, from its start, when somebody listens", () =>
    Effect.gen(function* () {
      const port = yield* play(captureOf("rally", rally), 0)
      const { received } = yield* listener(port)
      yield* eventually(() => received.length >= rally.length + 1)
      // The first datagram also came as the one that was tried.
      expect(received.map((bytes) => bytes[0])).toEqual([1, 1, 2, 3, 4, 5])
    })
  )

  it.scopedLive("is not played to nobody if the machine is held up between two tries", () =>
    Effect.gen(function* () {
      const port = yield* play(captureOf("held-up", rally), 0)
      // The first try is sent, and before its answer is read the time of the next has come.
      yield* Effect.repeatN(Effect.yieldNow(), 10)
      const goOn = performance.now() + 400
      while (performance.now() < goOn);
      yield* Effect.sleep("1 millis")
      const { received } = yield* listener(port)
      yield* eventually(() => received.length >= rally.length + 1)
      expect(received.map((bytes) => bytes[0])).toEqual([1, 1, 2, 3, 4, 5])
    })
  )
})

describe("a capture of Assetto Corsa", () => {
  const cars = Array.from({ length: 5 }, (_, n) => {
    const bytes = Buffer.alloc(328, n)
    bytes.write("a", "latin1")
    return bytes
  })

  it.scopedLive("is played once to each address that shakes hands and subscribes", () =>
    Effect.gen(function* () {
      const port = yield* play(captureOf("a-lap", cars), 0)
      const { received, socket } = yield* listener()
      const sendRequest = (request: Parameters<typeof encodeRequest>[0]) =>
        socket.send(encodeRequest(request), port, "127.0.0.1")
      sendRequest("handshake")
      yield* eventually(() => received.length === 1)
      expect(answer.values(received[0]!)).toMatchObject({ carName: "a-lap", driverName: "Ana" })
      sendRequest("subscribeSpots")
      sendRequest("subscribeUpdates")
      yield* eventually(() => received.length === 1 + cars.length)
      expect(received.slice(1)).toEqual(cars)
      // The game has ended: it answers nothing to the same client, and still answers another one.
      sendRequest("handshake")
      const other = yield* listener(0, "127.0.0.2")
      other.socket.send(encodeRequest("handshake"), port, "127.0.0.1")
      yield* eventually(() => other.received.length === 1)
      expect(received).toHaveLength(1 + cars.length)
    })
  )

  // The clock stands still, so the capture does not end before the client leaves.
  it.scoped("stops for a client that leaves, and begins again when it comes back", () =>
    Effect.gen(function* () {
      // No more than a socket's buffer has room for: a machine that is held up sends all of them at once.
      const many = Array.from({ length: 100 }, (_, n) => {
        const bytes = Buffer.from(cars[0]!)
        bytes.writeUInt16LE(n, 100)
        return bytes
      })
      const port = yield* play(captureOf("long", many), 0)
      const { received, socket } = yield* listener()
      const carNumbers = () =>
        received.filter(({ length }) => length === cars[0]!.length).map((bytes) => bytes.readUInt16LE(100))
      const sendRequest = (request: Parameters<typeof encodeRequest>[0]) =>
        socket.send(encodeRequest(request), port, "127.0.0.1")
      sendRequest("subscribeUpdates")
      // One each millisecond, ten times as fast as recorded.
      yield* TestClock.adjust("20 millis")
      yield* eventually(() => carNumbers().length >= 21)
      sendRequest("dismiss")
      // The game answers this after it has read the message before.
      sendRequest("handshake")
      yield* eventually(() => received.length >= 22)
      yield* TestClock.adjust("10 seconds")
      sendRequest("subscribeUpdates")
      yield* eventually(() => carNumbers().length >= 22)
      yield* TestClock.adjust("10 seconds")
      yield* eventually(() => carNumbers().at(-1) === 99)
      expect(carNumbers()).toEqual([...numbers(21), ...numbers(100)])
    })
  )
})

describe("a capture of Gran Turismo 7", () => {
  it.scopedLive("is sent encrypted, in the requested format", () =>
    Effect.gen(function* () {
      const plain = Array.from({ length: 3 }, (_, n) => {
        const bytes = Buffer.alloc(368, n + 1)
        bytes.write("0S7G", "latin1")
        // These bytes replace the nonce, which means nothing in plain text.
        bytes.writeUInt32LE(0, 0x40)
        return bytes
      })
      const port = yield* play(captureOf("spa", plain), 0)
      const { received, socket } = yield* listener()
      socket.send("?", port, "127.0.0.1")
      socket.send("B", port, "127.0.0.1")
      yield* eventually(() => received.length === plain.length)
      const decryption = new Decryption()
      received.forEach((bytes, n) => {
        const read = Buffer.from(decryption.read(bytes)!)
        read.writeUInt32LE(0, 0x40)
        expect(read).toEqual(plain[n]!.subarray(0, 316))
      })
      expect(decryption.heartbeat).toBe("B")
    })
  )
})

describe("the command", () => {
  it.each([
    ["empty.ndjson", "", /Cannot replay .*empty\.ndjson: it is empty$/],
    ["wrong.ndjson", "{", /Cannot replay .*wrong\.ndjson: line 1: it is not JSON$/],
    [
      "strange.ndjson",
      '{"t":0,"hex":"00"}',
      /^The first datagram of .*strange\.ndjson is of no known game: give the port to send to with --port$/
    ]
  ])("ends with 2 and a sentence on %s", async (name, text, sentence) => {
    const { err, status } = await start("--capture", file(name, text)).ended
    expect(status).toBe(2)
    expect(err.trim()).toMatch(sentence)
  })

  it("prints where it plays and what to connect with, and stops on SIGTERM", async () => {
    const simulator = start("--capture", captureOf("a-run", rally), "--port", "0")
    const line = await simulator.ready
    expect(line).toMatch(/^feed on udp:\/\/127\.0\.0\.1:[1-9]\d+$/)
    simulator.child.kill("SIGTERM")
    const { err, status } = await simulator.ended
    expect(status).toBe(0)
    expect(err).toContain(
      `"port":${portOf(line)},"app_name":"telemetry","simulator":"dirt-rally-2","circuit":"a-run"`
    )
  })

  it("ends after the last datagram with --once", async () => {
    const received = await Effect.runPromise(
      Effect.gen(function* () {
        const { received, socket } = yield* listener()
        const { port } = socket.address()
        const flags = ["--capture", captureOf("once", rally), "--port", String(port), "--once"]
        const { err, out, status } = yield* Effect.promise(() => start(...flags).ended)
        expect({ out, status }).toEqual({ out: `feed on udp://127.0.0.1:${port}\n`, status: 0 })
        expect(err).toContain("All of once was played")
        yield* eventually(() => received.length >= rally.length + 1)
        return received
      }).pipe(Effect.scoped)
    )
    expect(received.map((bytes) => bytes[0])).toEqual([1, 1, 2, 3, 4, 5])
  })

  it("ends with 2 and a sentence on an invalid line in the middle, with --once", async () => {
    const lines = [{ t: 0, hex: rally[0]!.toString("hex") }, { t: "later" }].map((line) =>
      JSON.stringify(line)
    )
    const broken = file("broken.ndjson", lines.join("\n"))
    const { err, status } = await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(listener(), ({ socket }) =>
          Effect.promise(
            () => start("--capture", broken, "--port", String(socket.address().port), "--once").ended
          )
        )
      )
    )
    expect(status).toBe(2)
    expect(err).toMatch(/Cannot replay .*broken\.ndjson: line 2: t is not a time in seconds$/m)
  })
})
