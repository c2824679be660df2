/** Leases of nodes as rows. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Array, Effect, Layer } from "effect"
import { version } from "../../platform/version.ts"
import { NodeInUse, PointsNotShared } from "../../domain/errors.ts"
import { orUnavailable } from "./catalogFailures.ts"
import {
  isMigration,
  LEASE_SECONDS,
  type NodeHolder,
  Nodes,
  type NodeState,
  STOPPED_AFTER_SECONDS
} from "../Nodes.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  /** Epoch seconds by the database's clock: the present time, not the start of the transaction. */
  const now = sql.literal(
    sql.onDialectOrElse({
      pg: () => "extract(epoch FROM clock_timestamp())::double precision",
      orElse: () => "((julianday('now') - 2440587.5) * 86400.0)"
    })
  )

  /**
   * Makes nodes that start together take their leases one after another. Otherwise, in PostgreSQL, neither would see
   * the row of the other before both have taken their leases. In SQLite only one transaction writes at a time.
   */
  const oneByOne = sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`LOCK TABLE nodes IN SHARE ROW EXCLUSIVE MODE`),
    orElse: () => Effect.void
  })

  const inUse = Effect.fnUntraced(function* (node: string) {
    const [row] = yield* sql<{ described: string; left_s: number }>`
      SELECT described, expires - ${now} AS left_s FROM nodes WHERE id = ${node}`
    return new NodeInUse({
      node,
      described: row?.described ?? "another process",
      seconds: Math.max(1, Math.ceil(row?.left_s ?? 0))
    })
  })

  return Nodes.of({
    take: Effect.fn("Nodes.take")(
      function* ({ described, ended, holder, lease, node, url }: NodeHolder, shares: boolean) {
        yield* oneByOne
        const taken =
          yield* sql`INSERT INTO nodes (id, holder, described, expires, shares, lease, url, version)
          VALUES (${node}, ${holder}, ${described}, ${now} + ${LEASE_SECONDS}, ${shares ? 1 : 0},
            ${lease ?? STOPPED_AFTER_SECONDS}, ${url ?? null}, ${version})
          ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, described = excluded.described,
            expires = excluded.expires, shares = excluded.shares, lease = excluded.lease, url = excluded.url,
            version = excluded.version, beat = nodes.beat + 1
          WHERE nodes.expires <= ${now} OR nodes.holder IN (${holder}, ${ended ?? holder})
          RETURNING id`
        if (taken.length === 0) return yield* yield* inUse(node)
        const [other] = yield* sql<{ node: string; described: string; shares: number }>`
          SELECT id AS node, described, shares FROM nodes
          WHERE id <> ${node} ${sql.literal(shares ? "AND shares = 0" : "")} ORDER BY id LIMIT 1`
        if (other !== undefined) return yield* new PointsNotShared({ ...other, shares: other.shares !== 0 })
      },
      sql.withTransaction,
      orUnavailable
    ),

    renew: Effect.fn("Nodes.renew")(function* ({ holder, node }: NodeHolder) {
      const renewed = yield* sql`UPDATE nodes SET expires = ${now} + ${LEASE_SECONDS}, beat = beat + 1
        WHERE id = ${node} AND holder = ${holder} RETURNING id`
      return renewed.length > 0
    }, orUnavailable),

    release: Effect.fn("Nodes.release")(function* ({ holder, node }: NodeHolder) {
      yield* sql`UPDATE nodes SET expires = 0 WHERE id = ${node} AND holder = ${holder}`
    }, orUnavailable),

    all: sql<Omit<NodeState, "silent"> & { readonly left_s: number }>`
      SELECT id AS node, holder, described, url, version, lease, beat, taken, expires - ${now} AS left_s FROM nodes ORDER BY id`.pipe(
      Effect.map((rows) =>
        rows.map(({ left_s, ...row }) => ({
          ...row,
          silent: left_s < 0 ? null : Math.max(0, LEASE_SECONDS - left_s)
        }))
      ),
      orUnavailable
    ),

    lost: Effect.gen(function* () {
      const rows = yield* sql<{ node: string; described: string | null; id: number }>`
        SELECT sessions.node, nodes.described, sessions.id FROM sessions LEFT JOIN nodes ON nodes.id = sessions.node
        WHERE recording = 1 AND sessions.node IS NOT NULL AND coalesce(nodes.expires, 0) <= ${now}
        ORDER BY sessions.node, sessions.id`
      return Object.entries(Array.groupBy(rows, ({ node }) => node)).map(([node, own]) => ({
        node,
        described:
          own[0].described ?? (isMigration(node) ? "a migration" : "a process that nothing is known of"),
        sessions: own.map(({ id }) => Number(id))
      }))
    }).pipe(orUnavailable),

    giveUp: Effect.fn("Nodes.giveUp")(
      function* (node: string) {
        yield* sql`DELETE FROM nodes WHERE id = ${node} AND expires <= ${now}`
        const alive = yield* sql`SELECT id FROM nodes WHERE id = ${node}`
        if (alive.length > 0) return yield* yield* inUse(node)
        const rows = yield* sql<{ id: number }>`UPDATE sessions SET node = NULL
          WHERE node = ${node} AND recording = 1 RETURNING id`
        return rows.map(({ id }) => Number(id)).sort((a, b) => a - b)
      },
      sql.withTransaction,
      orUnavailable
    )
  })
})

/** Needs a catalog whose tables are up to date. */
export const layer: Layer.Layer<Nodes, never, SqlClient.SqlClient> = Layer.effect(Nodes, make)
