import { catalogContract } from "../../contracts/catalogContract.ts"
import { catalogFollowing } from "../../contracts/catalogFollowing.ts"
import { catalogStatistics } from "../../contracts/catalogStatistics.ts"
import { catalogTransferContract } from "../../contracts/catalogTransferContract.ts"
import { rowStoreContract } from "../../contracts/rowStoreContract.ts"
import { nodesContract } from "../../contracts/nodesContract.ts"
import { rowStoreOwning } from "../../contracts/rowStoreOwning.ts"
import * as SqliteFile from "../../../src/store/sqlite/SqliteFile.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { Effect } from "effect"
import { inTemporaryFolder, temporaryFolder } from "./folder.ts"

catalogContract("SQLite catalog", () => inTemporaryFolder(SqliteStore.catalogLayer))
catalogFollowing("SQLite catalog", () => inTemporaryFolder(SqliteStore.catalogLayer))
catalogTransferContract("SQLite catalog", () => inTemporaryFolder(SqliteStore.catalogLayer))
const inFolder = Effect.map(temporaryFolder, (folder) => ({
  catalog: SqliteStore.catalogLayer(folder),
  sql: SqliteFile.layer(SqliteStore.databaseFile(folder))
}))
nodesContract("SQLite catalog", false, inFolder)
catalogStatistics("SQLite catalog", inFolder, 10)
rowStoreOwning(
  "SQLite point store",
  Effect.map(temporaryFolder, (folder) => Effect.succeed(SqliteStore.pointsLayer(folder)))
)
rowStoreContract("SQLite point store", () => inTemporaryFolder((folder) => SqliteStore.layer(folder)))
