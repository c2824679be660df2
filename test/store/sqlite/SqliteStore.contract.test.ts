import { catalogContract } from "../../contracts/catalogContract.ts"
import { catalogFollowing } from "../../contracts/catalogFollowing.ts"
import { catalogTransferContract } from "../../contracts/catalogTransferContract.ts"
import { pointStoreContract } from "../../contracts/pointStoreContract.ts"
import { nodesContract } from "../../contracts/nodesContract.ts"
import { pointStoreOwning } from "../../contracts/pointStoreOwning.ts"
import * as SqliteFile from "../../../src/store/sqlite/SqliteFile.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { Effect } from "effect"
import { inTemporaryFolder, temporaryFolder } from "./folder.ts"

catalogContract("SQLite catalog", () => inTemporaryFolder(SqliteStore.catalogLayer))
catalogFollowing("SQLite catalog", () => inTemporaryFolder(SqliteStore.catalogLayer))
catalogTransferContract("SQLite catalog", () => inTemporaryFolder(SqliteStore.catalogLayer))
nodesContract(
  "SQLite catalog",
  false,
  Effect.map(temporaryFolder, (folder) => ({
    catalog: SqliteStore.catalogLayer(folder),
    sql: SqliteFile.layer(SqliteStore.databaseFile(folder))
  }))
)
pointStoreOwning(
  "SQLite point store",
  Effect.map(temporaryFolder, (folder) => Effect.succeed(SqliteStore.pointsLayer(folder)))
)
pointStoreContract("SQLite point store", () => inTemporaryFolder((folder) => SqliteStore.layer(folder)))
