/** The keys of a session's rows, and the times between which the session has rows. */
import { Effect, Option } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import { justAfter } from "../../domain/Time.ts"
import type { SessionRange, TimeBounds } from "../RowStore.ts"
import type { Connections } from "./Connections.ts"
import { type Part, rowsWithin } from "./ranges.ts"
import type { Readiness } from "./readiness.ts"
import { quoted, type Tables } from "./schema.ts"
import { ensureApplied } from "./tableHealth.ts"

type Parts = ReadonlyArray<Part>

const always = { from: -Infinity, until: Infinity }

export const make = (
  connections: typeof Connections.Service,
  { ready, tenures }: Pick<Readiness, "ready" | "tenures">,
  tables: Tables
) => {
  const removalsOf = Effect.fnUntraced(function* (sessionId: number) {
    yield* ready
    yield* ensureApplied(connections, tables.removals)
    const [row] = yield* connections.rows(
      `SELECT count() AS removals FROM ${tables.removals} WHERE session = ${sessionId}`
    )
    return Number(row?.["removals"] ?? 0)
  })

  /** The keys of a session's tenures, in order: see schema.ts. */
  const keysOf = Effect.fnUntraced(function* (sessionId: number) {
    const removals = yield* removalsOf(sessionId)
    const first = removals === 0 ? String(sessionId) : `${sessionId}.${removals}`
    const all = removals === 0 ? yield* tenures(sessionId) : []
    return { first, all }
  })

  /** The keys of the session's rows, with the times in which the rows of each count. */
  const partsOf = Effect.fnUntraced(function* (sessionId: number): Effect.fn.Return<Parts, StoreUnavailable> {
    const { all, first } = yield* keysOf(sessionId)
    if (all.length === 0) return [{ key: first, ...always }]
    let from = -Infinity
    return all.map(({ key = first, until }) => {
      const part = { key, from, until: until === Infinity ? until : justAfter(until) }
      from = part.until
      return part
    })
  })

  /** The key of the rows that this node writes. */
  const ownKeyOf = Effect.fnUntraced(function* (sessionId: number) {
    const { all, first } = yield* keysOf(sessionId)
    return all.find(({ isOwn }) => isOwn)?.key ?? first
  })

  const applied = (table: string) => ensureApplied(connections, table)

  /** The first and last time of the session's rows in the table. */
  const boundsOf = Effect.fnUntraced(function* (
    table: string,
    parts: Parts
  ): Effect.fn.Return<Option.Option<TimeBounds>, StoreUnavailable> {
    yield* applied(table)
    const { data, capacity } = yield* connections.bulk(
      `SELECT min(time) AS first, max(time) AS last FROM ${quoted(table)} WHERE ${rowsWithin(parts, always)}`,
      { columns: 2, capacity: 1 }
    )
    const first = data[0]!
    const last = data[capacity]!
    return Number.isNaN(first) ? Option.none() : Option.some({ first, last })
  })

  /**
   * The last time of each session with rows in the table, by one query. The binary answer has doubles to the last bit and no
   * strings, so the keys are numbered.
   */
  const tailsOf = Effect.fnUntraced(function* (table: string, keys: ReadonlyArray<string>) {
    yield* applied(table)
    const numbered = keys.map((key, n) => `WHEN '${key}' THEN ${n}.0`).join(" ")
    const { capacity, data, rows } = yield* connections.bulk(
      `SELECT CASE session ${numbered} END AS number, time AS last FROM ${quoted(table)}
       WHERE session IN (${keys.map((key) => `'${key}'`).join(", ")}) LATEST ON ts PARTITION BY session`,
      { columns: 2, capacity: keys.length }
    )
    return new Map(
      Array.from({ length: rows }, (_, row) => [keys[data[row]!]!, data[capacity + row]!] as const)
    )
  })

  const count = Effect.fnUntraced(function* (
    table: string,
    parts: Parts,
    times: Pick<SessionRange, "from" | "until">
  ) {
    const [row] = yield* connections.rows(
      `SELECT count() AS count FROM ${quoted(table)} WHERE ${rowsWithin(parts, times)}`
    )
    return Number(row?.["count"] ?? 0)
  })

  /** Whether the session has rows in the table. */
  const hasRows = Effect.fnUntraced(function* (table: string, parts: Parts) {
    yield* applied(table)
    const found = yield* connections.rows(
      `SELECT session FROM ${quoted(table)} WHERE ${rowsWithin(parts, always)} LIMIT 1`
    )
    return found.length > 0
  })

  return { partsOf, ownKeyOf, boundsOf, tailsOf, count, hasRows, applied }
}

export type SessionKeys = ReturnType<typeof make>
