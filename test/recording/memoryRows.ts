/** Samples in memory: of each group of a session one batch, which grows in both directions. */
import { Chunk, Effect, Option, Stream } from "effect"
import { lowerBound, PointBatch, type SampleBatch } from "../../src/domain/PointBatch.ts"
import { justAfter } from "../../src/domain/Time.ts"
import type { SampleRange, SessionSamples } from "../../src/store/PointStore.ts"
import { widened } from "../../src/store/widened.ts"

const PAGE_SAMPLES = 4096
const none: SampleBatch = PointBatch.allocate(0, ["timestamp"])

export class MemorySamples {
  readonly #kept = new Map<number, Map<string, SampleBatch>>()

  of(sessionId: number, group: string): SampleBatch {
    return this.#kept.get(sessionId)?.get(group) ?? none
  }

  write({ batch, group, sessionId }: SessionSamples): void {
    const kept = this.of(sessionId, group)
    const last = kept.timestamps.at(-1) ?? -Infinity
    const fresh = batch.slice(lowerBound(batch.timestamps, justAfter(last)), batch.length)
    if (fresh.length === 0) return
    const columns = [...new Set([...kept.channels, ...fresh.channels])]
    const groups = this.#kept.get(sessionId) ?? new Map<string, SampleBatch>()
    groups.set(group, PointBatch.concat([widened(kept, columns), widened(fresh, columns)]))
    this.#kept.set(sessionId, groups)
  }

  delete(sessionId: number): void {
    this.#kept.delete(sessionId)
  }

  sessionIds(): ReadonlyArray<number> {
    return [...this.#kept.keys()]
  }

  groups(sessionId: number): ReadonlyArray<string> {
    return [...(this.#kept.get(sessionId)?.keys() ?? [])].sort()
  }

  columns(sessionId: number, group: string): ReadonlyArray<string> {
    return this.#kept.get(sessionId)?.get(group)?.channels ?? []
  }

  within({ from, group, sessionId, until }: SampleRange): SampleBatch {
    const kept = this.of(sessionId, group)
    const begin = lowerBound(kept.timestamps, from)
    return kept.slice(begin, Math.max(begin, lowerBound(kept.timestamps, until)))
  }

  read(range: SampleRange, wanted: ReadonlyArray<string>): Stream.Stream<SampleBatch> {
    return Stream.paginateChunkEffect(range.from, (from) =>
      Effect.sync(() => {
        const rest = this.within({ ...range, from })
        if (rest.length === 0) return [Chunk.empty<SampleBatch>(), Option.none<number>()]
        const page = rest.slice(0, Math.min(PAGE_SAMPLES, rest.length))
        return [Chunk.of(widened(page, wanted)), Option.some(justAfter(page.timestamps.at(-1)!))]
      })
    )
  }

  bounds(sessionId: number, group: string) {
    const times = this.of(sessionId, group).timestamps
    return Option.map(Option.fromNullable(times[0]), (first) => ({ first, last: times.at(-1)! }))
  }

  last(sessionId: number, group: string, time: number, wanted: ReadonlyArray<string>) {
    const kept = this.of(sessionId, group)
    const end = lowerBound(kept.timestamps, justAfter(time))
    return end === 0 ? Option.none() : Option.some(widened(kept.slice(end - 1, end), wanted))
  }

  bytes(): number {
    let values = 0
    for (const groups of this.#kept.values()) for (const { data } of groups.values()) values += data.length
    return 8 * values
  }
}
