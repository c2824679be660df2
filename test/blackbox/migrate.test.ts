/** `telemetry migrate`, as users run it. */
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { postgresHere, sharedPostgres } from "../support/servers/postgres.ts"
import { questdbHere, sharedQuestdb } from "../support/servers/questdb.ts"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { openSqlite } from "../support/sqliteFile.ts"

const run = (...words: ReadonlyArray<string>) => Box.run("main.js", ["migrate", ...words])
const migrate = (from: string, to: string) => run("--from", from, "--to", to)

describe("telemetry migrate", () => {
  it.scopedLive("shows its usage", () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      expect(yield* run()).toMatchObject({ code: 2, output: "" })
      const same = yield* migrate(folder, `data=${folder}`)
      expect(same).toMatchObject({ code: 2, errors: "--from and --to are the same place\n" })
      const wrong = yield* migrate(folder, "points=mysql://h")
      expect(wrong.code).toBe(2)
      expect(wrong.errors).toMatch(/^--to must be .*points sqlite, or of the form questdb:/)
      const help = yield* run("--help")
      expect(help).toMatchObject({ code: 0, errors: "" })
      expect(help.output).toContain("--from PLACE")
    })
  )

  it.scopedLive("ends with a sentence if there is nothing to copy, and creates nothing", () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const [from, to] = [join(folder, "from"), join(folder, "to")]
      expect(yield* migrate(from, to)).toEqual({
        code: 2,
        output: "",
        errors: `--from: there is no ${join(from, "telemetry.sqlite")}\n`
      })
      mkdirSync(from)
      const other = openSqlite(join(from, "telemetry.sqlite"))
      other.exec("CREATE TABLE albums (id INTEGER)")
      other.close()
      expect(yield* migrate(from, to)).toEqual({
        code: 1,
        output: "",
        errors: `Cannot use the sqlite store: ${join(from, "telemetry.sqlite")} is not this program's: its tables are albums\n`
      })
      expect(readdirSync(folder)).toEqual(["from"])
      expect(readdirSync(from)).toEqual(["telemetry.sqlite"])
    })
  )

  it.scopedLive("ends with a sentence if a server is away", () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      yield* Effect.scoped(Box.startService(folder))
      const { code, errors } = yield* migrate(folder, "catalog=postgres://nobody@127.0.0.1:1/none")
      expect(code).toBe(1)
      expect(errors).toContain(
        "The postgres store does not answer: PostgreSQL at 127.0.0.1:1/none: connect ECONN"
      )
      expect(errors.trim().split("\n")).toHaveLength(1)
    })
  )
})

describe("telemetry migrate with servers", needing(recordingsHere, questdbHere, postgresHere), () => {
  it.scopedLive("moves a recording to QuestDB and PostgreSQL, where the service finds all of it", () =>
    Effect.gen(function* () {
      const embedded = yield* Box.folder
      const name = "ac-lime-rock"
      const { points } = Box.readRecording(name)
      const simulator = yield* Box.startSimulator("--replay", Box.recordingFile(name), "--speed", "max")
      const paths = [
        "/sessions/1",
        "/1/laps",
        "/telemetry/range?session_id=1",
        "/export/session/1?format=csv",
        "/config"
      ]
      const answers = (service: Box.Running) =>
        Effect.forEach(paths, (path) =>
          Effect.promise(async () => await (await fetch(`${service.address}/api/v1${path}`)).text())
        )
      const recorded = yield* Effect.gen(function* () {
        const service = yield* Box.startService(embedded)
        const configuration = { ...(yield* Box.get<object>(service, "/config")), telemetry_rate: 777 }
        yield* Box.ask(service, "PUT", "/config", configuration)
        yield* Box.replayed(service, simulator, points.length)
        const found = yield* answers(service)
        yield* service.signal("SIGTERM")
        return found
      }).pipe(Effect.scoped)

      const questdb = yield* sharedQuestdb
      const postgres = yield* sharedPostgres
      const servers = ["--points", questdb.url, "--catalog", postgres.url]
      const place = `points=${questdb.url},catalog=${postgres.url}`
      const first = yield* migrate(embedded, place)
      const summary = `The configuration is the same on both sides\n1 of 1 sessions are the same on both sides; ${points.length} points`
      expect(first).toMatchObject({ code: 0, output: `${summary}, ${points.length} of them copied now\n` })
      expect(first.errors).toContain("100 %")
      expect(yield* migrate(embedded, place)).toMatchObject({
        code: 0,
        output: `${summary}, 0 of them copied now\n`
      })

      const service = yield* Box.startService(yield* Box.folder, ...servers)
      expect(yield* answers(service)).toEqual(recorded)
      const tabulated = yield* Effect.promise(() =>
        questdb.sql(`SELECT count() FROM ${questdb.address.prefix}laps`)
      )
      expect(tabulated[0]![0]).toBeGreaterThan(0)
    })
  )
})
