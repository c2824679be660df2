/** The servers of points and catalog killed in the middle of a full-speed replay, and back after a while. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { havePostgres, postgresServer } from "../servers/postgres.ts"
import { haveQuestdb, questdbServer } from "../servers/questdb.ts"
import * as Box from "./processes.ts"

interface Range {
  readonly points: ReadonlyArray<Box.Point>
}

const NAME = "f1-bahrain-2026-ant"
/** How long a server is away, s of real time. */
const AWAY = "20 seconds"

const expectWhole = Effect.fn(function* (service: Box.Running, sessionId: number) {
  const recording = Box.readRecording(NAME)
  const { points } = yield* Box.get<Range>(service, `/telemetry/range?session_id=${sessionId}`)
  expect(points.length).toBe(recording.points.length)
  expect(points).toEqual(
    recording.points.map((point) => ({ ...point, timestamp: recording.zero + point["timestamp"]! }))
  )
  const laps = yield* Box.get<ReadonlyArray<unknown>>(service, `/${sessionId}/laps`)
  expect(laps).toHaveLength(47)
})

/** Whenever a read answers at all it has everything that was stored before it was asked. */
const readsComplete = (service: Box.Running, answers: { whole: number; unavailable: number }) =>
  Effect.gen(function* () {
    const before = (yield* Box.connectionOf(service))?.points_stored ?? 0
    const range = yield* Box.ask<Range>(service, "GET", "/telemetry/range?session_id=1")
    if (range.status === 503) answers.unavailable++
    else {
      expect(range.status).toBe(200)
      expect(range.body.points.length).toBeGreaterThanOrEqual(before)
      answers.whole++
    }
    yield* Effect.sleep("100 millis")
  }).pipe(Effect.forever)

const replaying = (...more: ReadonlyArray<string>) =>
  Box.startSimulator("--replay", Box.recordingFile(NAME), "--speed", ...more)

const stored = (service: Box.Running, points: number) =>
  Box.until(Box.connectionOf(service), (connection) => (connection?.points_stored ?? 0) >= points)

describe.skipIf(!Box.haveRecordings || !haveQuestdb)("while QuestDB is away", () => {
  it.scopedLive(
    "every point is taken, and is there once, in order, when it is back; reads are whole or say 503",
    () =>
      Effect.gen(function* () {
        const { points } = Box.readRecording(NAME)
        const questdb = yield* questdbServer
        const service = yield* Box.startService(yield* Box.folder, "--points", questdb.url)
        // 7,000 s of driving in some 35: it is killed in the middle, and is back before the end.
        yield* Box.connect(service, yield* replaying("200"))
        yield* stored(service, 2000)
        const answers = { whole: 0, unavailable: 0 }
        const reading = yield* Effect.fork(readsComplete(service, answers))
        yield* questdb.kill
        yield* Effect.sleep(AWAY)
        expect((yield* Box.connectionOf(service))!.points_stored).toBeGreaterThan(2000)
        yield* questdb.start
        yield* stored(service, points.length)
        yield* Box.until(
          Box.ask<Range>(service, "GET", "/telemetry/range?session_id=1"),
          ({ status }) => status === 200
        )
        // It ends only by an answer that was not whole.
        expect(yield* Fiber.poll(reading)).toEqual(Option.none())
        expect(answers.unavailable).toBeGreaterThan(0)
        expect(answers.whole).toBeGreaterThan(0)
        yield* Box.ask(service, "POST", "/disconnect")
        yield* expectWhole(service, 1)
        const counts = (yield* Box.ask<{ readonly connections: unknown }>(service, "GET", "/status")).body
        expect(counts.connections).toEqual([])
        // And on the server itself, each once.
        yield* Box.until(
          Effect.promise(() => questdb.sql(`SELECT count() FROM ${questdb.address.prefix}points`)),
          (rows) => rows[0]![0] === points.length
        )
      }),
    120_000
  )

  it.scopedLive(
    "a service that is killed then, and started again, loses nothing that it had acknowledged",
    () =>
      Effect.gen(function* () {
        const recording = Box.readRecording(NAME)
        const questdb = yield* questdbServer
        const folder = yield* Box.folder
        const first = yield* Box.startService(folder, "--points", questdb.url)
        const simulator = yield* replaying("max")
        yield* Box.connect(first, simulator)
        yield* stored(first, 1)
        yield* questdb.kill
        const counts = yield* Box.until(
          Box.connectionOf(first),
          (connection) => (connection?.points_stored ?? 0) > 20_000
        )
        yield* first.signal("SIGKILL")
        yield* questdb.start
        const second = yield* Box.startService(folder, "--points", questdb.url)
        const { points } = yield* Box.get<Range>(second, "/telemetry/range?session_id=1")
        expect(points.length).toBeGreaterThanOrEqual(counts!.points_stored)
        expect(points).toEqual(
          recording.points
            .slice(0, points.length)
            .map((point) => ({ ...point, timestamp: recording.zero + point["timestamp"]! }))
        )
        yield* Box.replayed(second, simulator, recording.points.length)
        yield* expectWhole(second, 2)
      }),
    120_000
  )
})

describe.skipIf(!Box.haveRecordings || !havePostgres)("while PostgreSQL is away", () => {
  it.scopedLive(
    "what is recorded waits, and every lap and point is there when it is back",
    () =>
      Effect.gen(function* () {
        const { points } = Box.readRecording(NAME)
        const postgres = yield* postgresServer
        const service = yield* Box.startService(yield* Box.folder, "--catalog", postgres.url)
        yield* Box.connect(service, yield* replaying("200"))
        yield* stored(service, 2000)
        yield* postgres.kill
        yield* Box.until(Box.ask(service, "GET", "/sessions"), ({ status }) => status === 503)
        yield* Effect.sleep(AWAY)
        yield* postgres.start
        yield* stored(service, points.length)
        yield* Box.ask(service, "POST", "/disconnect")
        yield* expectWhole(service, 1)
      }),
    120_000
  )
})
