/** A QuestDB that turns out to belong to another service only after this one has started. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import * as QuestdbStore from "../../../src/store/questdb/QuestdbStore.ts"
import { ownerOf } from "../../contracts/rowStoreOwning.ts"
import { count, expectStored, write } from "../../contracts/rowStoreSupport.ts"
import { part, samplePoints } from "../../contracts/samples.ts"
import { ownQuestdbHere, questdbServer } from "../../support/servers/questdb.ts"
import { needing } from "../../support/needing.ts"
import { temporaryFolder } from "../sqlite/folder.ts"

const all = samplePoints(1.7e9, 3000)

const until = <A, E>(question: Effect.Effect<A, E>, wanted: (answer: A) => boolean): Effect.Effect<A> =>
  Effect.flatMap(Effect.option(question), (answer) =>
    Option.isSome(answer) && wanted(answer.value)
      ? Effect.succeed(answer.value)
      : Effect.delay(until(question, wanted), "50 millis")
  )

describe("points in QuestDB whose owner becomes known late", needing(ownQuestdbHere), () => {
  it.scopedLive("are never written to by another catalog's service, which keeps its own on disk", () =>
    Effect.gen(function* () {
      const questdb = yield* questdbServer
      const opened = (folder: string) =>
        Effect.map(
          Layer.build(Layer.fresh(QuestdbStore.layer(folder, questdb.address, { writes: true }))),
          Context.get(RowStore)
        )
      const [theirFolder, folder] = [yield* temporaryFolder, yield* temporaryFolder]
      const theirs = yield* opened(theirFolder)
      yield* theirs.claim(ownerOf("theirs"))
      yield* Effect.provideService(write(1, part(all, 0, 1000)), RowStore, theirs)
      const { prefix } = questdb.address
      const rows = Effect.promise(async () => {
        // QuestDB applies acknowledged rows later, also after a kill.
        await questdb.sql(`SELECT wait_wal_table('${prefix}points')`)
        return questdb.sql(`SELECT session, count() FROM ${prefix}points ORDER BY session`)
      })

      yield* questdb.kill
      const store = yield* opened(folder)
      yield* store.claim(ownerOf("ours", [1, 2]))
      const writeTo = (id: number, from: number, to: number) =>
        Effect.provideService(write(id, part(all, from, to)), RowStore, store)
      yield* writeTo(1, 0, 500)
      yield* questdb.start

      const { reason } = yield* Effect.repeat(Effect.flip(store.check), {
        until: ({ reason }) => reason?.includes("another catalog") === true
      })
      expect(reason).toMatch(/prefix=NAME_ in --points.*"telemetry adopt"/)
      yield* writeTo(2, 0, 500)
      expect((yield* Effect.flip(store.remove(1))).reason).toBe(reason)
      expect((yield* Effect.flip(store.bounds({ sessionId: 1, group: POINTS }))).reason).toBe(reason)
      expect(yield* rows).toEqual([["1", 1000]])
      // The points are ours once they are handed over, and the waiting ones move.
      yield* theirs.changeOwner("ours")
      expect(
        yield* until(
          store.count({ sessionId: 2, group: POINTS, from: -Infinity, until: Infinity }),
          (n) => n === 500
        )
      ).toBe(500)
      yield* until(rows, (found) => found.length === 2)
      yield* until(store.check, () => true)

      // The other service, which has been running all the time, writes to its own folder from now on.
      yield* until(Effect.flip(theirs.check), ({ reason: why }) => why?.includes("another catalog") === true)
      yield* Effect.provideService(write(3, part(all, 0, 100)), RowStore, theirs)
      expect((yield* rows).map(([session]) => session)).toEqual(["1", "2"])
      yield* Effect.provideService(expectStored(2, part(all, 0, 500)), RowStore, store)
      expect(yield* Effect.provideService(count(2), RowStore, store)).toBe(500)
    })
  )
})
