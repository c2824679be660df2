/** The configuration: one row. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import {
  completed,
  type Configuration,
  defaultConfiguration,
  GivenConfiguration
} from "../../domain/Configuration.ts"
import { SessionNotFound } from "../../domain/errors.ts"
import { fromWire } from "../../platform/wire.ts"
import { orUnavailable, unavailable } from "./catalogFailures.ts"

const StoredConfiguration = Schema.parseJson(fromWire(GivenConfiguration))

export const make = (sql: SqlClient.SqlClient) => {
  const configuration = Effect.gen(function* () {
    const [row] = yield* sql<{ value: string }>`SELECT value FROM configuration WHERE id = 1`
    return row === undefined
      ? defaultConfiguration
      : completed(yield* Effect.mapError(Schema.decode(StoredConfiguration)(row.value), unavailable))
  }).pipe(orUnavailable)

  const putConfiguration = Effect.fn("Configurations.putConfiguration")(function* (put: Configuration) {
    const value = yield* Effect.mapError(Schema.encode(StoredConfiguration)(put), unavailable)
    yield* sql`INSERT INTO configuration (id, value) VALUES (1, ${value})
      ON CONFLICT (id) DO UPDATE SET value = excluded.value`
  }, orUnavailable)

  const chosenOnAir = Effect.gen(function* () {
    const [row] = yield* sql<{ session_id: number | null }>`SELECT session_id FROM on_air WHERE id = 1`
    return row?.session_id ?? null
  }).pipe(orUnavailable)

  const chooseOnAir = (sessionId: number | null) =>
    Effect.gen(function* () {
      // One statement: the session may be deleted at any moment.
      const changed =
        sessionId === null
          ? yield* sql`INSERT INTO on_air (id, session_id) VALUES (1, NULL)
              ON CONFLICT (id) DO UPDATE SET session_id = NULL RETURNING id`
          : yield* sql`INSERT INTO on_air (id, session_id) SELECT 1, id FROM sessions WHERE id = ${sessionId}
              ON CONFLICT (id) DO UPDATE SET session_id = excluded.session_id RETURNING id`
      return changed.length > 0
    }).pipe(
      orUnavailable,
      Effect.filterOrFail(
        (isChosen) => isChosen,
        () => new SessionNotFound({ sessionId: sessionId! })
      ),
      Effect.asVoid,
      Effect.withSpan("Configurations.chooseOnAir")
    )

  return { configuration, putConfiguration, chosenOnAir, chooseOnAir }
}
