/** Reads and writes of the groups' tables. A suspended table fails only the calls that need it. */
import { Effect, Option, Stream } from "effect"
import type { SampleBatch } from "../../domain/PointBatch.ts"
import type { PointStore, SampleRange } from "../PointStore.ts"
import type { Connections } from "./Connections.ts"
import type { GroupTables } from "./groupTables.ts"
import * as Pages from "./pages.ts"
import { quoted } from "./schema.ts"
import type { SessionKeys } from "./sessionKeys.ts"

type Asked = "sampleGroups" | "sampleColumns" | "readSamples" | "countSamples" | "sampleBounds" | "lastSample"

export interface SamplesOptions {
  readonly groups: Pick<GroupTables, "find" | "groups">
  readonly keys: SessionKeys
}

export const make = (
  connections: typeof Connections.Service,
  { groups, keys: { applied, boundsOf, count, hasRows, keyOf } }: SamplesOptions
): Pick<PointStore["Type"], Asked> => {
  /** The group's table after all its writes are visible, and the session's key; none if the group has no table. */
  const located = Effect.fnUntraced(function* (
    sessionId: number,
    group: string,
    wanted: ReadonlyArray<string> = []
  ) {
    const key = yield* keyOf(sessionId)
    const found = yield* groups.find(
      group,
      wanted.filter((channel) => channel !== "timestamp")
    )
    if (found === undefined) return undefined
    yield* applied(found.table)
    const has = (channel: string) => channel === "timestamp" || found.channels.has(channel)
    return {
      ...found,
      key,
      pages: Pages.make<string>(connections, { table: found.table, channels: wanted, has })
    }
  })

  return {
    sampleGroups: Effect.fnUntraced(function* (sessionId) {
      const key = yield* keyOf(sessionId)
      const all = yield* groups.groups
      return yield* Effect.filter(all, (group) =>
        Effect.flatMap(groups.find(group, []), (found) =>
          found === undefined ? Effect.succeed(false) : hasRows(found.table, key)
        )
      )
    }),
    // Only columns with a value in this session: the table has the columns of all sessions.
    sampleColumns: Effect.fnUntraced(function* (sessionId, group) {
      const at = yield* located(sessionId, group)
      if (at === undefined) return []
      const channels = [...at.channels]
      const counts = channels.map((channel, n) => `, count(${quoted(channel)}) AS c${n}`).join("")
      const [row] = yield* connections.rows(
        `SELECT count() AS count${counts} FROM ${quoted(at.table)} WHERE session = '${at.key}'`
      )
      const has = (column: string) => Number(row?.[column] ?? 0) > 0
      return has("count") ? ["timestamp", ...channels.filter((_, n) => has(`c${n}`))] : []
    }),
    readSamples: (range: SampleRange, wanted) =>
      Stream.unwrap(
        Effect.map(located(range.sessionId, range.group, wanted), (at) =>
          at === undefined ? Stream.empty : at.pages.read(range, at.key, wanted)
        )
      ),
    countSamples: Effect.fnUntraced(function* (range) {
      const at = yield* located(range.sessionId, range.group)
      return at === undefined ? 0 : yield* count(at.table, at.key, range)
    }),
    sampleBounds: Effect.fnUntraced(function* (sessionId, group) {
      const at = yield* located(sessionId, group)
      return at === undefined ? Option.none() : yield* boundsOf(at.table, at.key)
    }),
    lastSample: Effect.fnUntraced(function* (sessionId, group, time, wanted) {
      const at = yield* located(sessionId, group, wanted)
      return at === undefined ? Option.none<SampleBatch>() : yield* at.pages.lastUntil(at.key, time, wanted)
    })
  }
}
