/** The tables that follow the catalog, of a real QuestDB that is away now and then. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, ExecutionStrategy, Exit, Layer, Scope } from "effect"
import { Laps } from "../../../src/store/Laps.ts"
import { AnalystTables } from "../../../src/store/AnalystTables.ts"
import { Sessions } from "../../../src/store/Sessions.ts"
import * as QuestdbTables from "../../../src/store/questdb/AnalystTables.ts"
import * as QuestdbStore from "../../../src/store/questdb/QuestdbStore.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { ownQuestdbHere, questdbServer } from "../../support/servers/questdb.ts"
import { temporaryFolder } from "../sqlite/folder.ts"
import { needing } from "../../support/needing.ts"

const START = 1.7e9
const names = { circuit: "Spa", vehicle: "GT3", driver: "Anna" }

/** A session with so many laps, which is recorded until it is ended. */
const driven = Effect.fn(function* (laps: number) {
  const { createSession } = yield* Sessions
  const { id } = yield* createSession({ ...names, datetime: START }, { recording: true })
  yield* (yield* Laps).addLaps(
    Array.from({ length: laps }, (_, lap) => ({
      sessionId: id,
      lapNumber: lap + 1,
      lapTime: 90.25,
      sector1Time: null,
      sector2Time: null,
      sector3Time: null,
      valid: true,
      startTime: START + lap * 100,
      endTime: START + lap * 100 + 90.25
    }))
  )
  return id
})

describe("QuestDB's tables of sessions and laps", needing(ownQuestdbHere), () => {
  it.scopedLive("have every session that has ended, whenever it did", () =>
    Effect.gen(function* () {
      const questdb = yield* questdbServer
      const catalogs = yield* Layer.build(SqliteStore.catalogLayer(yield* temporaryFolder))
      const { endSession } = Context.get(catalogs, Sessions)
      const drive = (laps: number) => Effect.provide(driven(laps), catalogs)
      const { prefix } = questdb.address
      /** The laps of each session, and of all: undefined while the server is away or has no tables. */
      const found = Effect.promise(async () => {
        try {
          const sessions = await questdb.sql(`SELECT laps FROM ${prefix}sessions ORDER BY laps`)
          const laps = await questdb.sql(`SELECT count() FROM ${prefix}laps`)
          return JSON.stringify([...sessions.flat(), ...laps.flat()])
        } catch {
          return undefined
        }
      })
      const until = (...laps: ReadonlyArray<number>) => {
        const wanted = JSON.stringify([...laps, laps.reduce((sum, count) => sum + count, 0)])
        return Effect.repeat(Effect.delay(found, "50 millis"), { until: (laps) => laps === wanted })
      }

      const before = yield* drive(2)
      yield* endSession(before)
      yield* drive(7)
      yield* endSession(yield* drive(0))
      const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
      const { ended } = yield* QuestdbTables.layer(questdb.address).pipe(
        Layer.provide(QuestdbStore.server(questdb.address)),
        Layer.provide(Layer.succeedContext(catalogs)),
        Layer.buildWithScope(scope),
        Effect.map(Context.get(AnalystTables))
      )
      yield* until(2)

      yield* questdb.kill
      const meanwhile = yield* drive(3)
      yield* endSession(meanwhile)
      yield* ended(meanwhile)
      yield* questdb.start
      yield* until(2, 3)

      // One session that ends with the service, and one that is deleted by then.
      const last = yield* drive(4)
      yield* endSession(last)
      yield* ended(last)
      yield* ended(999)
      yield* Scope.close(scope, Exit.void)
      yield* until(2, 3, 4)
      expect(yield* found).toBe("[2,3,4,9]")
    })
  )
})
