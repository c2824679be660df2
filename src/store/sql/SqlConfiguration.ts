/** The configuration: one row. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { Configuration, defaultConfiguration } from "../../domain/Configuration.ts"
import { fromWire } from "../../platform/wire.ts"
import { orUnavailable, unavailable } from "./catalogFailures.ts"

const StoredConfiguration = Schema.parseJson(fromWire(Configuration))

export const make = (sql: SqlClient.SqlClient) => {
  const configuration = Effect.gen(function* () {
    const [row] = yield* sql<{ value: string }>`SELECT value FROM configuration WHERE id = 1`
    return row === undefined
      ? defaultConfiguration
      : yield* Effect.mapError(Schema.decode(StoredConfiguration)(row.value), unavailable)
  }).pipe(orUnavailable)

  const putConfiguration = Effect.fn("Configurations.putConfiguration")(function* (put: Configuration) {
    const value = yield* Effect.mapError(Schema.encode(StoredConfiguration)(put), unavailable)
    yield* sql`INSERT INTO configuration (id, value) VALUES (1, ${value})
      ON CONFLICT (id) DO UPDATE SET value = excluded.value`
  }, orUnavailable)

  return { configuration, putConfiguration }
}
