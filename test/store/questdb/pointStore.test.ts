import { Effect, Layer } from "effect"
import { describe } from "vitest"
import * as QuestdbStore from "../../../src/store/questdb/QuestdbStore.ts"
import { pointStoreContract } from "../../contracts/pointStoreContract.ts"
import { questdbHere, sharedQuestdb } from "../../servers/questdb.ts"
import { temporaryFolder } from "../sqlite/folder.ts"
import { needing } from "../../runner/needing.ts"

describe("with a real server", needing(questdbHere), () => {
  pointStoreContract("points in QuestDB, with its spool", () =>
    Layer.unwrapScoped(
      Effect.gen(function* () {
        const { address } = yield* sharedQuestdb
        return QuestdbStore.layer(yield* temporaryFolder, address, { writes: true })
      })
    )
  )
})
