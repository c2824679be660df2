/** Grafana's dashboard: each of its queries, over PGWire, against a real QuestDB with a session that the service stored. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Client } from "pg"
import { AnalystTables } from "../../../src/store/AnalystTables.ts"
import { Laps } from "../../../src/store/Laps.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import { Sessions } from "../../../src/store/Sessions.ts"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import * as QuestdbTables from "../../../src/store/questdb/AnalystTables.ts"
import * as QuestdbStore from "../../../src/store/questdb/QuestdbStore.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { samplePoints } from "../../contracts/samples.ts"
import { needing } from "../../support/needing.ts"
import { questdbHere, sharedQuestdb } from "../../support/servers/questdb.ts"
import { temporaryFolder } from "../sqlite/folder.ts"

interface Dashboard {
  readonly templating: { readonly list: ReadonlyArray<{ readonly name: string; readonly query: string }> }
  readonly panels: ReadonlyArray<{
    readonly title: string
    readonly interval?: string
    readonly targets: ReadonlyArray<{ readonly rawSql: string; readonly format: string }>
  }>
}

const dashboard = JSON.parse(
  readFileSync(new URL("../../../examples/grafana/dashboards/telemetry.json", import.meta.url), "utf8")
) as Dashboard

const START = 1.7e9
const POINTS_STORED = 3000
const LAP_S = 20.5

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

describe("the dashboard of Grafana", needing(questdbHere), () => {
  it.scopedLive("asks QuestDB for what it has", () =>
    Effect.gen(function* () {
      const questdb = yield* sharedQuestdb
      const { host, pgPort, prefix } = questdb.address
      const catalogs = yield* Layer.build(SqliteStore.catalogLayer(yield* temporaryFolder))
      const { createSession, endSession } = Context.get(catalogs, Sessions)
      const stores = yield* Layer.build(
        QuestdbStore.layer(yield* temporaryFolder, questdb.address, { writes: true })
      )
      const names = { circuit: "Spa", vehicle: "GT3", driver: "Anna" }
      const { id } = yield* createSession({ ...names, datetime: START }, { recording: true })
      yield* Context.get(stores, RowStore).write([
        { sessionId: id, group: POINTS, batch: samplePoints(START, POINTS_STORED) }
      ])
      yield* Context.get(stores, RowStore).check
      yield* Context.get(catalogs, Laps).addLaps(
        [1, 2].map((lapNumber) => ({
          sessionId: id,
          lapNumber,
          lapTime: LAP_S,
          sector1Time: null,
          sector2Time: null,
          sector3Time: null,
          valid: true,
          startTime: START + (lapNumber - 1) * LAP_S,
          endTime: START + lapNumber * LAP_S
        }))
      )
      yield* endSession(id)
      yield* QuestdbTables.layer(questdb.address).pipe(
        Layer.provide(QuestdbStore.server(questdb.address)),
        Layer.provide(Layer.succeedContext(catalogs)),
        Layer.build,
        Effect.map(Context.get(AnalystTables)),
        Effect.flatMap(({ ended }) => ended(id))
      )
      // Written rows are visible a little later.
      for (const [table, rows] of Object.entries({ laps: 2, sessions: 1 })) {
        const count = Effect.promise(() => questdb.sql(`SELECT count() FROM ${prefix}${table}`))
        yield* Effect.repeat(Effect.delay(count, "50 millis"), { until: (answer) => answer[0]?.[0] === rows })
      }

      const client = new Client({ host, port: pgPort, user: "admin", password: "quest", database: "qdb" })
      yield* Effect.acquireRelease(
        Effect.promise(() => client.connect()),
        () => Effect.promise(() => client.end())
      )
      const until = START + POINTS_STORED
      /** A query as Grafana sends it. */
      const rowsOf = (sql: string) =>
        Effect.promise(async () => {
          const text = sql
            .replaceAll(/\b(FROM|JOIN) (points|sessions|laps)\b/g, `$1 ${prefix}$2`)
            .replaceAll("$session", String(id))
            .replaceAll("$__interval", "1s")
            .replaceAll(/\$__timeFilter\((\w+)\)/g, `$1 BETWEEN '${iso(START)}' AND '${iso(until)}'`)
          expect(text).not.toContain("$")
          return (await client.query<Record<string, unknown>>(text)).rows
        })

      for (const { query } of dashboard.templating.list) {
        expect(yield* rowsOf(query)).toEqual([{ __value: String(id), __text: `${id}: Spa, Anna` }])
      }
      for (const { interval, targets, title } of dashboard.panels) {
        for (const { format, rawSql } of targets) {
          const rows = yield* rowsOf(rawSql)
          expect([title, rows.length > 0]).toEqual([title, true])
          const isSeries = format === "time_series"
          // Grafana draws a series by a column of times in order.
          const times = rows.map(({ time }) => time).filter((time) => time instanceof Date)
          expect([title, times.length]).toEqual([title, isSeries ? rows.length : 0])
          expect(times).toEqual(times.toSorted((a, b) => a.getTime() - b.getTime()))
          // QuestDB has another letter for milliseconds than Grafana.
          expect([title, rawSql.includes("$__interval"), interval]).toEqual(
            rawSql.includes("$__interval") ? [title, true, "1s"] : [title, false, undefined]
          )
        }
      }
      const sessions = yield* rowsOf(dashboard.panels[0]!.targets[0]!.rawSql)
      expect(sessions).toHaveLength(1)
      expect(Number(sessions[0]!["from_ms"])).toBe(START * 1000)
    })
  )
})
