/** Reads a group of a session while rows move to the server: the server has the beginning, the spool has the rest. */
import { Chunk, Effect, Option, Stream } from "effect"
import type { RowBatch } from "../../domain/RowBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import type { RowRange, SessionGroup } from "../RowStore.ts"
import { thin } from "../thinning.ts"
import type { Sides, Store } from "./Sides.ts"

type Reads = "bounds" | "columns" | "count" | "groups" | "last" | "read" | "readEvery" | "sessionIds"

const union = <A>(one: ReadonlyArray<A>, other: ReadonlyArray<A>): Array<A> => [
  ...new Set([...one, ...other])
]

/** The first batch of a range; none if the range is empty. */
const head = <Name extends string>(store: Store, range: RowRange, columns: ReadonlyArray<Name>) =>
  range.from < range.until
    ? Stream.runHead(store.read(range, columns))
    : Effect.succeed(Option.none<RowBatch<Name>>())

/** The part of a `RowStore` that reads. */
export const make = (sides: Sides): Pick<Store, Reads> => {
  const { server } = sides
  const spool = sides.spool.store

  /** The group's rows in the spool; none if they do not count. */
  const spoolBounds = Effect.fnUntraced(function* (of: SessionGroup) {
    const bounds = yield* spool.bounds(of)
    if (Option.isNone(bounds)) return bounds
    return (yield* sides.countUntil(of.sessionId)) < bounds.value.first ? Option.none() : bounds
  })

  /** The time of the group's first row in the spool. */
  const spoolBegin = (of: SessionGroup) =>
    Effect.map(
      spoolBounds(of),
      Option.map(({ first }) => first)
    )

  /** The first batch of the range, from the side that has it; none at the end. */
  const batchAt = Effect.fnUntraced(function* <Name extends string>(
    range: RowRange,
    columns: ReadonlyArray<Name>
  ) {
    for (;;) {
      const begin = yield* spoolBegin(range)
      const until = Math.min(
        range.until,
        Option.getOrElse(begin, () => Infinity)
      )
      const before = yield* sides.ask(head(server, { ...range, until }, columns))
      if (Option.isSome(before)) return before
      if (Option.isNone(begin)) return Option.none()
      const after = yield* head(spool, { ...range, from: Math.max(range.from, begin.value) }, columns)
      // If the spool's first row changed, rows are moving, and the batch found may not be the next one: look again.
      if (Option.contains(yield* spoolBegin(range), begin.value)) return after
    }
  })

  /** Reads batch by batch, because the border between the two sides moves. */
  const readBoth = <Name extends string>(range: RowRange, columns: ReadonlyArray<Name>) => {
    // The cursor is a time, so the read includes the time even if the caller did not ask for it.
    const time = "timestamp" as Name
    const asked = columns.includes(time) ? columns : [...columns, time]
    return Stream.paginateChunkEffect(range.from, (from) =>
      Effect.map(batchAt({ ...range, from }, asked), (found) =>
        Option.match(found, {
          onNone: () => [Chunk.empty<RowBatch<Name>>(), Option.none<number>()] as const,
          onSome: (batch) => {
            const last = batch.timestamps[batch.length - 1]!
            return [Chunk.of(batch.only(columns)), Option.some(justAfter(last))] as const
          }
        })
      )
    )
  }

  return {
    read: (range, columns) =>
      Stream.unwrap(
        Effect.map(spoolBegin(range), (begin) =>
          Option.isNone(begin) ? server.read(range, columns) : readBoth(range, columns)
        )
      ),
    readEvery: (range, columns, every) =>
      Stream.unwrap(
        Effect.map(spoolBegin(range), (begin) =>
          Option.isNone(begin)
            ? server.readEvery(range, columns, every)
            : thin(every)(readBoth(range, columns))
        )
      ),
    last: (of, time, columns) =>
      Effect.gen(function* () {
        const begin = yield* spoolBegin(of)
        if (Option.isSome(begin) && begin.value <= time) {
          const found = yield* spool.last(of, time, columns)
          if (Option.isSome(found)) return found
        }
        // The row is before the spool's part, or the spool was emptied in between.
        return yield* sides.ask(server.last(of, time, columns))
      }),
    count: (range) =>
      Effect.gen(function* () {
        for (;;) {
          const begin = yield* spoolBegin(range)
          if (Option.isNone(begin)) return yield* server.count(range)
          const before = yield* sides.ask(
            server.count({ ...range, until: Math.min(range.until, begin.value) })
          )
          const after = yield* spool.count({ ...range, from: Math.max(range.from, begin.value) })
          // If the spool's first row changed, rows moved to the server in between: count again.
          if (Option.contains(yield* spoolBegin(range), begin.value)) return before + after
        }
      }),
    bounds: (of) =>
      Effect.gen(function* () {
        const spooled = yield* spoolBounds(of)
        const kept = yield* sides.ask(server.bounds(of))
        if (Option.isNone(spooled)) return kept
        const first = Option.match(kept, { onNone: () => Infinity, onSome: (bounds) => bounds.first })
        const last = Option.match(kept, { onNone: () => -Infinity, onSome: (bounds) => bounds.last })
        return Option.some({
          first: Math.min(first, spooled.value.first),
          last: Math.max(last, spooled.value.last)
        })
      }),
    groups: (sessionId) =>
      Effect.zipWith(sides.ask(server.groups(sessionId)), spool.groups(sessionId), (kept, spooled) =>
        union(kept, spooled).sort()
      ),
    columns: (of) => Effect.zipWith(sides.ask(server.columns(of)), spool.columns(of), union),
    sessionIds: Effect.zipWith(server.sessionIds, spool.sessionIds, (kept, spooled) =>
      union(kept, spooled).sort((a, b) => a - b)
    )
  }
}
