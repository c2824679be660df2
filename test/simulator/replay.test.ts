// The rule does not know @effect/vitest's it.effect and it.scopedLive for tests.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { gunzipSync, gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { afterAll } from "vitest"
import { channels } from "../../src/domain/pointChannels.ts"
import { serveFeed } from "../../simulator/feed/FeedServer.ts"
import { replayFeed } from "../../simulator/feed/replayFeed.ts"
import { recordingFile } from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { recordings, recordingsHere } from "../support/sharedData.ts"
import { connect, listener, type Log, type Message, type Point } from "./feedReader.ts"

const folder = mkdtempSync(join(tmpdir(), "replay-"))
afterAll(() => rmSync(folder, { recursive: true }))

const session = { type: "session", circuit: "C", vehicle: "V", driver: "D" }
const points = (...timestamps: ReadonlyArray<number>) => ({
  type: "points",
  points: timestamps.map((timestamp) => ({ timestamp, speed: timestamp * 2 }))
})

const recording = (name: string, lines: ReadonlyArray<unknown>): string => {
  const file = join(folder, name)
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")
  writeFileSync(file, name.endsWith(".gz") ? gzipSync(text) : text)
  return file
}

const MAX = Number.POSITIVE_INFINITY
const ended = (log: Log) => log.messages.at(-1)?.type === "session_end"

/** Plays a file over a socket to its end. */
const played = (file: string, packed: boolean) =>
  Effect.gen(function* () {
    const feed = yield* replayFeed({ file, speed: MAX, packed, pointsOnly: false })
    const port = yield* serveFeed({ host: "127.0.0.1", port: 0, simulator: "test", feed })
    const reader = yield* connect(port)
    return yield* reader.until(ended)
  })

/** The points' channels, bit for bit. */
const bits = (from: ReadonlyArray<Point>) =>
  Buffer.from(Float64Array.from(from.flatMap((point) => channels.map((name) => point[name] ?? 0))).buffer)

/** The messages other than session and points. */
const other = (messages: ReadonlyArray<Message>) =>
  messages.filter(({ type }) => type === "lap" || type === "session_end")

/** The reason why a file is refused. */
const reason = (file: string) =>
  replayFeed({ file, speed: 1, packed: false, pointsOnly: false }).pipe(
    Effect.flip,
    Effect.map((error) => error.reason)
  )

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

/** Bytes in use, after garbage has been collected. */
const heap = () => {
  collectGarbage()
  const { external, heapUsed } = process.memoryUsage()
  return external + heapUsed
}

const linesOf = (file: string) =>
  gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Message)

const reported = (lines: ReadonlyArray<Message>) =>
  lines.flatMap((line) => (line.type === "points" ? (line["points"] as ReadonlyArray<Point>) : []))

describe("a real recording", needing(recordingsHere), () => {
  describe.each(recordings)("%s", (name) => {
    const file = recordingFile(name)

    it.scopedLive("arrives verbatim as JSON", () =>
      Effect.gen(function* () {
        const log = yield* played(file, false)
        expect(log.messages.slice(1)).toEqual(linesOf(file))
      })
    )

    it.scopedLive("arrives bit for bit packed", () =>
      Effect.gen(function* () {
        const lines = linesOf(file)
        const log = yield* played(file, true)
        expect(log.points).toHaveLength(reported(lines).length)
        expect(bits(log.points).equals(bits(reported(lines)))).toBe(true)
        expect(other(log.messages)).toEqual(other(lines))
        expect(log.of("session")[0]).toEqual({ ...lines[0], columns: [...channels] })
        expect(log.of("points").map((message) => message["sequence"])).toEqual(
          lines.filter(({ type }) => type === "points").map((message) => message["sequence"])
        )
      })
    )
  })
})

it.effect("a replay sends a message when its first point is due, at a multiple of real time", () =>
  Effect.gen(function* () {
    const lap = { type: "lap", lap_number: 1, lap_time: null, end_time: 14 }
    const lines = [
      session,
      points(10, 11),
      points(12, 13),
      lap,
      points(14),
      points(30),
      { type: "session_end" }
    ]
    const client = listener()
    const feed = yield* replayFeed({
      file: recording("paced.ndjson", lines),
      speed: 2,
      packed: false,
      pointsOnly: false
    })
    yield* Effect.fork(feed.serve(client))
    const seen: Array<number> = []
    // The file is read by the real clock, so each step waits for it first.
    const settled = (count: number) =>
      Effect.promise(() => new Promise((resolve) => setImmediate(resolve))).pipe(
        Effect.repeat({ until: () => client.log.messages.length >= count })
      )
    for (const count of [2, 3, 5, 7]) {
      yield* settled(count)
      seen.push(client.log.messages.length)
      yield* TestClock.adjust(count === 5 ? "8 seconds" : "1 seconds")
    }
    expect(seen).toEqual([2, 3, 5, 7])
    expect(client.log.messages).toEqual(lines)
  })
)

const numbered = (time: number) => ({ timestamp: time, speed: 9, lap_number: 1, lap_distance: 5.5 })

it.effect(
  "a replay adds the end that a recording lacks, numbers packed points, and sends their columns",
  () =>
    Effect.gen(function* () {
      const more = { type: "points", points: [numbered(2)] }
      const unknown = { type: "weather", rain: 0 }
      // The points of the second message have no lap; one point of the third has no speed, and one has an invalid speed.
      const mixed = [
        [numbered(5), { ...numbered(6), speed: undefined }],
        [{ ...numbered(7), speed: null }],
        [numbered(8)]
      ].map((points) => ({ type: "points", points }))
      const lines = ["", session, more, unknown, points(3, 4), points(), ...mixed]
      const file = recording("short.ndjson.gz", lines)
      const client = listener()
      const feed = yield* replayFeed({ file, speed: MAX, packed: true, pointsOnly: false })
      const fiber = yield* Effect.fork(feed.serve(client))
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve))).pipe(
        Effect.repeat({ until: () => ended(client.log) })
      )
      expect(client.log.messages.map(({ type }) => type)).toEqual([
        "session",
        "points",
        "weather",
        "points",
        "points",
        "points",
        "points",
        "session_end"
      ])
      const columns = ["timestamp", "speed", "lap_number", "lap_distance"]
      expect(client.log.of("session")[0]!["columns"]).toEqual(columns)
      expect(client.log.of("points").map((message) => message["sequence"])).toEqual([0, 1, 3, 5, 6])
      expect(client.log.points).toStrictEqual([
        numbered(2),
        { timestamp: 3, speed: 6 },
        { timestamp: 4, speed: 8 },
        numbered(5),
        { timestamp: 6, lap_number: 1, lap_distance: 5.5 },
        { ...numbered(7), speed: null },
        numbered(8)
      ])
      yield* Fiber.interrupt(fiber)
    })
)

const grouped = (group: string, sequence: number | undefined, ...samples: ReadonlyArray<object>) => ({
  type: "points",
  group,
  sequence,
  points: samples
})

const withGroups = [
  {
    ...session,
    groups: [
      { name: "tyres", channels: [{ name: "tyre_wear_fl" }] },
      { name: "x_own", channels: [{ name: "x_a", unit: "m" }, { name: "x_b" }] }
    ]
  },
  grouped("x_own", 0, { timestamp: 1, x_a: 0.5 }),
  points(1, 2),
  grouped("tyres", 7, { timestamp: 1, tyre_wear_fl: 0 }, { timestamp: 1.5, tyre_wear_fl: 0.25 }),
  { type: "channels", groups: [{ name: "x_own", channels: [{ name: "x_c" }] }] },
  grouped("x_own", 1, { timestamp: 2, x_a: 1, x_b: 2, x_c: 3 }),
  grouped("x_own", 2, { timestamp: 3, x_a: null }),
  grouped("x_own", undefined, { timestamp: 4, x_b: 4 }),
  grouped("x_none", 0, { timestamp: 4, x_b: 4 }),
  points(3),
  { type: "session_end" }
]

/** The messages that a client without a socket receives from a recording, without pauses. */
const playedTo = (client: ReturnType<typeof listener>, file: string, packed: boolean, pointsOnly = false) =>
  Effect.gen(function* () {
    const feed = yield* replayFeed({ file, speed: MAX, packed, pointsOnly })
    const fiber = yield* Effect.fork(feed.serve(client))
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve))).pipe(
      Effect.repeat({ until: () => ended(client.log) })
    )
    yield* Fiber.interrupt(fiber)
    return client.log
  })

it.effect("a replay sends groups unchanged, packed if possible, to a client that reads them", () =>
  Effect.gen(function* () {
    const file = recording("groups.ndjson", withGroups)
    const asText = yield* playedTo(listener(60, true), file, false)
    expect(asText.messages).toEqual(withGroups)
    const client = listener(60, true)
    const binary: Array<boolean> = []
    const counting = {
      ...client,
      offer: (message: string | Uint8Array) => {
        binary.push(typeof message !== "string")
        return client.offer(message)
      }
    }
    const asBytes = yield* playedTo(counting, file, true)
    const [first, ...others] = asBytes.messages
    expect(first).toEqual({ ...withGroups[0], columns: ["timestamp", "speed"] })
    // The session waits for its columns, and the messages before them stay in their place.
    expect(others).toEqual(
      withGroups
        .slice(1)
        .map((message, n) =>
          n === 1 ? { ...message, sequence: 0 } : n === 8 ? { ...message, sequence: 2 } : message
        )
    )
    expect(binary).toEqual([false, true, true, true, false, true, false, false, false, true, false])
  })
)

it.effect("a replay keeps groups from a client that does not read them, or gets points only", () =>
  Effect.gen(function* () {
    const file = recording("kept.ndjson", withGroups)
    const plain = [session, points(1, 2), points(3), { type: "session_end" }]
    expect((yield* playedTo(listener(60), file, false)).messages).toEqual(plain)
    expect((yield* playedTo(listener(60, true), file, false, true)).messages).toEqual(plain)
    const packed = yield* playedTo(listener(60), file, true)
    expect(packed.of("session")).toEqual([{ ...session, columns: ["timestamp", "speed"] }])
    expect(packed.points).toEqual([...points(1, 2).points, ...points(3).points])
    expect(packed.messages).toHaveLength(4)
  })
)

it.effect(
  "a replay packs no samples if a declared group or channel has no name: the service may count differently",
  () =>
    Effect.gen(function* () {
      const declared = { ...session, groups: [5, { name: "x_own", channels: [{ name: "x_a" }] }] }
      const lines = [
        declared,
        points(1),
        grouped("x_own", 0, { timestamp: 1, x_a: 2 }),
        { type: "session_end" }
      ]
      const client = listener(60, true)
      const sizes: Array<string> = []
      const recorded = {
        ...client,
        offer: (message: string | Uint8Array) => {
          sizes.push(typeof message)
          return true
        }
      }
      const feed = yield* replayFeed({
        file: recording("nameless.ndjson", lines),
        speed: MAX,
        packed: true,
        pointsOnly: false
      })
      yield* Effect.fork(feed.serve(recorded))
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve))).pipe(
        Effect.repeat({ until: () => sizes.length >= 4 })
      )
      expect(sizes).toEqual(["string", "object", "string", "string"])
    })
)

it.effect("a replay refuses at the start a file that is not a recording", () =>
  Effect.gen(function* () {
    expect(yield* reason(join(folder, "none.ndjson"))).toContain("no such file")
    expect(yield* reason(recording("empty.ndjson", []))).toContain("it is empty")
    expect(yield* reason(recording("text.ndjson", ["hello"]))).toContain("it is not JSON")
    expect(yield* reason(recording("points.ndjson", [points(1)]))).toContain("must be a session message")
    const damaged = join(folder, "damaged.ndjson.gz")
    writeFileSync(damaged, Buffer.from("1f8b08ffff", "hex"))
    expect(yield* reason(damaged)).toContain("Its packed text is damaged after 0 bytes of text")
  })
)

it.scopedLive.each([
  ["a line that is not JSON", [session, points(1), "{", points(2)], false],
  ["points that are none", [session, points(1), { type: "points", points: 5 }], false],
  ["a value that is no number", [session, points(1), { type: "points", points: [{ timestamp: "2" }] }], true]
] as const)("closes with 1011 at %s", ([, lines, packed]) =>
  Effect.gen(function* () {
    const file = recording("broken.ndjson", lines)
    const feed = yield* replayFeed({ file, speed: MAX, packed, pointsOnly: false })
    const port = yield* serveFeed({ host: "127.0.0.1", port: 0, simulator: "test", feed })
    const reader = yield* connect(port)
    expect(yield* reader.closed).toBe(1011)
    expect(reader.log.points.map((point) => point["timestamp"])).toEqual([1])
  })
)

it.scopedLive("a replay plays to each client from its start", () =>
  Effect.gen(function* () {
    const file = recording("each.ndjson", [session, points(1), points(2), { type: "session_end" }])
    const feed = yield* replayFeed({ file, speed: MAX, packed: false, pointsOnly: false })
    const port = yield* serveFeed({ host: "127.0.0.1", port: 0, simulator: "test", feed })
    const one = yield* connect(port)
    yield* one.until(ended)
    const two = yield* connect(port)
    yield* two.until(ended)
    expect(two.log.messages).toEqual(one.log.messages)
  })
)

it.scopedLive("a replay reads no further than the client does", () =>
  Effect.gen(function* () {
    const LINES = 40_000
    const many = Array.from({ length: 20 }, (_, i) => ({
      timestamp: i,
      speed: 0.1234567 * i,
      rpm: i,
      gear: 3
    }))
    const line = JSON.stringify({ type: "points", points: many })
    const file = recording("large.ndjson.gz", [JSON.stringify(session), ...Array<string>(LINES).fill(line)])
    const feed = yield* replayFeed({ file, speed: MAX, packed: false, pointsOnly: false })
    const port = yield* serveFeed({ host: "127.0.0.1", port: 0, simulator: "test", feed })
    const reader = yield* connect(port)
    yield* reader.until((log) => log.of("points").length > 0)
    reader.socket.pause()
    const before = heap()
    // Enough time to read all of it if the reader did not matter: the whole takes about half a second.
    yield* Effect.sleep("1500 millis")
    expect(heap() - before).toBeLessThan((LINES * line.length) / 2)
    reader.socket.resume()
    const log = yield* reader.until(ended)
    expect(log.of("points")).toHaveLength(LINES)
  })
)
