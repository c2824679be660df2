/** Summarises each channel of a session over a lap. Samples are read group by group, a page at a time. */
import { Effect, Option, Stream } from "effect"
import { type ChannelSummary, ChannelSummarizer } from "../analysis/channelSummary.ts"
import { type ChannelDefinition, type GroupDefinition, POINTS } from "../domain/Dictionary.ts"
import { ABSENT, type Channel, PointBatch, type SampleBatch } from "../domain/PointBatch.ts"
import { justAfter } from "../domain/Time.ts"
import type { PointRange, PointStore } from "../store/PointStore.ts"
import { lookBack } from "./lookBack.ts"

type Store = typeof PointStore.Service

export interface SummarizedChannel extends Pick<ChannelDefinition, "name" | "unit">, ChannelSummary {}

/** The session's last point at or before `time`. */
const lastPoint = Effect.fn("channelSummaries.lastPoint")(function* (
  store: Store,
  sessionId: number,
  time: number,
  columns: ReadonlyArray<Channel>
) {
  const bounds = yield* store.bounds(sessionId)
  if (Option.isNone(bounds) || bounds.value.first > time) return Option.none<PointBatch>()
  const until = justAfter(time)
  const last = yield* lookBack(
    time,
    bounds.value.first,
    (from) => Stream.runLast(store.read({ sessionId, from, until }, columns)),
    Option.isSome
  )
  return Option.map(last, (batch) => batch.slice(batch.length - 1, batch.length))
})

const summarizeGroup = Effect.fn("channelSummaries.summarizeGroup")(function* (
  store: Store,
  { from, sessionId, until }: PointRange,
  { channels, name: group }: GroupDefinition
) {
  const columns = ["timestamp", ...channels.map(({ name }) => name)]
  const before: Option.Option<SampleBatch> = yield* group === POINTS
    ? lastPoint(store, sessionId, from, columns as ReadonlyArray<Channel>)
    : store.lastSample(sessionId, group, from, columns)
  const first = Option.map(before, ({ data }) => data)
  const summarizers = channels.map(
    ({ kind }, c) =>
      new ChannelSummarizer(
        kind,
        from,
        until,
        Option.match(first, { onNone: () => ABSENT, onSome: (row) => row[c + 1]! })
      )
  )
  const range = { sessionId, from: justAfter(from), until }
  const batches: Stream.Stream<SampleBatch, Effect.Effect.Error<ReturnType<Store["count"]>>> = group ===
  POINTS
    ? store.read(range, columns as ReadonlyArray<Channel>)
    : store.readSamples({ ...range, group }, columns)
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
