/** The cost of statistics in statements and rows of the database, which must not grow with the archive. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Statement from "@effect/sql/Statement"
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { fillCatalog, nameOf } from "../../bench/suite/filledCatalog.ts"
import { AnalysisWorkers } from "../../src/archive/AnalysisWorkers.ts"
import { AnalysisService } from "../../src/archive/AnalysisService.ts"
import * as SqliteFile from "../../src/store/sqlite/SqliteFile.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { temporaryFolder } from "../store/sqlite/folder.ts"

interface Cost {
  readonly statements: number
  /** Rows that the event loop got from the database. */
  readonly rows: number
  /** Tables that were read from one end to the other. */
  readonly scanned: ReadonlyArray<string>
}

const circuit = nameOf("Circuit", 1)
const vehicle = nameOf("Vehicle", 1)
const driver = nameOf("Driver", 1)

/** All sessions, of ten laps each, are of two circuits, vehicles and drivers. */
const costsOver = (sessions: number) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const file = SqliteFile.layer(SqliteStore.databaseFile(folder))
    yield* Effect.provide(Effect.void, SqliteStore.catalogLayer(folder))
    yield* Effect.provide(fillCatalog({ sessions, laps: 10, circuits: 2, vehicles: 2, drivers: 2 }), file)
    const nobody = Layer.succeed(AnalysisWorkers, {} as typeof AnalysisWorkers.Service)
    const analysis = AnalysisService.layer.pipe(
      Layer.provide(nobody),
      Layer.provide(SqliteStore.layer(folder))
    )

    const costOf = Effect.fn(function* <A, E>(question: Effect.Effect<A, E, AnalysisService>) {
      const statements: Array<readonly [text: string, parameters: ReadonlyArray<unknown>]> = []
      yield* Statement.withTransformer(question, (statement) => {
        statements.push(statement.compile())
        return Effect.succeed(statement)
      })
      const sql = yield* SqlClient.SqlClient
      const scanned: Array<string> = []
      let rows = 0
      for (const [text, parameters] of statements) {
        rows += (yield* sql.unsafe(text, parameters)).length
        const plan = yield* sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, parameters)
        for (const { detail } of plan) {
          // Reading an index in its order until there are enough rows is not a scan.
          if (/^SCAN (sessions|laps|lap|totals)\b(?!.* USING INDEX sessions_by_fastest)/.test(detail)) {
            scanned.push(detail)
          }
        }
      }
      return { statements: statements.length, rows, scanned } satisfies Cost
    })

    return yield* Effect.gen(function* () {
      const { bestLaps, circuit: ofCircuit, driver: ofDriver } = yield* AnalysisService
      return {
        best: yield* costOf(bestLaps({}, 5)),
        bestHere: yield* costOf(bestLaps({ circuit }, 5)),
        bestHereInIt: yield* costOf(bestLaps({ circuit, vehicle }, 5)),
        bestOfDriver: yield* costOf(bestLaps({ driver, circuit }, 5)),
        circuit: yield* costOf(ofCircuit(circuit)),
        driver: yield* costOf(ofDriver(driver)),
        driverHere: yield* costOf(ofDriver(driver, { circuit, vehicle }))
      }
    }).pipe(Effect.provide(Layer.merge(analysis, file)))
  })

it.scopedLive("statistics take a few statements and rows, however many sessions there are", () =>
  Effect.gen(function* () {
    const found = yield* costsOver(60)
    for (const [question, cost] of Object.entries(found)) {
      expect([question, cost.scanned]).toEqual([question, []])
      expect([question, cost.statements]).toEqual([question, expect.toSatisfy((count) => count <= 3)])
      expect([question, cost.rows]).toEqual([question, expect.toSatisfy((count) => count <= 8)])
    }
    // Twice the archive costs the same.
    expect(yield* costsOver(120)).toEqual(found)
  })
)
