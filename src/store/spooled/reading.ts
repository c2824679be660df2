/** Reads a session of which the server has a beginning and the spool the rest, while points move from one to the other. */
import { Chunk, Effect, Option, Stream } from "effect"
import type { Channel, PointBatch } from "../../domain/PointBatch.ts"
import { channels } from "../../domain/PointBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import type { PointRange } from "../PointStore.ts"
import { thin } from "../thinning.ts"
import type { Sides, Store } from "./Sides.ts"

const timesOf = (range: PointRange, part: Partial<Pick<PointRange, "from" | "until">>): PointRange => ({
  ...range,
  ...part
})

/** The first batch of a range; none where it is empty. */
const head = (store: Store, range: PointRange, wanted: ReadonlyArray<Channel>) =>
  range.from < range.until
    ? Stream.runHead(store.read(range, wanted))
    : Effect.succeed(Option.none<PointBatch>())

/** The part of a `PointStore` that reads. */
export const make = (sides: Sides): Pick<Store, "bounds" | "count" | "read" | "readEvery" | "sessionIds"> => {
  const { server, spool } = sides

  /** The spool's part of a session begins here. */
  const spoolBegin = (sessionId: number) =>
    Effect.map(
      spool.store.bounds(sessionId),
      Option.map(({ first }) => first)
    )

  /** The batch at `cursor` or after, from whichever side has it; undefined at the end. */
  const batchAt = Effect.fnUntraced(function* (range: PointRange, wanted: ReadonlyArray<Channel>) {
    for (;;) {
      const begin = yield* spoolBegin(range.sessionId)
      const until = Math.min(
        range.until,
        Option.getOrElse(begin, () => Infinity)
      )
      const before = yield* sides.ask(head(server, timesOf(range, { until }), wanted))
      if (Option.isSome(before)) return before
      if (Option.isNone(begin)) return Option.none()
      const after = yield* head(
        spool.store,
        timesOf(range, { from: Math.max(range.from, begin.value) }),
        wanted
      )
      if (Option.isSome(after)) return after
      // Nothing there: the end, unless the spool was emptied in between.
      if (Option.isSome(yield* spoolBegin(range.sessionId))) return Option.none()
    }
  })

  /** Batch by batch, because the border between the two sides moves. */
  const readBoth = (range: PointRange, wanted: ReadonlyArray<Channel>) => {
    // The cursor is a time, which the answer need not have.
    const asked = wanted.includes("timestamp") ? wanted : [...wanted, "timestamp" as const]
    return Stream.paginateChunkEffect(range.from, (from) =>
      Effect.map(batchAt(timesOf(range, { from }), asked), (found) =>
        Option.match(found, {
          onNone: () => [Chunk.empty<PointBatch>(), Option.none<number>()] as const,
          onSome: (batch) => {
            const last = batch.timestamps[batch.length - 1]!
            return [Chunk.of(batch.only(wanted)), Option.some(justAfter(last))] as const
          }
        })
      )
    )
  }

  return {
    read: (range, wanted = channels) =>
      Stream.unwrap(
        Effect.map(spoolBegin(range.sessionId), (begin) =>
          Option.isNone(begin) ? server.read(range, wanted) : readBoth(range, wanted)
        )
      ),
    readEvery: (range, every) =>
      Stream.unwrap(
        Effect.map(spoolBegin(range.sessionId), (begin) =>
          Option.isNone(begin) ? server.readEvery(range, every) : thin(every)(readBoth(range, channels))
        )
      ),
    count: (range) =>
      Effect.gen(function* () {
        for (;;) {
          const begin = yield* spoolBegin(range.sessionId)
          if (Option.isNone(begin)) return yield* server.count(range)
          const before = yield* sides.ask(
            server.count(timesOf(range, { until: Math.min(range.until, begin.value) }))
          )
          const after = yield* spool.store.count(timesOf(range, { from: Math.max(range.from, begin.value) }))
          // Not, if what was counted here moved there meanwhile.
          if (Option.contains(yield* spoolBegin(range.sessionId), begin.value)) return before + after
        }
      }),
    bounds: (sessionId) =>
      Effect.gen(function* () {
        const spooled = yield* spool.store.bounds(sessionId)
        const kept = yield* sides.ask(server.bounds(sessionId))
        if (Option.isNone(spooled)) return kept
        const first = Option.match(kept, { onNone: () => Infinity, onSome: (bounds) => bounds.first })
        const last = Option.match(kept, { onNone: () => -Infinity, onSome: (bounds) => bounds.last })
        return Option.some({
          first: Math.min(first, spooled.value.first),
          last: Math.max(last, spooled.value.last)
        })
      }),
    sessionIds: Effect.zipWith(server.sessionIds, spool.store.sessionIds, (kept, spooled) =>
      [...new Set([...kept, ...spooled])].sort((a, b) => a - b)
    )
  }
}
