/**
 * A process that claims the store of QuestDB at the address of its second argument, with the spool in the folder of its first, and so
 * moves what waits there, until it is killed.
 */
import { Effect, Either } from "effect"
import { readQuestdbAddress } from "../../src/platform/addresses/questdb.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import * as QuestdbStore from "../../src/store/questdb/QuestdbStore.ts"
import { CATALOG } from "./spooledGroups.ts"

const [, , folder = "", url = ""] = process.argv
const address = Either.getOrThrowWith(readQuestdbAddress(url), (why) => new Error(why))
const none = () => Effect.succeed([])

await Effect.gen(function* () {
  const store = yield* RowStore
  yield* store.claim({
    catalog: CATALOG,
    missing: none,
    deleted: none,
    tenures: () => Effect.succeed([]),
    admit: () => Effect.succeed(true),
    given: Effect.succeed(Infinity)
  })
  return yield* Effect.never
}).pipe(Effect.provide(QuestdbStore.layer(folder, address, { writes: true })), Effect.runPromise)
