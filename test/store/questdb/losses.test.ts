/** The table of points is renamed or emptied from outside, while the service records. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { RowStore } from "../../../src/store/RowStore.ts"
import * as QuestdbStore from "../../../src/store/questdb/QuestdbStore.ts"
import { ownerOf } from "../../contracts/rowStoreOwning.ts"
import { expectStored, write } from "../../contracts/rowStoreSupport.ts"
import { part, samplePoints } from "../../contracts/samples.ts"
import { needing } from "../../support/needing.ts"
import { questdbHere, sharedQuestdb } from "../../support/servers/questdb.ts"
import { temporaryFolder } from "../sqlite/folder.ts"

const all = samplePoints(1.7e9, 3000)

describe("points that are removed from outside", needing(questdbHere), () => {
  it.scopedLive.each([
    ["RENAME TABLE 'Xpoints' TO 'Xelsewhere'", "was removed or renamed, and made anew"],
    ["TRUNCATE TABLE 'Xpoints'", "was emptied"]
  ])("by %s are reported by the check, and recording goes on", ([statement, how]) =>
    Effect.gen(function* () {
      const questdb = yield* sharedQuestdb
      const { prefix } = questdb.address
      const layer = QuestdbStore.layer(yield* temporaryFolder, questdb.address, { writes: true })
      yield* Effect.gen(function* () {
        const store = yield* RowStore
        yield* store.claim(ownerOf("a catalog"))
        yield* write(1, part(all, 0, 1000))
        yield* store.check
        yield* Effect.promise(() => questdb.sql(statement!.replaceAll("X", prefix)))
        const failure = yield* Effect.flip(store.check).pipe(
          Effect.repeat({ until: ({ reason }) => reason?.includes(how!) === true })
        )
        expect(failure.reason).toContain(`table ${prefix}points ${how}`)
        yield* write(1, part(all, 1000, 3000))
        yield* expectStored(1, part(all, 1000, 3000))
        expect((yield* Effect.flip(store.check)).reason).toBe(failure.reason)
      }).pipe(Effect.provide(layer))
    })
  )
})
