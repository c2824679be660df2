/** The connections that a node keeps: a row for each address. The request is JSON, with the driver's options and passwords. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import {
  addressKey,
  type ConnectRequest,
  type KeptConnection,
  StoredConnectRequest
} from "../../domain/Connection.ts"
import { type Address, ConnectedElsewhere } from "../../domain/errors.ts"
import { orUnavailable, unavailable } from "./catalogFailures.ts"

const StoredRequest = Schema.parseJson(StoredConnectRequest)

export interface ConnectionRow {
  readonly request: string
  readonly enabled: number
  readonly run: string
}

export const keptOf = ({ enabled, request, run }: ConnectionRow) =>
  Effect.map(
    Effect.mapError(Schema.decode(StoredRequest)(request), unavailable),
    (request: ConnectRequest): KeptConnection => ({ request, enabled: enabled === 1, run })
  )

/** `node`: null in a process that records nothing, which asks for no connections. */
export const make = (sql: SqlClient.SqlClient, node: string | null) => {
  const own = node ?? ""

  const keptConnections = Effect.gen(function* () {
    const rows = yield* sql<ConnectionRow>`SELECT request, enabled, run FROM connections
      WHERE node = ${own} ORDER BY address`
    return yield* Effect.forEach(rows, keptOf)
  }).pipe(orUnavailable)

  const keepConnection = Effect.fn("Connections.keepConnection")(function* (kept: KeptConnection) {
    const request = yield* Effect.mapError(Schema.encode(StoredRequest)(kept.request), unavailable)
    const address = addressKey(kept.request)
    const [enabled, onlyHere] = [kept.enabled ? 1 : 0, kept.onlyHere === true ? 1 : 0]
    const changed =
      yield* sql`UPDATE connections SET request = ${request}, enabled = ${enabled}, run = ${kept.run}
      WHERE node = ${own} AND address = ${address} RETURNING address`
    if (changed.length > 0) return
    // Of nodes that want the same address at the same time, the row of one is kept.
    yield* sql`INSERT INTO connections (node, address, request, enabled, run, only_here)
      VALUES (${own}, ${address}, ${request}, ${enabled}, ${kept.run}, ${onlyHere}) ON CONFLICT DO NOTHING`
    const [row] = yield* sql<{ node: string }>`SELECT node FROM connections
      WHERE address = ${address} AND (node = ${own} OR only_here = 1)
      ORDER BY CASE WHEN node = ${own} THEN 0 ELSE 1 END LIMIT 1`
    if (row !== undefined && row.node !== own) return yield* new ConnectedElsewhere({ node: row.node })
  }, orUnavailable)

  const forgetConnection = Effect.fn("Connections.forgetConnection")(function* (address: Address) {
    yield* sql`DELETE FROM connections WHERE node = ${own} AND address = ${addressKey(address)}`
  }, orUnavailable)

  return { keptConnections, keepConnection, forgetConnection }
}
