/** Points in memory: of each session one batch, which grows. */
import { Chunk, Effect, Option, Stream } from "effect"
import { ABSENT, type Channel, channels, lowerBound, PointBatch } from "../../src/domain/PointBatch.ts"
import { justAfter } from "../../src/domain/Time.ts"
import type { PointRange, SessionPoints } from "../../src/store/PointStore.ts"

/** As large as a block of the embedded store. */
const PAGE_POINTS = 4096
const POINT_BYTES = 8 * channels.length

export class MemoryPoints {
  readonly #kept = new Map<number, PointBatch>()

  of(sessionId: number): PointBatch {
    return this.#kept.get(sessionId) ?? PointBatch.allocate(0)
  }

  timesOf(sessionId: number): ReadonlyArray<number> {
    return [...this.of(sessionId).timestamps]
  }

  get size(): number {
    return this.#kept.size
  }

  keys(): IterableIterator<number> {
    return this.#kept.keys()
  }

  /** The times of each session. */
  values(): ReadonlyArray<ReadonlyArray<number>> {
    return [...this.keys()].map((id) => this.timesOf(id))
  }

  *[Symbol.iterator](): IterableIterator<[number, ReadonlyArray<number>]> {
    for (const id of this.keys()) yield [id, this.timesOf(id)]
  }

  /** Points at these times that say nothing else. */
  set(sessionId: number, times: ReadonlyArray<number>): void {
    const batch = PointBatch.allocate(times.length)
    batch.data.fill(ABSENT)
    batch.timestamps.set(times)
    this.#kept.set(sessionId, batch)
  }

  write({ batch, sessionId }: SessionPoints): void {
    const kept = this.of(sessionId)
    const last = kept.timestamps.at(-1) ?? -Infinity
    const fresh = batch.slice(lowerBound(batch.timestamps, justAfter(last)), batch.length)
    if (fresh.length > 0) this.#kept.set(sessionId, PointBatch.concat([kept, fresh]))
  }

  delete(sessionId: number): void {
    this.#kept.delete(sessionId)
  }

  sessionIds(): ReadonlyArray<number> {
    return [...this.#kept.keys()].sort((a, b) => a - b)
  }

  within({ from, sessionId, until }: PointRange): PointBatch {
    const kept = this.of(sessionId)
    const begin = lowerBound(kept.timestamps, from)
    return kept.slice(begin, Math.max(begin, lowerBound(kept.timestamps, until)))
  }

  read(range: PointRange, wanted: ReadonlyArray<Channel> = channels): Stream.Stream<PointBatch> {
    return Stream.paginateChunkEffect(range.from, (from) =>
      Effect.sync(() => {
        const rest = this.within({ ...range, from })
        if (rest.length === 0) return [Chunk.empty<PointBatch>(), Option.none<number>()]
        const page = rest.slice(0, Math.min(PAGE_POINTS, rest.length))
        return [Chunk.of(page.only(wanted)), Option.some(justAfter(page.timestamps.at(-1)!))]
      })
    )
  }

  bounds(sessionId: number) {
    const times = this.of(sessionId).timestamps
    return Option.map(Option.fromNullable(times[0]), (first) => ({ first, last: times.at(-1)! }))
  }

  bytes(): number {
    let points = 0
    for (const batch of this.#kept.values()) points += batch.length
    return POINT_BYTES * points
  }
}
