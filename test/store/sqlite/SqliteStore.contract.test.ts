import { catalogContract } from "../../contracts/catalogContract.ts"
import { catalogFollowing } from "../../contracts/catalogFollowing.ts"
import { catalogTransferContract } from "../../contracts/catalogTransferContract.ts"
import { pointStoreContract } from "../../contracts/pointStoreContract.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { inTemporaryFolder } from "./folder.ts"

catalogContract("SQLite catalog", () => inTemporaryFolder(SqliteStore.catalogLayer))
catalogFollowing("SQLite catalog", () => inTemporaryFolder(SqliteStore.catalogLayer))
catalogTransferContract("SQLite catalog", () => inTemporaryFolder(SqliteStore.catalogLayer))
pointStoreContract("SQLite point store", () => inTemporaryFolder((folder) => SqliteStore.layer(folder)))
