import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { describe } from "vitest"
import * as PostgresCatalog from "../../../src/store/postgres/PostgresCatalog.ts"
import { catalogContract } from "../../contracts/catalogContract.ts"
import { catalogFollowing } from "../../contracts/catalogFollowing.ts"
import { catalogStatistics } from "../../contracts/catalogStatistics.ts"
import { catalogTransferContract } from "../../contracts/catalogTransferContract.ts"
import { nodesContract } from "../../contracts/nodesContract.ts"
import { postgresHere, sharedPostgres } from "../../support/servers/postgres.ts"
import { needing } from "../../support/needing.ts"

const empty = () => Layer.unwrapScoped(Effect.map(sharedPostgres, ({ url }) => PostgresCatalog.layer(url)))

describe("with a real server", needing(postgresHere), () => {
  catalogContract("the catalog in PostgreSQL", empty)
  catalogFollowing("the catalog in PostgreSQL", empty)
  catalogTransferContract("the catalog in PostgreSQL", empty)
  const opening = Effect.map(sharedPostgres, ({ url }) => ({
    catalog: PostgresCatalog.layer(url),
    sql: Layer.orDie(PgClient.layer({ url: Redacted.make(url) }))
  }))
  nodesContract("the catalog in PostgreSQL", true, opening)
  catalogStatistics("the catalog in PostgreSQL", opening, 4)
})
