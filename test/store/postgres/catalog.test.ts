import { Effect, Layer } from "effect"
import { describe } from "vitest"
import * as PostgresCatalog from "../../../src/store/postgres/PostgresCatalog.ts"
import { catalogContract } from "../../contracts/catalogContract.ts"
import { havePostgres, postgresServer } from "../../servers/postgres.ts"

describe.runIf(havePostgres)("with a real server", () => {
  catalogContract("the catalog in PostgreSQL", () =>
    Layer.unwrapScoped(Effect.map(postgresServer, ({ url }) => PostgresCatalog.layer(url)))
  )
})
