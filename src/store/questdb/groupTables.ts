/**
 * Finds, creates and extends the tables of the groups.
 *
 * A group's table has the name of its group, and another program may have a table of that name. So the service keeps a
 * list of its own tables: it first notes the group, and then creates the table. It adds a column before the first row
 * that has it.
 *
 * Hard case: a table or column that can never be created (too many of them, or one of another program) must not stop the rest
 * of the recording. It is refused, logged once, and tried again when a session ends. A statement that fails for a reason that
 * may pass (the disk is full) fails like a server that is away: the spool gets the rows then.
 */
import { Effect } from "effect"
import type { Connections } from "./Connections.ts"
import { columnAdded, groupDefinition, groupTable, rowColumns, type Tables } from "./schema.ts"
import * as Columns from "./tableColumns.ts"
import { ensureApplied } from "./tableHealth.ts"

/** Each table, and each column of it, takes memory and open files of the server. */
export const MAX_GROUP_TABLES = 64
/** Columns of channels, not counting session and times. */
export const MAX_GROUP_COLUMNS = 1024

/** A group's table, with the channels for which it has columns. */
export interface GroupTable {
  readonly group: string
  readonly table: string
  readonly channels: ReadonlySet<string>
  /** Channels for which the table cannot have a column. */
  readonly refused: ReadonlySet<string>
}

/** A group that cannot have a table. */
interface RefusedGroup {
  readonly group: string
  readonly reason: string
}

export type Prepared = GroupTable | RefusedGroup

export const isRefused = (prepared: Prepared): prepared is RefusedGroup => "reason" in prepared

const none: ReadonlySet<string> = new Set()

const isOurs = (columns: ReadonlyArray<Columns.Column>) =>
  Object.entries(rowColumns).every(([name, type]) =>
    columns.some((column) => column.name === name && column.type === type)
  )

const channelsOf = (columns: ReadonlyArray<Columns.Column>) =>
  new Set(
    columns.filter(({ name, type }) => type === "DOUBLE" && !(name in rowColumns)).map(({ name }) => name)
  )

export interface GroupTablesOptions {
  readonly tables: Tables
  readonly prefix: string
  readonly ttl: string | undefined
}

export const make = (
  { rows }: Pick<(typeof Connections)["Service"], "rows">,
  { prefix, tables, ttl }: GroupTablesOptions
) => {
  const ask = { rows }
  const known = new Map<string, GroupTable>()
  const refusedGroups = new Map<string, RefusedGroup>()

  const existing = Columns.tablesThere(ask)

  /** The groups that were noted; none on a server without our list. */
  const noted = Effect.fnUntraced(function* (there: ReadonlySet<string>) {
    if (!there.has(tables.groups)) return []
    yield* ensureApplied(ask, tables.groups)
    const found = yield* rows(`SELECT DISTINCT "group" FROM ${tables.groups}`)
    return found.map((row) => String(row["group"])).sort()
  })

  /** The groups that have a table, sorted. */
  const groups = Effect.gen(function* () {
    const there = yield* existing
    return (yield* noted(there)).filter((group) => there.has(groupTable(prefix, group)))
  })

  /** The columns of a table, after everything that was done to it is visible. */
  const columnsOf = Effect.fnUntraced(function* (table: string) {
    yield* ensureApplied(ask, table)
    return yield* Columns.columnsOf(ask, table)
  })

  const lookedUp = Effect.fnUntraced(function* (group: string) {
    const table = groupTable(prefix, group)
    const columns = yield* columnsOf(table)
    // These columns stay among the channels, so that a read of one fails. Otherwise its values would seem absent.
    const altered = columns.filter((column) => Columns.isAltered(column)).map(({ name }) => name)
    const channels = new Set([...channelsOf(columns), ...altered])
    const found: GroupTable = { group, table, channels, refused: known.get(group)?.refused ?? none }
    known.set(group, found)
    return found
  })

  const refuseGroup = (group: string, reason: string) => {
    const refused: RefusedGroup = { group, reason }
    refusedGroups.set(group, refused)
    return Effect.as(Effect.logError(`QuestDB cannot keep samples of ${group}: ${reason}`), refused)
  }

  /** The group's table, created if it does not exist; or why it cannot be created. */
  const tableFor = Effect.fnUntraced(function* (group: string, wanted: ReadonlyArray<string>) {
    const table = groupTable(prefix, group)
    const there = yield* existing
    const all = yield* noted(there)
    const isNoted = all.includes(group)
    if (!isNoted && there.has(table)) {
      return yield* refuseGroup(group, `there is a table ${table} that this service has not made`)
    }
    if (!isNoted && all.length >= MAX_GROUP_TABLES) {
      return yield* refuseGroup(
        group,
        `there are tables for ${MAX_GROUP_TABLES} groups, which is all that there may be`
      )
    }
    if (!isNoted) {
      yield* rows(`INSERT INTO ${tables.groups} ("group", ts) VALUES ($1, 0::timestamp)`, [group])
      yield* ensureApplied(ask, tables.groups)
    }
    yield* rows(groupDefinition(table, wanted.slice(0, MAX_GROUP_COLUMNS), ttl))
    const columns = yield* columnsOf(table)
    if (!isOurs(columns)) {
      return yield* refuseGroup(group, `its table ${table} has other columns than the service gave it`)
    }
    return columns
  })

  const make = Effect.fn("groupTables.make")(function* (group: string, wanted: ReadonlyArray<string>) {
    const columns = yield* tableFor(group, wanted)
    if ("reason" in columns) return columns
    const table = groupTable(prefix, group)
    const before = channelsOf(columns)
    const names = new Set(columns.map(({ name }) => name))
    const isAnothers = (channel: string) => names.has(channel) && !before.has(channel)
    const lacking = wanted.filter((channel) => !names.has(channel))
    const added = lacking.slice(0, Math.max(0, MAX_GROUP_COLUMNS - before.size))
    for (const channel of added) yield* rows(columnAdded(table, channel))
    const refuse = (channels: ReadonlyArray<string>, reason: string) =>
      channels.length === 0
        ? Effect.void
        : Effect.logError(`QuestDB cannot keep ${channels.join(", ")} of ${group}: ${reason}`)
    const others = wanted.filter(isAnothers)
    const beyond = lacking.slice(added.length)
    yield* refuse(others, `the table ${table} has columns of these names that are no DOUBLE`)
    yield* refuse(
      beyond,
      `the table ${table} has ${MAX_GROUP_COLUMNS} channels, which is all that it may have`
    )
    const refused = [...others, ...beyond]
    const made: GroupTable = {
      group,
      table,
      channels: new Set([...before, ...added]),
      refused: refused.length === 0 ? none : new Set(refused)
    }
    known.set(group, made)
    return made
  })

  return {
    groups,
    /** The group's table, for reading its channels; undefined if it has none. */
    find: Effect.fnUntraced(function* (group: string, wanted: ReadonlyArray<string>) {
      const found = known.get(group)
      if (found !== undefined && wanted.every((channel) => found.channels.has(channel))) return found
      return (yield* groups).includes(group) ? yield* lookedUp(group) : undefined
    }),
    /** The group's table, with a column for each of these channels that can have one. */
    prepare: Effect.fnUntraced(function* (group: string, wanted: ReadonlyArray<string>) {
      const refused = refusedGroups.get(group)
      if (refused !== undefined) return refused
      const found = known.get(group)
      const has = (channel: string) => found!.channels.has(channel) || found!.refused.has(channel)
      return found !== undefined && wanted.every(has) ? found : yield* make(group, wanted)
    }),
    /** Makes the next caller try refused groups and channels again. */
    tryAgain: () => {
      refusedGroups.clear()
      for (const [group, table] of known) if (table.refused.size > 0) known.delete(group)
    },
    /** Forgets the tables: the server may be another one. */
    doubt: () => {
      refusedGroups.clear()
      known.clear()
    }
  }
}

export type GroupTables = ReturnType<typeof make>
