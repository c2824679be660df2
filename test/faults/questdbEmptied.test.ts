/** A server that is not the one that it was. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer, Option } from "effect"
import { questdbJar, startQuestdb } from "../../src/provision/questdb.ts"
import { freePorts } from "../../src/provision/serverProcess.ts"
import { readQuestdbAddress } from "../../src/addresses/questdb.ts"
import { Connections } from "../../src/store/questdb/Connections.ts"
import { PointStore } from "../../src/store/PointStore.ts"
import * as QuestdbStore from "../../src/store/questdb/QuestdbStore.ts"
import { expectStored, readAll, write } from "../contracts/pointStoreSupport.ts"
import { ownerOf } from "../contracts/pointStoreOwning.ts"
import { part, samplePoints } from "../contracts/samples.ts"
import { ownQuestdbHere } from "../servers/questdb.ts"
import { temporaryFolder } from "../store/sqlite/folder.ts"
import { needing } from "../runner/needing.ts"

const all = samplePoints(1.7e9, 3000)

describe("a QuestDB that comes back without its data", needing(ownQuestdbHere), () => {
  it.scopedLive("is given its tables again, and every point that comes from then on", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [http = 0, pg = 0] = yield* Effect.promise(() => freePorts(2))
      const start = startQuestdb(questdbJar()!, { folder, http, pg, small: true })
      const address = Either.getOrThrow(readQuestdbAddress(`questdb://127.0.0.1:${http}?pg=${pg}`))
      const first = yield* start
      yield* Effect.gen(function* () {
        yield* Effect.flatMap(PointStore, (store) => store.claim(ownerOf("a catalog", [1])))
        yield* write(1, part(all, 0, 1000))
        yield* expectStored(1, part(all, 0, 1000))
        yield* first.kill
        rmSync(join(folder, "db"), { recursive: true, maxRetries: 5 })
        yield* start
        // It refuses them, as rows of a table that it does not have: no reason to give them up.
        yield* write(1, part(all, 1000, 3000))
        yield* Effect.option(readAll(1)).pipe(
          Effect.delay("50 millis"),
          Effect.repeat({ until: Option.exists(({ length }) => length === 2000) })
        )
        yield* expectStored(1, part(all, 1000, 3000))
        const { rows } = yield* Connections
        const keys = "SELECT count() AS keys FROM table_columns('points') WHERE upsertKey"
        expect(yield* rows(keys)).toEqual([{ keys: "2" }])
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
