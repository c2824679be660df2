/**
 * Writes batches as rows: samples into their groups' tables, then the points. The writer remembers the key of each
 * session, and the last time written in each table, so that a retry skips stored rows. After a failure it asks the
 * server for both again.
 */
import { Effect } from "effect"
import invariant from "tiny-invariant"
import { POINTS } from "../../domain/Dictionary.ts"
import { lowerBound, sameChannels } from "../../domain/RowBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import type { SessionRows } from "../RowStore.ts"
import { type GroupTables, isRefused } from "./groupTables.ts"
import { isStorable } from "./RowEncoder.ts"
import { RowLayout } from "./RowLayout.ts"
import * as RowSender from "./RowSender.ts"
import type { Tables } from "./schema.ts"
import { SparseHours } from "./sparseHours.ts"
import type { SessionKeys } from "./sessionKeys.ts"

const none: ReadonlySet<string> = new Set()

/** The state of a table that this process writes. */
class Destination {
  readonly table: string
  /** The last time written, by key. */
  readonly tails = new Map<string, number>()
  #layouts: Array<RowLayout> = []
  #refused: ReadonlySet<string> = none

  constructor(table: string) {
    this.table = table
  }

  /** The layout of rows with these channels, without the refused ones. */
  layout(channels: ReadonlyArray<string>): RowLayout {
    const known = this.#layouts.find((layout) => sameChannels(layout.channels, channels))
    if (known !== undefined) return known
    const layout = new RowLayout(this.table, [...channels], this.#refused)
    this.#layouts.push(layout)
    return layout
  }

  /** Notes channels for which the table cannot have a column. */
  refuse(channels: ReadonlySet<string>): void {
    if (channels !== this.#refused) this.#layouts = []
    this.#refused = channels
  }

  forget(key: string): void {
    this.tails.delete(key)
    for (const layout of this.#layouts) layout.forget(key)
    this.#layouts = this.#layouts.filter((layout) => !layout.isUnused)
  }

  /** Forgets the columns and times: they may have changed. */
  doubt(): void {
    this.tails.clear()
    this.#layouts = []
  }
}

export interface WritingOptions {
  readonly rows: RowSender.RowSender
  readonly tables: Tables
  readonly groups: Pick<GroupTables, "prepare" | "tryAgain">
  readonly keys: Pick<SessionKeys, "ownKeyOf" | "tailsOf">
}

const lengthOf = (batches: ReadonlyArray<SessionRows>) =>
  batches.reduce((sum, { batch }) => sum + batch.length, 0)

/** The groups' batches, each group's together, and then the points. */
const byGroup = (batches: ReadonlyArray<SessionRows>) => {
  const grouped = new Map<string, Array<SessionRows>>()
  for (const one of batches) {
    const others = grouped.get(one.group)
    if (others === undefined) grouped.set(one.group, [one])
    else others.push(one)
  }
  return [...grouped].sort(([a], [b]) => Number(a === POINTS) - Number(b === POINTS))
}

export const make = ({ groups, keys: { ownKeyOf, tailsOf }, rows, tables }: WritingOptions) => {
  const destinations = new Map<string, Destination>()
  /** Keys of the sessions that this process writes. Another process never removes a session that is being recorded. */
  const writing = new Map<number, string>()
  const hours = new SparseHours()

  const destination = (table: string) => {
    const known = destinations.get(table) ?? new Destination(table)
    destinations.set(table, known)
    return known
  }

  /** The destination of a group's rows; undefined if none of them can be kept. */
  const prepared = Effect.fnUntraced(function* (group: string, batches: ReadonlyArray<SessionRows>) {
    if (group === POINTS) return destination(tables.points)
    const wanted = new Set<string>()
    let seen: ReadonlyArray<string> | undefined
    for (const { batch } of batches) {
      invariant(batch.channels[0] === "timestamp", "the first column of samples is their time")
      if (batch.channels !== seen) for (const channel of batch.channels.slice(1)) wanted.add(channel)
      seen = batch.channels
    }
    const table = yield* groups.prepare(group, [...wanted])
    if (isRefused(table)) {
      yield* RowSender.countRefused(lengthOf(batches))
      return undefined
    }
    const { refused } = table
    if (refused.size > 0) {
      const lacks = ({ batch }: SessionRows) => batch.channels.some((channel) => refused.has(channel))
      yield* RowSender.countRefused(lengthOf(batches.filter(lacks)))
    }
    const to = destination(table.table)
    to.refuse(refused)
    return to
  })

  const runsOf = Effect.fnUntraced(function* (
    group: string,
    batches: ReadonlyArray<SessionRows>,
    keys: ReadonlyMap<number, string>
  ) {
    const into = yield* prepared(group, batches)
    if (into === undefined) return []
    const unknown = new Set(batches.map(({ sessionId }) => keys.get(sessionId)!))
    for (const key of into.tails.keys()) unknown.delete(key)
    if (unknown.size > 0) {
      const asked = yield* tailsOf(into.table, [...unknown])
      for (const key of unknown) into.tails.set(key, asked.get(key) ?? -Infinity)
    }
    const last = new Map<string, number>()
    const runs: Array<RowSender.RowRange> = []
    for (const { batch, sessionId } of batches) {
      const key = keys.get(sessionId)!
      const times = batch.timestamps
      const from = lowerBound(times, justAfter(last.get(key) ?? into.tails.get(key)!))
      // Times increase, so rows that cannot be kept are at the beginning and the end.
      const first = Math.max(from, lowerBound(times, 0))
      let to = times.length
      while (to > first && !isStorable(times[to - 1]!)) to--
      if (first > from || to < times.length) {
        const refused = first - from + times.length - to
        yield* RowSender.refuse(refused, group, "its time is not within the years 1970 to 2261")
      }
      if (to > first) {
        runs.push({ layout: into.layout(batch.channels), group, key, batch, from: first, to })
        last.set(key, times[to - 1]!)
      }
    }
    return [{ into, last, runs }]
  })

  const write = Effect.fn("QuestdbRowStore.write")(function* (batches: ReadonlyArray<SessionRows>) {
    const keys = new Map<number, string>()
    for (const { sessionId } of batches) {
      if (!keys.has(sessionId)) keys.set(sessionId, yield* keyFor(sessionId))
    }
    const all = (yield* Effect.forEach(byGroup(batches), ([group, of]) => runsOf(group, of, keys))).flat()
    yield* rows.send(all.flatMap(({ runs }) => runs))
    for (const { into, last } of all) for (const [key, time] of last) into.tails.set(key, time)
    for (const { batch, group, sessionId } of batches) {
      const sparse = group === POINTS ? hours.add(sessionId, batch.timestamps) : undefined
      if (sparse !== undefined) yield* Effect.logWarning(sparse)
    }
  })

  const keyFor = Effect.fnUntraced(function* (sessionId: number) {
    const key = writing.get(sessionId) ?? (yield* ownKeyOf(sessionId))
    writing.set(sessionId, key)
    return key
  })

  return {
    write,
    forget: (sessionId: number) => {
      const key = writing.get(sessionId)
      writing.delete(sessionId)
      hours.forget(sessionId)
      groups.tryAgain()
      if (key !== undefined) for (const one of destinations.values()) one.forget(key)
    },
    /** Makes the next write ask the server which rows it has stored. */
    doubt: () => {
      for (const one of destinations.values()) one.doubt()
      writing.clear()
    }
  }
}
