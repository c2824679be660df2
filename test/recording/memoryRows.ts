/** Rows in memory: one growing batch for each group of a session. */
import { Chunk, Effect, Option, Stream } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { ABSENT, lowerBound, RowBatch } from "../../src/domain/RowBatch.ts"
import { justAfter } from "../../src/domain/Time.ts"
import type { RowRange, SessionGroup, SessionRows } from "../../src/store/RowStore.ts"
import { widened } from "../../src/store/widened.ts"

/** As large as a block of the embedded store. */
const PAGE_ROWS = 4096
const none: RowBatch = RowBatch.allocate(0, ["timestamp"])

/** The rows with the wanted columns, whose names the caller has chosen. */
const columnsOf = <Name extends string>(batch: RowBatch, wanted: ReadonlyArray<Name>) =>
  widened(batch, wanted) as RowBatch<Name>

export class MemoryRows {
  readonly #kept = new Map<number, Map<string, RowBatch>>()

  of({ group, sessionId }: SessionGroup): RowBatch {
    return this.#kept.get(sessionId)?.get(group) ?? none
  }

  /** The times of a session's points. */
  timesOf(sessionId: number): ReadonlyArray<number> {
    return [...this.of({ sessionId, group: POINTS }).timestamps]
  }

  /** Points at these times with no other values. */
  set(sessionId: number, times: ReadonlyArray<number>): void {
    const batch = RowBatch.allocate<string>(times.length, channels)
    batch.data.fill(ABSENT)
    batch.timestamps.set(times)
    this.#kept.set(sessionId, new Map([[POINTS, batch]]))
  }

  write({ batch, group, sessionId }: SessionRows): void {
    const kept = this.of({ sessionId, group })
    const last = kept.timestamps.at(-1) ?? -Infinity
    const fresh = batch.slice(lowerBound(batch.timestamps, justAfter(last)), batch.length)
    if (fresh.length === 0) return
    const columns = [...new Set([...kept.channels, ...fresh.channels])]
    const groups = this.#kept.get(sessionId) ?? new Map<string, RowBatch>()
    groups.set(group, RowBatch.concat([widened(kept, columns), widened(fresh, columns)]))
    this.#kept.set(sessionId, groups)
  }

  delete(sessionId: number): void {
    this.#kept.delete(sessionId)
  }

  sessionIds(): ReadonlyArray<number> {
    return [...this.#kept.keys()].sort((a, b) => a - b)
  }

  groups(sessionId: number): ReadonlyArray<string> {
    return [...(this.#kept.get(sessionId)?.keys() ?? [])].sort()
  }

  columns({ group, sessionId }: SessionGroup): ReadonlyArray<string> {
    return this.#kept.get(sessionId)?.get(group)?.channels ?? []
  }

  within({ from, group, sessionId, until }: RowRange): RowBatch {
    const kept = this.of({ sessionId, group })
    const begin = lowerBound(kept.timestamps, from)
    return kept.slice(begin, Math.max(begin, lowerBound(kept.timestamps, until)))
  }

  read<Name extends string>(range: RowRange, wanted: ReadonlyArray<Name>): Stream.Stream<RowBatch<Name>> {
    return Stream.paginateChunkEffect(range.from, (from) =>
      Effect.sync(() => {
        const rest = this.within({ ...range, from })
        if (rest.length === 0) return [Chunk.empty<RowBatch<Name>>(), Option.none<number>()]
        const page = rest.slice(0, Math.min(PAGE_ROWS, rest.length))
        return [Chunk.of(columnsOf(page, wanted)), Option.some(justAfter(page.timestamps.at(-1)!))]
      })
    )
  }

  bounds(of: SessionGroup) {
    const times = this.of(of).timestamps
    return Option.map(Option.fromNullable(times[0]), (first) => ({ first, last: times.at(-1)! }))
  }

  last<Name extends string>(of: SessionGroup, time: number, wanted: ReadonlyArray<Name>) {
    const kept = this.of(of)
    const end = lowerBound(kept.timestamps, justAfter(time))
    return end === 0 ? Option.none() : Option.some(columnsOf(kept.slice(end - 1, end), wanted))
  }

  bytes(): number {
    let values = 0
    for (const groups of this.#kept.values()) for (const { data } of groups.values()) values += data.length
    return 8 * values
  }
}
