/** A service that starts while a server that it needs is away. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { postgresHere, postgresServer, sharedPostgres } from "../support/servers/postgres.ts"
import { questdbHere, questdbServer } from "../support/servers/questdb.ts"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

interface Health {
  readonly status: string
  readonly detail?: string
}

interface Range {
  readonly points: ReadonlyArray<Box.Point>
}

const NAME = "ac-lime-rock"
const health = (service: Box.Running) => Box.ask<Health>(service, "GET", "/health")
const range = (service: Box.Running, sessionId: number) =>
  Box.ask<Range>(service, "GET", `/telemetry/range?session_id=${sessionId}`)
const status = (answer: Box.Answer<unknown>) => answer.status

describe("started while QuestDB is away", needing(recordingsHere, questdbHere), () => {
  it.scopedLive(
    "it records, logs that QuestDB is away, and catches up: tables, points, and the session that a crash left open",
    () =>
      Effect.gen(function* () {
        const { points } = Box.readRecording(NAME)
        const questdb = yield* questdbServer
        // The server has never seen the service: there are no tables.
        yield* questdb.kill
        const data = yield* Box.folder
        const crashed = yield* Box.startService(data, "--points", questdb.url)
        const driven = yield* Box.startSimulator("--rate", "1000")
        yield* Box.connect(crashed, driven)
        const broken = yield* Box.stored(crashed, 501)
        yield* crashed.signal("SIGKILL")

        const service = yield* Box.startService(data, "--points", questdb.url)
        yield* Box.untilLogged(service, "The questdb store is away: starting without it")
        expect(yield* health(service)).toMatchObject({
          status: 503,
          body: { status: "unhealthy", detail: expect.stringMatching(/^Degraded: .*New points are kept/) }
        })
        const replay = yield* Box.startSimulator("--replay", Box.recordingFile(NAME), "--speed", "max")
        const counts = yield* Box.replayed(service, replay, points.length)
        expect(counts).toMatchObject({ points_dropped: 0, points_rejected: 0 })
        const laps = yield* Box.get<ReadonlyArray<unknown>>(service, "/2/laps")
        expect(laps.length).toBeGreaterThan(10)
        // The catalog answers all the time; points are read whole or not at all.
        expect(status(yield* range(service, 2))).toBe(503)
        expect(status(yield* Box.ask(service, "DELETE", "/sessions/1"))).toBe(409)

        yield* questdb.start
        yield* Box.until(health(service), (answer) => answer.status === 200)
        const { body } = yield* Box.until(range(service, 2), (answer) => answer.status === 200)
        expect(body.points.length).toBe(points.length)
        const before = yield* Box.until(range(service, 1), (answer) => answer.status === 200)
        expect(before.body.points.length).toBeGreaterThanOrEqual(broken!.points_stored)
        yield* Box.until(
          Box.get<ReadonlyArray<{ readonly valid: boolean }>>(service, "/1/laps"),
          (ended) => ended.length > 0
        )
        // They are on the server itself as well, in the tables that the service made.
        const kept = body.points.length + before.body.points.length
        const prefix = questdb.address.prefix
        yield* Box.until(
          Effect.promise(() => questdb.sql(`SELECT count() FROM ${prefix}points`)),
          (rows) => rows[0]![0] === kept
        )
        const [[keys] = []] = yield* Effect.promise(() =>
          questdb.sql(`SELECT count() FROM table_columns('${prefix}points') WHERE upsertKey`)
        )
        expect(keys).toBe(2)
        yield* Box.until(Box.ask(service, "DELETE", "/sessions/1"), (answer) => answer.status === 200)
      })
  )
})

/** The exit status of a service that is asked to end as soon as it logs that it waits. */
const exitStatusWhenEnded = (flags: ReadonlyArray<string>) =>
  Effect.async<number | null>((resume) => {
    const child = spawn(process.execPath, [join(Box.root, "dist/program/main.js"), "--port", "0", ...flags])
    child.stderr.on("data", (data: Buffer) => {
      if (data.toString().includes("Waiting for it")) child.kill("SIGTERM")
    })
    child.once("close", (code) => resume(Effect.succeed(code)))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

describe("started while PostgreSQL is away", needing(postgresHere), () => {
  it.scopedLive("it waits, logs that, and serves when PostgreSQL is there; asked to end, it ends", () =>
    Effect.gen(function* () {
      const postgres = yield* postgresServer
      yield* postgres.kill
      const starting = yield* Box.beginService(yield* Box.folder, "--catalog", postgres.url)
      expect(yield* exitStatusWhenEnded(["--data", yield* Box.folder, "--catalog", postgres.url])).toBe(0)
      yield* Box.untilLogged(
        starting,
        /PostgreSQL at 127\.0\.0\.1:\d+\/postgres: .*Waiting for it, 1m at most/
      )
      yield* postgres.start
      const service = yield* starting.ready
      yield* Box.untilLogged(service, /PostgreSQL at 127\.0\.0\.1:\d+\/postgres answers/)
      expect(status(yield* health(service))).toBe(200)
    })
  )

  it.scopedLive("it ends at once with a sentence if waiting would not help", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const none = url.replace(/\w+$/, "nothing")
      const data = yield* Box.folder
      const { code, errors, output } = yield* Box.run("main.js", ["--data", data, "--catalog", none])
      expect({ code, output }).toEqual({ code: 1, output: "" })
      expect(errors).toMatch(
        /"A new, empty store in [^\n]*\nCannot open the postgres store: PostgreSQL at \S+: database "nothing" does not exist\n$/
      )
    })
  )
})
