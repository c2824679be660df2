/** Reads a session of which the server has the beginning and the spool the rest, while rows move to the server. */
import { Chunk, Effect, Option, Stream } from "effect"
import type { PointsUnreadable, StoreUnavailable } from "../../domain/errors.ts"
import { channels, type PointBatch } from "../../domain/PointBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import type { PointRange, TimeBounds } from "../PointStore.ts"
import { thin } from "../thinning.ts"
import type { Sides, Store } from "./Sides.ts"

/** One side's rows of a session's points, or of one of its groups. */
interface Part<Name extends string> {
  readonly read: (
    range: PointRange,
    wanted: ReadonlyArray<Name>
  ) => Stream.Stream<PointBatch<Name>, PointsUnreadable>
  readonly count: (range: PointRange) => Effect.Effect<number, PointsUnreadable>
  readonly bounds: (sessionId: number) => Effect.Effect<Option.Option<TimeBounds>, StoreUnavailable>
}

const samplesOf = (store: Store, group: string): Part<string> => ({
  read: (range, wanted) => store.readSamples({ ...range, group }, wanted),
  count: (range) => store.countSamples({ ...range, group }),
  bounds: (sessionId) => store.sampleBounds(sessionId, group)
})

const timesOf = (range: PointRange, part: Partial<Pick<PointRange, "from" | "until">>): PointRange => ({
  ...range,
  ...part
})

/** The first batch of a range; none if the range is empty. */
const head = <Name extends string>(part: Part<Name>, range: PointRange, wanted: ReadonlyArray<Name>) =>
  range.from < range.until
    ? Stream.runHead(part.read(range, wanted))
    : Effect.succeed(Option.none<PointBatch<Name>>())

/** `time`: the name of the column with the times. */
const both = <Name extends string>(sides: Sides, time: Name, server: Part<Name>, spool: Part<Name>) => {
  /** The time of the session's first row in the spool. */
  const spoolBegin = (sessionId: number) =>
    Effect.map(
      spool.bounds(sessionId),
      Option.map(({ first }) => first)
    )

  /** The first batch at `cursor` or after, from the side that has it; undefined at the end. */
  const batchAt = Effect.fnUntraced(function* (range: PointRange, wanted: ReadonlyArray<Name>) {
    for (;;) {
      const begin = yield* spoolBegin(range.sessionId)
      const until = Math.min(
        range.until,
        Option.getOrElse(begin, () => Infinity)
      )
      const before = yield* sides.ask(head(server, timesOf(range, { until }), wanted))
      if (Option.isSome(before)) return before
      if (Option.isNone(begin)) return Option.none()
      const after = yield* head(spool, timesOf(range, { from: Math.max(range.from, begin.value) }), wanted)
      // If the spool's first row changed, rows are moving, and the batch found may not be the next one: look again.
      if (Option.contains(yield* spoolBegin(range.sessionId), begin.value)) return after
    }
  })

  /** Reads batch by batch, because the border between the two sides moves. */
  const readBoth = (range: PointRange, wanted: ReadonlyArray<Name>) => {
    // The cursor is a time, which the caller may not have asked for.
    const asked = wanted.includes(time) ? wanted : [...wanted, time]
    return Stream.paginateChunkEffect(range.from, (from) =>
      Effect.map(batchAt(timesOf(range, { from }), asked), (found) =>
        Option.match(found, {
          onNone: () => [Chunk.empty<PointBatch<Name>>(), Option.none<number>()] as const,
          onSome: (batch) => {
            const last = batch.timestamps[batch.length - 1]!
            return [Chunk.of(batch.only(wanted)), Option.some(justAfter(last))] as const
          }
        })
      )
    )
  }

  return {
    spoolBegin,
    readBoth,

    read: (range: PointRange, wanted: ReadonlyArray<Name>) =>
      Stream.unwrap(
        Effect.map(spoolBegin(range.sessionId), (begin) =>
          Option.isNone(begin) ? server.read(range, wanted) : readBoth(range, wanted)
        )
      ),

    count: (range: PointRange) =>
      Effect.gen(function* () {
        for (;;) {
          const begin = yield* spoolBegin(range.sessionId)
          if (Option.isNone(begin)) return yield* server.count(range)
          const before = yield* sides.ask(
            server.count(timesOf(range, { until: Math.min(range.until, begin.value) }))
          )
          const after = yield* spool.count(timesOf(range, { from: Math.max(range.from, begin.value) }))
          // If the spool's first row changed, points moved to the server in between: count again.
          if (Option.contains(yield* spoolBegin(range.sessionId), begin.value)) return before + after
        }
      }),

    bounds: (sessionId: number) =>
      Effect.gen(function* () {
        const spooled = yield* spool.bounds(sessionId)
        const kept = yield* sides.ask(server.bounds(sessionId))
        if (Option.isNone(spooled)) return kept
        const first = Option.match(kept, { onNone: () => Infinity, onSome: (bounds) => bounds.first })
        const last = Option.match(kept, { onNone: () => -Infinity, onSome: (bounds) => bounds.last })
        return Option.some({
          first: Math.min(first, spooled.value.first),
          last: Math.max(last, spooled.value.last)
        })
      })
  }
}

type Reads =
  | "bounds"
  | "count"
  | "countSamples"
  | "lastSample"
  | "read"
  | "readEvery"
  | "readSamples"
  | "sampleBounds"
  | "sampleColumns"
  | "sampleGroups"
  | "sessionIds"

const union = <A>(one: ReadonlyArray<A>, other: ReadonlyArray<A>): Array<A> => [
  ...new Set([...one, ...other])
]

/** The part of a `PointStore` that reads. */
export const make = (sides: Sides): Pick<Store, Reads> => {
  const { server, spool } = sides
  const points = both(sides, "timestamp", server, spool.store)
  const samples = (group: string) =>
    both(sides, "timestamp" as string, samplesOf(server, group), samplesOf(spool.store, group))

  return {
    read: (range, wanted = channels) => points.read(range, wanted),
    readEvery: (range, every) =>
      Stream.unwrap(
        Effect.map(points.spoolBegin(range.sessionId), (begin) =>
          Option.isNone(begin)
            ? server.readEvery(range, every)
            : thin(every)(points.readBoth(range, channels))
        )
      ),
    count: points.count,
    bounds: points.bounds,
    readSamples: (range, wanted) => samples(range.group).read(range, wanted),
    countSamples: (range) => samples(range.group).count(range),
    sampleBounds: (sessionId, group) => samples(group).bounds(sessionId),
    lastSample: (sessionId, group, time, wanted) =>
      Effect.gen(function* () {
        const { spoolBegin } = samples(group)
        const begin = yield* spoolBegin(sessionId)
        if (Option.isSome(begin) && begin.value <= time) {
          const found = yield* spool.store.lastSample(sessionId, group, time, wanted)
          if (Option.isSome(found)) return found
        }
        // The row is before the spool's part, or the spool was emptied in between.
        return yield* sides.ask(server.lastSample(sessionId, group, time, wanted))
      }),
    sampleGroups: (sessionId) =>
      Effect.zipWith(
        sides.ask(server.sampleGroups(sessionId)),
        spool.store.sampleGroups(sessionId),
        (kept, spooled) => union(kept, spooled).sort()
      ),
    sampleColumns: (sessionId, group) =>
      Effect.zipWith(
        sides.ask(server.sampleColumns(sessionId, group)),
        spool.store.sampleColumns(sessionId, group),
        union
      ),
    sessionIds: Effect.zipWith(server.sessionIds, spool.store.sessionIds, (kept, spooled) =>
      union(kept, spooled).sort((a, b) => a - b)
    )
  }
}
