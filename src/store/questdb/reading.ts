/** Reads the groups' tables, including the table of points. A suspended table fails only the calls that need it. */
import { Effect, Option, Stream } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import { channels as pointChannels } from "../../domain/pointChannels.ts"
import type { RowBatch } from "../../domain/RowBatch.ts"
import type { RowStore, SessionGroup } from "../RowStore.ts"
import type { Connections } from "./Connections.ts"
import type { GroupTables } from "./groupTables.ts"
import * as Pages from "./pages.ts"
import { rowsWithin } from "./ranges.ts"
import { quoted, type Tables } from "./schema.ts"
import type { SessionKeys } from "./sessionKeys.ts"

type Reads = "bounds" | "columns" | "count" | "groups" | "last" | "read" | "readEvery"

export interface ReadingOptions {
  readonly tables: Tables
  readonly groups: Pick<GroupTables, "find" | "groups">
  readonly keys: SessionKeys
}

const ofPoints: ReadonlySet<string> = new Set(pointChannels.slice(1))

export const make = (
  connections: typeof Connections.Service,
  { groups, keys: { applied, boundsOf, count, hasRows, partsOf }, tables }: ReadingOptions
): Pick<RowStore["Type"], Reads> => {
  const tableOf = (group: string, wanted: ReadonlyArray<string>) =>
    group === POINTS
      ? Effect.succeed({ table: tables.points, channels: ofPoints })
      : groups.find(
          group,
          wanted.filter((channel) => channel !== "timestamp")
        )

  /** The group's table after all its writes are visible, and the session's parts; none if the group has no table. */
  const located = Effect.fnUntraced(function* <Name extends string>(
    { group, sessionId }: SessionGroup,
    columns: ReadonlyArray<Name> = []
  ) {
    const parts = yield* partsOf(sessionId)
    const found = yield* tableOf(group, columns)
    if (found === undefined) return undefined
    const { channels, table } = found
    yield* applied(table)
    const has = (channel: Name) => channel === "timestamp" || channels.has(channel)
    return { channels, parts, table, pages: Pages.make(connections, { table, columns, has }) }
  })

  return {
    groups: Effect.fnUntraced(function* (sessionId) {
      const parts = yield* partsOf(sessionId)
      const all = yield* Effect.filter([POINTS, ...(yield* groups.groups)], (group) =>
        Effect.flatMap(tableOf(group, []), (found) =>
          found === undefined ? Effect.succeed(false) : hasRows(found.table, parts)
        )
      )
      return all.sort()
    }),
    // Only columns with a value in this session: the table has the columns of all sessions.
    columns: Effect.fnUntraced(function* (of) {
      const at = yield* located(of)
      if (at === undefined) return []
      const channels = [...at.channels]
      const counts = channels.map((channel, n) => `, count(${quoted(channel)}) AS c${n}`).join("")
      const [row] = yield* connections.rows(
        `SELECT count() AS count${counts} FROM ${quoted(at.table)} WHERE ${rowsWithin(at.parts, { from: -Infinity, until: Infinity })}`
      )
      const has = (column: string) => Number(row?.[column] ?? 0) > 0
      if (!has("count")) return []
      return ["timestamp", ...channels.filter((_, n) => of.group === POINTS || has(`c${n}`))]
    }),
    read: (range, columns) =>
      Stream.unwrap(
        Effect.map(located(range, columns), (at) =>
          at === undefined ? Stream.empty : at.pages.read(range, at.parts)
        )
      ),
    readEvery: (range, columns, every) =>
      Stream.unwrap(
        Effect.map(located(range, columns), (at) =>
          at === undefined ? Stream.empty : at.pages.readEvery(range, at.parts, every)
        )
      ),
    last: Effect.fnUntraced(function* <Name extends string>(
      of: SessionGroup,
      time: number,
      columns: ReadonlyArray<Name>
    ) {
      const at = yield* located(of, columns)
      return at === undefined ? Option.none<RowBatch<Name>>() : yield* at.pages.lastUntil(at.parts, time)
    }),
    count: Effect.fnUntraced(function* (range) {
      const at = yield* located(range)
      return at === undefined ? 0 : yield* count(at.table, at.parts, range)
    }),
    bounds: Effect.fnUntraced(function* ({ group, sessionId }) {
      const parts = yield* partsOf(sessionId)
      const found = yield* tableOf(group, [])
      return found === undefined ? Option.none() : yield* boundsOf(found.table, parts)
    })
  }
}
