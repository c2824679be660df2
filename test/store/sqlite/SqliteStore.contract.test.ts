import { catalogContract } from "../../contracts/catalogContract.ts"
import { pointStoreContract } from "../../contracts/pointStoreContract.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { inTemporaryFolder } from "./folder.ts"

catalogContract("SQLite catalog", () => inTemporaryFolder(SqliteStore.catalogLayer))
pointStoreContract("SQLite point store", () => inTemporaryFolder((folder) => SqliteStore.layer(folder)))
