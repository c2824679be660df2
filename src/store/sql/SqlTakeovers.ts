/** Sessions and connections that go from node to node, as rows. */
import { randomBytes } from "node:crypto"
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { addressKey } from "../../domain/Connection.ts"
import type { NodeHolder, NodeState } from "../Nodes.ts"
import { type Held, HOLDS_NOTHING, type Takeovers } from "../Takeovers.ts"
import { orUnavailable } from "./catalogFailures.ts"
import { type ConnectionRow, keptOf } from "./SqlConnections.ts"

interface TenureRow {
  readonly row_key: string
  readonly node: string | null
  readonly until_time: number | null
}

/** No row is earlier: stands for a tenure that left none. */
const NO_ROWS = -1

/** The bytes of a random key: it is never given twice, even by a server that has lost its last transactions. */
const KEY_BYTES = 5

/** From now on late rows of a session that has ended count. */
export const admitLate = (sql: SqlClient.SqlClient, sessionId: number) =>
  Effect.zipRight(
    sql`UPDATE tenures SET until_time = late_until WHERE session_id = ${sessionId} AND late_until > until_time`,
    sql`UPDATE sessions SET last_point = (SELECT max(until_time) FROM tenures WHERE session_id = ${sessionId})
      WHERE id = ${sessionId}
        AND last_point < (SELECT max(until_time) FROM tenures WHERE session_id = ${sessionId})`
  )

/** `node`: the node that this process records as. */
export const make = (sql: SqlClient.SqlClient, node: string | null): typeof Takeovers.Service => {
  /** One statement for all connections, which a take moves from one node to another. */
  const held = Effect.gen(function* () {
    const rows = yield* sql<ConnectionRow & { readonly node: string }>`SELECT node, request, enabled, run
      FROM connections ORDER BY address`
    const counts = yield* sql<{ node: string; count: number | string }>`SELECT node, count(*) AS count
      FROM sessions WHERE recording = 1 AND node IS NOT NULL GROUP BY node`
    const all = new Map<string, Held>()
    for (const row of rows) {
      const before = all.get(row.node) ?? HOLDS_NOTHING
      all.set(row.node, { ...before, connections: [...before.connections, yield* keptOf(row)] })
    }
    for (const { count, node } of counts) {
      all.set(node, { ...(all.get(node) ?? HOLDS_NOTHING), sessions: Number(count) })
    }
    return all
  }).pipe(orUnavailable)

  const take: (typeof Takeovers.Service)["take"] = Effect.fn("Takeovers.take")(
    function* (from: NodeState, by: NodeHolder, { allSessions, connections, run }) {
      // The row is free afterwards: the node can have it back when it starts again, or goes on. Until then it has the process of the
      // node that was first, and others take their part, too.
      const won = yield* sql`UPDATE nodes
        SET holder = ${by.holder}, beat = beat + 1, taken = taken + 1, expires = 0
        WHERE id = ${from.node} AND ((holder = ${from.holder} AND beat = ${from.beat})
          OR (expires = 0 AND holder IN (SELECT holder FROM nodes WHERE id <> ${from.node}))) RETURNING id`
      if (won.length === 0) return undefined
      const wanted = connections.map(({ request }) => addressKey(request))
      const moved = new Map<string, number | undefined>()
      for (const address of wanted) {
        const rows = yield* sql`UPDATE connections SET node = ${by.node}, run = ${run}
          WHERE node = ${from.node} AND address = ${address} RETURNING address`
        if (rows.length > 0) moved.set(address, undefined)
      }
      const open = yield* sql<{ id: number; connection: string | null }>`SELECT id, connection FROM sessions
        WHERE recording = 1 AND node = ${from.node} ORDER BY id`
      const others: Array<number> = []
      for (const { connection, id } of open) {
        const isMoved = connection !== null && moved.has(connection)
        if (!isMoved && !allSessions) continue
        yield* sql`UPDATE sessions SET node = ${by.node} WHERE id = ${id}`
        // Of several sessions of one connection only the last can still be driven.
        const before = isMoved ? moved.get(connection) : id
        if (isMoved) moved.set(connection, id)
        if (before !== undefined) others.push(before)
      }
      const taken = connections.filter(({ request }) => moved.has(addressKey(request)))
      return {
        connections: taken.map((kept) => ({ kept, sessionId: moved.get(addressKey(kept.request)) })),
        sessions: others
      }
    },
    sql.withTransaction,
    orUnavailable
  )

  const rowsOf = (sessionId: number) => sql<TenureRow>`SELECT row_key, node, until_time FROM tenures
    WHERE session_id = ${sessionId} ORDER BY no`

  const continueSession = Effect.fn("Takeovers.continueSession")(
    function* (sessionId: number, until: number) {
      const before = yield* rowsOf(sessionId)
      const insert = (no: number, key: string, of: string | null) => sql`INSERT INTO tenures
        (session_id, no, row_key, node, until_time) VALUES (${sessionId}, ${no}, ${key}, ${of}, NULL)`
      if (before.length === 0) yield* insert(0, String(sessionId), null)
      yield* sql`UPDATE tenures SET until_time = ${Math.max(until, NO_ROWS)}
        WHERE session_id = ${sessionId} AND until_time IS NULL`
      const key = `${sessionId}~${randomBytes(KEY_BYTES).toString("hex")}`
      yield* insert(Math.max(1, before.length), key, node)
    },
    sql.withTransaction,
    orUnavailable
  )

  /** The number of the part to which the rows belong that this node writes. */
  const ownOf = (rows: ReadonlyArray<TenureRow>) =>
    Math.max(
      0,
      rows.findLastIndex((row) => row.node !== null && row.node === node)
    )

  const admit = Effect.fn("Takeovers.admit")(
    function* (sessionId: number, until: number, isFollowed: boolean) {
      // Excludes an end of the session until the commit.
      const [session] = yield* sql<{ recording: number }>`UPDATE sessions SET recording = recording
        WHERE id = ${sessionId} RETURNING recording`
      const isRecorded = session?.recording === 1
      if (isRecorded && !isFollowed) return false
      yield* sql`UPDATE tenures SET late_until = ${until}
        WHERE session_id = ${sessionId} AND no = ${ownOf(yield* rowsOf(sessionId))}`
      if (!isRecorded) yield* admitLate(sql, sessionId)
      return true
    },
    sql.withTransaction,
    orUnavailable
  )

  return {
    held,
    take,
    continueSession,
    admit,
    tenures: (sessionId) =>
      orUnavailable(
        Effect.map(rowsOf(sessionId), (rows) => {
          const own = ownOf(rows)
          return rows.map(({ row_key, until_time }, no) => ({
            key: no === 0 ? undefined : row_key,
            until: until_time ?? Infinity,
            isOwn: no === own
          }))
        })
      )
  }
}
