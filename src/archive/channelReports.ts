/**
 * Channels of a session over many spans of time: summaries by lap and sector, and the time at their values. The rows of a group are
 * read once for all spans, a page at a time, and only the wanted columns.
 */
import { Effect, Option, Stream } from "effect"
import { type ChannelSummary, ChannelSummarizer } from "../analysis/channelSummary.ts"
import { binsOver, type Bins, Histogram } from "../analysis/histogram.ts"
import { SpannedRows } from "../analysis/spannedRows.ts"
import { type ChannelDefinition, type GroupDefinition, POINTS } from "../domain/Dictionary.ts"
import { InvalidValue } from "../domain/errors.ts"
import type { LapSpan, RecordedLap } from "../domain/Lap.ts"
import { justAfter } from "../domain/Time.ts"
import { Dictionaries } from "../store/Dictionaries.ts"
import { Laps } from "../store/Laps.ts"
import { RowStore } from "../store/RowStore.ts"
import { groupsOf } from "./channelList.ts"
import { isWhole } from "./chosenRows.ts"
import { dictionaryOf } from "./dictionaryOf.ts"
import { samplesFrom } from "./samplesFrom.ts"

/** The maximum number of channels of one report: a session of 500 laps is then some megabytes. */
export const MAX_REPORTED = 32
/** The maximum number of laps of one histogram, as of one comparison. */
export const MAX_COUNTED_LAPS = 20
const MAX_BINS = 2000

/** A value holds at most this long, and so many usual intervals of its group, s. */
const HOLDS_S = 2
const HOLDS_INTERVALS = 5

/** A span of a session; `lap` is null for the whole session, and `sector` for a whole lap. */
export interface ReportedSpan extends LapSpan {
  readonly lap: RecordedLap | null
  readonly sector: 1 | 2 | 3 | null
}

/** The wanted channels of a session, by group; by default those of its points. A name that its simulator does not send is refused. */
const groupsWith = Effect.fnUntraced(function* (sessionId: number, names?: ReadonlyArray<string>) {
  const dictionary = yield* dictionaryOf(yield* Dictionaries, yield* RowStore, sessionId)
  const groups = groupsOf(dictionary).map(({ channels, name }): GroupDefinition => ({
    name,
    channels: channels.filter((channel) => channel.name !== "timestamp")
  }))
  if (names === undefined) return groups.filter(({ name }) => name === POINTS)
  const known = groups.flatMap(({ channels }) => channels.map(({ name }) => name))
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const which = known.length === 0 ? "left out, since there are none" : `among ${known.join(", ")}`
    return yield* new InvalidValue({ name: "channels", value: unknown, expected: which })
  }
  return groups
    .map(({ channels, name: group }) => ({
      name: group,
      channels: channels.filter(({ name }) => names.includes(name))
    }))
    .filter(({ channels }) => channels.length > 0)
})

/** The sectors of a lap, of which the last one ends with the lap; none if the first two were not timed. */
const sectorsOf = (lap: RecordedLap): ReadonlyArray<ReportedSpan> => {
  const { endTime, sector1Time, sector2Time, startTime } = lap
  if (sector1Time === null || sector2Time === null) return []
  const second = startTime + sector1Time
  const third = second + sector2Time
  if (!(startTime < second && second < third && third < endTime)) return []
  return [
    { lap, sector: 1, startTime, endTime: second },
    { lap, sector: 2, startTime: second, endTime: third },
    { lap, sector: 3, startTime: third, endTime }
  ]
}

/** From the session's first point to its last, and to the ends of its laps; none without points. */
const wholeOf = Effect.fnUntraced(function* (sessionId: number, laps: ReadonlyArray<RecordedLap>) {
  const bounds = yield* (yield* RowStore).bounds({ sessionId, group: POINTS })
  return Option.map(bounds, ({ first, last }): ReportedSpan => ({
    lap: null,
    sector: null,
    startTime: Math.min(first, ...laps.map(({ startTime }) => startTime)),
    endTime: Math.max(justAfter(last), ...laps.map(({ endTime }) => endTime))
  }))
})

/** The samples of a group in a span, from the one that holds at its start. */
const samplesIn = Effect.fnUntraced(function* (
  sessionId: number,
  { channels, name: group }: GroupDefinition,
  { endTime: until, startTime: from }: LapSpan
) {
  const names = channels.map(({ name }) => name)
  return samplesFrom(yield* RowStore, { sessionId, group, from, until }, names)
})

const summariesOf = Effect.fn("channelReports.summariesOf")(function* (
  sessionId: number,
  group: GroupDefinition,
  spans: ReadonlyArray<LapSpan>,
  all: LapSpan
) {
  const summarizers = spans.map(({ endTime, startTime }) =>
    group.channels.map(({ kind }) => new ChannelSummarizer(kind, startTime, endTime))
  )
  const rows = new SpannedRows(spans, (span, { data, length, timestamps }, from, until) => {
    const times = timestamps.subarray(from, until)
    for (const [c, summarizer] of summarizers[span]!.entries()) {
      summarizer.add(times, data, (c + 1) * length + from)
    }
  })
  const samples = yield* samplesIn(sessionId, group, all)
  yield* Stream.runForEach(samples, (batch) => Effect.sync(() => rows.add(batch)))
  rows.end()
  return summarizers.map((of) => of.map((summarizer) => summarizer.summary()))
})

export interface ReportedSummaries extends ReportedSpan {
  /** In the order of the report's channels. */
  readonly summaries: ReadonlyArray<ChannelSummary>
}

/** Summaries of channels over the whole session, and over each lap and its sectors. */
export const channelReport = Effect.fn("channelReports.channelReport")(function* (
  sessionId: number,
  names?: ReadonlyArray<string>
) {
  if (names !== undefined && names.length > MAX_REPORTED) {
    const expected = `at most ${MAX_REPORTED} names`
    return yield* new InvalidValue({ name: "channels", value: names.length, expected })
  }
  const laps = yield* (yield* Laps).laps(sessionId)
  const groups = yield* groupsWith(sessionId, names)
  const channels = groups.flatMap((group) => group.channels)
  const all = yield* wholeOf(sessionId, laps)
  if (Option.isNone(all)) return { channels, spans: [] }
  const spans = [
    all.value,
    ...laps.flatMap((lap): ReadonlyArray<ReportedSpan> => {
      const { endTime, startTime } = lap
      return [{ lap, sector: null, startTime, endTime }, ...sectorsOf(lap)]
    })
  ]
  const read = yield* Effect.forEach(groups, (group) => summariesOf(sessionId, group, spans, all.value))
  return {
    channels,
    spans: spans.map((span, k): ReportedSummaries => ({ ...span, summaries: read.flatMap((of) => of[k]!) }))
  }
})

/** How long a value of a group holds at most, s: longer than that, its source was silent. */
const holdingOf = Effect.fnUntraced(function* (sessionId: number, group: string) {
  const store = yield* RowStore
  const bounds = yield* store.bounds({ sessionId, group })
  const rows = yield* store.count({ sessionId, group, from: -Infinity, until: Infinity })
  if (Option.isNone(bounds) || rows < 2) return Number.POSITIVE_INFINITY
  const interval = (bounds.value.last - bounds.value.first) / (rows - 1)
  return Math.max(HOLDS_S, HOLDS_INTERVALS * interval)
})

const lapsOf = Effect.fnUntraced(function* (sessionId: number, ids: ReadonlyArray<number>) {
  const laps = yield* (yield* Laps).laps(sessionId)
  const chosen = laps.filter(({ id }) => ids.includes(id))
  if (new Set(ids).size === ids.length && ids.length <= MAX_COUNTED_LAPS && chosen.length === ids.length) {
    return { laps, chosen }
  }
  const expected = `at most ${MAX_COUNTED_LAPS} different laps of the session`
  return yield* new InvalidValue({ name: "lap_ids", value: ids.join(","), expected })
})

/** The values from the least to the greatest in all of the spans; undefined if there is none. */
const extremesOf = Effect.fn("channelReports.extremesOf")(function* (
  sessionId: number,
  group: GroupDefinition,
  spans: ReadonlyArray<LapSpan>
) {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const span of spans) {
    const summarizer = new ChannelSummarizer("step", span.startTime, span.endTime)
    yield* Stream.runForEach(yield* samplesIn(sessionId, group, span), ({ data, length, timestamps }) =>
      Effect.sync(() => summarizer.add(timestamps, data, length))
    )
    const { max, min } = summarizer.summary()
    if (min !== null) low = Math.min(low, min)
    if (max !== null) high = Math.max(high, max)
  }
  return low <= high ? { low, high } : undefined
})

const binsOf = (
  { kind, name, unit }: ChannelDefinition,
  { high, low }: { readonly high: number; readonly low: number },
  width: number | undefined
) => {
  const bins = binsOver(low, high, isWhole({ kind, unit }), width)
  if (bins.count <= MAX_BINS) return Effect.succeed(bins)
  const expected = `at least ${(high - low) / MAX_BINS}: ${name} is between ${low} and ${high}`
  return new InvalidValue({ name: "width", value: bins.width, expected })
}

export interface CountedSpan extends ReportedSpan {
  /** Seconds in each bin. */
  readonly seconds: Float64Array
}

/** The time at a channel's values in each of some laps, or in the whole session if `ids` is empty. `width`: of the bins. */
export const histogram = Effect.fn("channelReports.histogram")(function* (
  sessionId: number,
  name: string,
  ids: ReadonlyArray<number>,
  width: number | undefined
) {
  const { chosen, laps } = yield* lapsOf(sessionId, ids)
  const [group] = yield* groupsWith(sessionId, [name])
  const channel = group!.channels[0]!
  const spans =
    ids.length === 0
      ? Option.toArray(yield* wholeOf(sessionId, laps))
      : chosen.map((lap): ReportedSpan => ({
          lap,
          sector: null,
          startTime: lap.startTime,
          endTime: lap.endTime
        }))
  const extremes = yield* extremesOf(sessionId, group!, spans)
  const bins: Bins =
    extremes === undefined ? { low: 0, width: width ?? 1, count: 0 } : yield* binsOf(channel, extremes, width)
  const longest = yield* holdingOf(sessionId, group!.name)
  const counted = yield* Effect.forEach(spans, (span) =>
    Effect.gen(function* () {
      const counter = new Histogram(bins, span, longest)
      yield* Stream.runForEach(yield* samplesIn(sessionId, group!, span), (batch) =>
        Effect.sync(() => counter.add(batch.timestamps, batch.column(name)))
      )
      return { ...span, seconds: counter.seconds() } satisfies CountedSpan
    })
  )
  return { channel, bins, spans: counted }
})
