import { layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe } from "vitest"
import * as QuestdbStore from "../../../src/store/questdb/QuestdbStore.ts"
import { rowStoreOwning } from "../../contracts/rowStoreOwning.ts"
import { rowStoreContract } from "../../contracts/rowStoreContract.ts"
import { samples } from "../../contracts/rowStoreSamples.ts"
import { samplesModel } from "../../contracts/rowStoreSamplesModel.ts"
import { questdbHere, sharedQuestdb } from "../../support/servers/questdb.ts"
import { temporaryFolder } from "../sqlite/folder.ts"
import { needing } from "../../support/needing.ts"
import { thorough } from "../../support/runs.ts"

describe("with a real server", needing(questdbHere), () => {
  rowStoreOwning(
    "points in QuestDB",
    Effect.map(sharedQuestdb, ({ address }) => Effect.succeed(QuestdbStore.server(address)))
  )
  // Each in a data folder of its own, as nodes are.
  rowStoreOwning(
    "points in QuestDB, with a spool",
    Effect.map(sharedQuestdb, ({ address }) =>
      Effect.map(temporaryFolder, (folder) => QuestdbStore.layer(folder, address, { writes: true }))
    )
  )
  rowStoreContract("points in QuestDB, with its spool", () =>
    Layer.unwrapScoped(
      Effect.gen(function* () {
        const { address } = yield* sharedQuestdb
        return QuestdbStore.layer(yield* temporaryFolder, address, { writes: true })
      })
    )
  )
  // Without a spool, which would take rows that the server refuses.
  if (!thorough) return
  layer(Layer.unwrapScoped(Effect.map(sharedQuestdb, ({ address }) => QuestdbStore.server(address))), {
    excludeTestServices: true
  })("samples in QuestDB, without its spool", (it) => {
    let sessions = 0
    const nextSession = () => (sessions += 1)
    samples(it, nextSession)
    samplesModel(it, nextSession)
  })
})
