/** The channels that a comparison traces: finds those that each lap's session has, and their samples around the lap. */
import { Effect, Option, Stream } from "effect"
import { LAP_DISTANCE, type SamplesAround, type TracedLap } from "../analysis/compare/channelTraces.ts"
import type { LapData } from "../analysis/place/alignment.ts"
import { type ChannelKind, type Dictionary, POINTS } from "../domain/Dictionary.ts"
import { InvalidValue, type SessionUnreadable } from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import { RowBatch } from "../domain/RowBatch.ts"
import type { RowStore } from "../store/RowStore.ts"
import { groupsOf } from "./channelList.ts"
import { canPlace } from "./placedDistances.ts"
import { MARGIN_S } from "./readLaps.ts"
import { samplesFrom } from "./samplesFrom.ts"

type Store = typeof RowStore.Service

/**
 * The maximum number of channels that one comparison traces, and of channels times laps: twice as many columns as its
 * points have.
 */
export const MAX_TRACED = 32
export const MAX_TRACES = 200

/** Some channels of one group. */
interface TracedGroup {
  readonly group: string
  readonly names: ReadonlyArray<string>
  readonly kinds: ReadonlyArray<ChannelKind>
}

/** The wanted channels that a session has. */
export interface SessionTraces {
  readonly groups: ReadonlyArray<TracedGroup>
  /** The channel is the distance at which the comparison itself places a lap. */
  readonly hasPlacedDistance: boolean
}

/** Fails where there are too many. */
export const withinBounds = (names: ReadonlyArray<string>, laps: number) => {
  const most = Math.min(MAX_TRACED, Math.floor(MAX_TRACES / laps))
  return names.length <= most
    ? Effect.void
    : new InvalidValue({
        name: "channels",
        value: names.length,
        expected: `at most ${most} names${most < MAX_TRACED ? ` with ${laps} laps` : ""}`
      })
}

/** By session, in the order of `dictionaries`. Fails for a name that no session has. */
export const tracedChannels = Effect.fnUntraced(function* (
  wanted: ReadonlyArray<string>,
  dictionaries: ReadonlyArray<Dictionary>
): Effect.fn.Return<ReadonlyArray<SessionTraces>, InvalidValue> {
  const all = dictionaries.map((dictionary) => ({
    groups: groupsOf(dictionary).map(({ channels, name }) => ({
      group: name,
      channels: channels.filter((channel) => channel.name !== "timestamp")
    })),
    isPlaced: canPlace(dictionary)
  }))
  const known = new Set(
    all.flatMap(({ groups, isPlaced }) => [
      ...groups.flatMap(({ channels }) => channels.map(({ name }) => name)),
      ...(isPlaced ? [LAP_DISTANCE] : [])
    ])
  )
  const unknown = wanted.find((name) => !known.has(name))
  if (unknown !== undefined) {
    const which = known.size === 0 ? "left out, since there are none" : `among ${[...known].join(", ")}`
    return yield* new InvalidValue({ name: "channels", value: unknown, expected: which })
  }
  return all.map(({ groups, isPlaced }) => ({
    groups: groups.flatMap(({ channels, group }) => {
      const chosen = channels.filter(({ name }) => wanted.includes(name))
      return chosen.length === 0
        ? []
        : [{ group, names: chosen.map(({ name }) => name), kinds: chosen.map(({ kind }) => kind) }]
    }),
    hasPlacedDistance: isPlaced && wanted.includes(LAP_DISTANCE)
  }))
})

/**
 * The samples from the last one before the lap's surroundings to the first one after the lap, so that each of the lap's
 * nodes lies between two samples.
 */
const samplesAround = Effect.fnUntraced(function* (
  store: Store,
  { endTime, sessionId, startTime }: RecordedLap,
  { group, names }: TracedGroup
): Effect.fn.Return<RowBatch, SessionUnreadable> {
  const columns = ["timestamp", ...names]
  const from = startTime - MARGIN_S
  const until = endTime + MARGIN_S
  const read = [...(yield* Stream.runCollect(samplesFrom(store, { sessionId, group, from, until }, names)))]
  // A slow channel has its next sample further on.
  const isEnough = (read.at(-1)?.timestamps.at(-1) ?? -Infinity) >= endTime + MARGIN_S / 2
  const after = isEnough
    ? Option.none<RowBatch>()
    : yield* Stream.runHead(store.read({ sessionId, group, from: until, until: Infinity }, columns))
  const all = [...read, ...Option.toArray(after).map((batch) => batch.slice(0, 1))]
  return all.length === 0 ? RowBatch.allocate(0, columns) : RowBatch.concat(all)
})

/** The lap with these channels of its session. Each batch has memory of its own, which the caller may give away. */
export const withTraced = (
  store: Store,
  { lap, points }: LapData,
  { groups, hasPlacedDistance }: SessionTraces
): Effect.Effect<TracedLap, SessionUnreadable> =>
  Effect.map(
    Effect.forEach(groups, (traced) =>
      Effect.map(
        traced.group === POINTS
          ? Effect.succeed((points as RowBatch).only(["timestamp", ...traced.names]).copy())
          : samplesAround(store, lap, traced),
        (batch): SamplesAround => ({ batch, kinds: traced.kinds })
      )
    ),
    (around) => ({ lap, points, around, isPlaced: hasPlacedDistance })
  )
