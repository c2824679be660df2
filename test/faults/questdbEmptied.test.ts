/** A QuestDB that lost its data. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer, Option } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { questdbJar, startQuestdb } from "../../tools/provision/questdb.ts"
import { freePorts } from "../../tools/provision/serverProcess.ts"
import { readQuestdbAddress } from "../../src/platform/addresses/questdb.ts"
import { Connections } from "../../src/store/questdb/Connections.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import * as QuestdbStore from "../../src/store/questdb/QuestdbStore.ts"
import { expectStored, readAll } from "../contracts/rowStoreSupport.ts"
import { groupSamples } from "../contracts/groupSamples.ts"
import { expectGroup } from "../contracts/rowStoreSamplesSupport.ts"
import { ownerOf } from "../contracts/rowStoreOwning.ts"
import { part, samplePoints } from "../contracts/samples.ts"
import { ownQuestdbHere } from "../support/servers/questdb.ts"
import { temporaryFolder } from "../store/sqlite/folder.ts"
import { needing } from "../support/needing.ts"

const all = samplePoints(1.7e9, 3000)
const warm = groupSamples(1.7e9, 300, { rate: 6 })

/** A commit of points, and a tenth as many samples. */
const writeBoth = (from: number, to: number) =>
  Effect.flatMap(RowStore, (store) =>
    store.write([
      { sessionId: 1, group: POINTS, batch: part(all, from, to) },
      { sessionId: 1, group: "tyres", batch: part(warm, from / 10, to / 10) }
    ])
  )

describe("a QuestDB that comes back without its data", needing(ownQuestdbHere), () => {
  it.scopedLive("gets its tables again, and every later point and sample", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [http = 0, pg = 0] = yield* Effect.promise(() => freePorts(2))
      const start = startQuestdb(questdbJar()!, { folder, http, pg, small: true })
      const address = Either.getOrThrow(readQuestdbAddress(`questdb://127.0.0.1:${http}?pg=${pg}`))
      const first = yield* start
      yield* Effect.gen(function* () {
        yield* Effect.flatMap(RowStore, (store) => store.claim(ownerOf("a catalog", [1])))
        yield* writeBoth(0, 1000)
        yield* expectStored(1, part(all, 0, 1000))
        yield* expectGroup(1, "tyres", part(warm, 0, 100))
        yield* first.kill
        rmSync(join(folder, "db"), { recursive: true, maxRetries: 5 })
        yield* start
        // It refuses rows of a table that it does not have: no reason to give them up.
        yield* writeBoth(1000, 3000)
        yield* Effect.option(readAll(1)).pipe(
          Effect.delay("50 millis"),
          Effect.repeat({ until: Option.exists(({ length }) => length === 2000) })
        )
        yield* expectStored(1, part(all, 1000, 3000))
        yield* expectGroup(1, "tyres", part(warm, 100, 300))
        const failure = yield* Effect.flip(Effect.flatMap(RowStore, ({ check }) => check))
        expect(failure.reason).toMatch(/table points was removed or renamed, and made anew/)
        const { rows } = yield* Connections
        for (const table of ["points", "tyres"]) {
          const keys = `SELECT count() AS keys FROM table_columns('${table}') WHERE upsertKey`
          expect(yield* rows(keys)).toEqual([{ keys: "2" }])
        }
      }).pipe(
        Effect.provide(
          Layer.merge(
            QuestdbStore.layer(yield* temporaryFolder, address, { writes: true }),
            Connections.layer(address)
          )
        )
      )
    })
  )
})
