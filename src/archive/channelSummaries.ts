/** Summarises each channel of a session over a lap. Samples are read group by group, a page at a time. */
import { Effect, Option, Stream } from "effect"
import { type ChannelSummary, ChannelSummarizer } from "../analysis/channelSummary.ts"
import { type ChannelDefinition, type GroupDefinition, POINTS } from "../domain/Dictionary.ts"
import type { SessionUnreadable } from "../domain/errors.ts"
import type { Channel, SampleBatch } from "../domain/PointBatch.ts"
import { justAfter } from "../domain/Time.ts"
import type { PointRange, PointStore } from "../store/PointStore.ts"
import { lookBack } from "./lookBack.ts"
import { samplesFrom } from "./samplesFrom.ts"

type Store = typeof PointStore.Service

export interface SummarizedChannel extends Pick<ChannelDefinition, "name" | "unit">, ChannelSummary {}

/** The session's points, "timestamp" first, from the last one that is not after `from`: its values hold there. */
const pointsFrom = (
  store: Store,
  { from, sessionId, until }: PointRange,
  columns: ReadonlyArray<Channel>
): Stream.Stream<SampleBatch, SessionUnreadable> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const bounds = yield* store.bounds(sessionId)
      const oldest = Option.match(bounds, { onNone: () => from, onSome: ({ first }) => first })
      const last = yield* lookBack(
        from,
        oldest,
        (since) =>
          Stream.runLast(store.read({ sessionId, from: since, until: justAfter(from) }, ["timestamp"])),
        Option.isSome
      )
      const first = Option.match(last, { onNone: () => from, onSome: ({ timestamps }) => timestamps.at(-1)! })
      return store.read({ sessionId, from: first, until }, columns)
    })
  )

const summarizeGroup = Effect.fn("channelSummaries.summarizeGroup")(function* (
  store: Store,
  range: PointRange,
  { channels, name: group }: GroupDefinition
) {
  const names = channels.map(({ name }) => name)
  const summarizers = channels.map(({ kind }) => new ChannelSummarizer(kind, range.from, range.until))
  const batches =
    group === POINTS
      ? pointsFrom(store, range, ["timestamp", ...names] as ReadonlyArray<Channel>)
      : samplesFrom(store, { ...range, group }, names)
  yield* Stream.runForEach(batches, ({ data, length, timestamps }) =>
    Effect.sync(() =>
      summarizers.forEach((summarizer, c) => summarizer.add(timestamps, data, (c + 1) * length))
    )
  )
  return channels.map(({ name, unit }, c): SummarizedChannel => ({
    name,
    unit,
    ...summarizers[c]!.summary()
  }))
})

/** Summarises the rows with `from` <= time < `until`, and the values that held before them. */
export const summarize = (store: Store, range: PointRange, groups: ReadonlyArray<GroupDefinition>) =>
  Effect.map(
    Effect.forEach(groups, (group) => summarizeGroup(store, range, group)),
    (all) => all.flat()
  )
