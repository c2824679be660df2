/** What the rows of a session are kept under, and from when to when they are. */
import { Effect, Option } from "effect"
import type { Connections } from "./Connections.ts"
import type { Readiness } from "./readiness.ts"
import type { Tables } from "./schema.ts"
import { ensureApplied } from "./tableHealth.ts"

export const make = (
  connections: typeof Connections.Service,
  { ready }: Pick<Readiness, "ready">,
  tables: Tables
) => {
  /** What everything of the session is kept under: see schema.ts. */
  const keyOf = Effect.fnUntraced(function* (sessionId: number) {
    yield* ready
    yield* ensureApplied(connections, tables.removals)
    const [row] = yield* connections.rows(
      `SELECT count() AS removals FROM ${tables.removals} WHERE session = ${sessionId}`
    )
    const removals = Number(row?.["removals"] ?? 0)
    return removals === 0 ? String(sessionId) : `${sessionId}.${removals}`
  })

  const applied = Effect.suspend(() => ensureApplied(connections, tables.points))

  const boundsOf = Effect.fnUntraced(function* (key: string) {
    yield* applied
    const { data, capacity } = yield* connections.bulk(
      `SELECT min(time) AS first, max(time) AS last FROM ${tables.points} WHERE session = '${key}'`,
      { columns: 2, capacity: 1 }
    )
    const first = data[0]!
    const last = data[capacity]!
    return Number.isNaN(first) ? Option.none() : Option.some({ first, last })
  })

  /** The key of a session whose points are all visible. */
  const readable = Effect.fnUntraced(function* (sessionId: number) {
    const key = yield* keyOf(sessionId)
    yield* applied
    return key
  })

  return { keyOf, boundsOf, readable, applied }
}

export type SessionKeys = ReturnType<typeof make>
