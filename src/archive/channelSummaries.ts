/** Summarises each channel of a session over a lap. Samples are read group by group, a page at a time. */
import { Effect, Stream } from "effect"
import { type ChannelSummary, ChannelSummarizer } from "../analysis/channelSummary.ts"
import type { ChannelDefinition, GroupDefinition } from "../domain/Dictionary.ts"
import type { RowStore, SessionRange } from "../store/RowStore.ts"
import { samplesFrom } from "./samplesFrom.ts"

type Store = typeof RowStore.Service

export interface SummarizedChannel extends Pick<ChannelDefinition, "name" | "unit">, ChannelSummary {}

const summarizeGroup = Effect.fn("channelSummaries.summarizeGroup")(function* (
  store: Store,
  range: SessionRange,
  { channels, name: group }: GroupDefinition
) {
  const names = channels.map(({ name }) => name)
  const summarizers = channels.map(({ kind }) => new ChannelSummarizer(kind, range.from, range.until))
  yield* Stream.runForEach(samplesFrom(store, { ...range, group }, names), ({ data, length, timestamps }) =>
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
export const summarize = (store: Store, range: SessionRange, groups: ReadonlyArray<GroupDefinition>) =>
  Effect.map(
    Effect.forEach(groups, (group) => summarizeGroup(store, range, group)),
    (all) => all.flat()
  )
