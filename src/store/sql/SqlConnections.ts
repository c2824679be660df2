/** The connections that a node keeps: a row for each address. The request is JSON, with the driver's options and passwords. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import {
  addressKey,
  type ConnectRequest,
  type KeptConnection,
  StoredConnectRequest
} from "../../domain/Connection.ts"
import type { Address } from "../../domain/errors.ts"
import { orUnavailable, unavailable } from "./catalogFailures.ts"

const StoredRequest = Schema.parseJson(StoredConnectRequest)

interface Row {
  readonly request: string
  readonly enabled: number
  readonly run: string
}

const keptOf = ({ enabled, request, run }: Row) =>
  Effect.map(
    Effect.mapError(Schema.decode(StoredRequest)(request), unavailable),
    (request: ConnectRequest): KeptConnection => ({ request, enabled: enabled === 1, run })
  )

/** `node`: null in a process that records nothing, which asks for no connections. */
export const make = (sql: SqlClient.SqlClient, node: string | null) => {
  const own = node ?? ""

  const keptConnections = Effect.gen(function* () {
    const rows = yield* sql<Row>`SELECT request, enabled, run FROM connections
      WHERE node = ${own} ORDER BY address`
    return yield* Effect.forEach(rows, keptOf)
  }).pipe(orUnavailable)

  const keepConnection = Effect.fn("Connections.keepConnection")(function* (kept: KeptConnection) {
    const request = yield* Effect.mapError(Schema.encode(StoredRequest)(kept.request), unavailable)
    yield* sql`INSERT INTO connections (node, address, request, enabled, run)
      VALUES (${own}, ${addressKey(kept.request)}, ${request}, ${kept.enabled ? 1 : 0}, ${kept.run})
      ON CONFLICT (node, address) DO UPDATE
        SET request = excluded.request, enabled = excluded.enabled, run = excluded.run`
  }, orUnavailable)

  const forgetConnection = Effect.fn("Connections.forgetConnection")(function* (address: Address) {
    yield* sql`DELETE FROM connections WHERE node = ${own} AND address = ${addressKey(address)}`
  }, orUnavailable)

  return { keptConnections, keepConnection, forgetConnection }
}
