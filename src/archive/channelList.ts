/** The channels of a session, with how much there is of each group. */
import { Effect, Option, Stream } from "effect"
import { isTold } from "../domain/ChannelSet.ts"
import {
  type ChannelDefinition,
  type Dictionary,
  type GroupDefinition,
  POINTS
} from "../domain/Dictionary.ts"
import { channels as pointChannels } from "../domain/PointBatch.ts"
import { pointDefinitions } from "../domain/vocabulary.ts"
import type { PointStore, TimeBounds } from "../store/PointStore.ts"
import { lookBack } from "./lookBack.ts"
import { canPlace, placedDefinition } from "./placedDistances.ts"

type Store = typeof PointStore.Service

/** What there is of a group. Times in epoch seconds, null where there is no row; all null of what no source tells. */
export interface GroupExtent {
  readonly samples: number | null
  /** Hz: 1 over the median interval of its newest rows; null where there are fewer than two. */
  readonly rate: number | null
  readonly first: number | null
  readonly last: number | null
}

export interface ListedChannel extends ChannelDefinition, GroupExtent {
  /** Null of what the service computes. */
  readonly group: string | null
  readonly derived: boolean
}

/** The newest rows that the rate is taken from. */
const MIN_RATE_ROWS = 100
const MAX_RATE_ROWS = 4096

const timesFrom = (store: Store, sessionId: number, group: string, from: number) => {
  const range = { sessionId, from, until: Infinity }
  const batches =
    group === POINTS
      ? store.read(range, ["timestamp"])
      : store.readSamples({ ...range, group }, ["timestamp"])
  return Effect.map(Stream.runCollect(batches), (all) => [...all].flatMap((batch) => [...batch.timestamps]))
}

const medianInterval = (times: ReadonlyArray<number>): number | undefined => {
  const intervals = times.slice(1).map((time, i) => time - times[i]!)
  return intervals.sort((a, b) => a - b)[intervals.length >> 1]
}

const rateOf = Effect.fn("channelList.rateOf")(function* (
  store: Store,
  sessionId: number,
  group: string,
  { first, last }: TimeBounds
) {
  const times = yield* lookBack(
    last,
    first,
    (from) => timesFrom(store, sessionId, group, from),
    ({ length }) => length >= MIN_RATE_ROWS
  )
  const interval = medianInterval(times.slice(-MAX_RATE_ROWS))
  // A double resolves 240 ns of today: four digits of 1 kHz.
  return interval === undefined ? null : Number((1 / interval).toPrecision(4))
})

const extentOf = Effect.fn("channelList.extentOf")(function* (
  store: Store,
  sessionId: number,
  group: string
) {
  const range = { sessionId, from: -Infinity, until: Infinity }
  const isPoints = group === POINTS
  const found = yield* isPoints ? store.bounds(sessionId) : store.sampleBounds(sessionId, group)
  if (Option.isNone(found)) return { samples: 0, rate: null, first: null, last: null }
  const bounds = found.value
  const samples = yield* isPoints ? store.count(range) : store.countSamples({ ...range, group })
  return { samples, rate: yield* rateOf(store, sessionId, group, bounds), ...bounds }
})

/** Groups that are looked at together. */
const GROUPS_AT_ONCE = 4

/** The group of the ten, as far as the session has them, and then its other groups. */
export const groupsOf = (dictionary: Dictionary): ReadonlyArray<GroupDefinition> => {
  const told = pointDefinitions.filter(({ name }) =>
    isTold(
      dictionary.told,
      pointChannels.findIndex((channel) => channel === name)
    )
  )
  return [{ name: POINTS, channels: told }, ...dictionary.groups].filter(
    ({ channels }) => channels.length > 0
  )
}

/** What no source tells, and the analysis can say. */
const derivedIn = (dictionary: Dictionary): ReadonlyArray<ListedChannel> => {
  if (!canPlace(dictionary)) return []
  const { description, kind, labels, name, unit } = placedDefinition
  const nothing = { group: null, samples: null, rate: null, first: null, last: null }
  return [{ name, unit, kind, description, labels, derived: true, ...nothing }]
}

/** The ten that the session has, then the channels of its groups, in the dictionary's order, then what is computed. */
export const listChannels = Effect.fn("channelList.listChannels")(function* (
  store: Store,
  sessionId: number,
  dictionary: Dictionary
) {
  const lists = yield* Effect.forEach(
    groupsOf(dictionary),
    ({ channels, name: group }) =>
      Effect.map(extentOf(store, sessionId, group), (extent) =>
        channels.map(({ description, kind, labels, name, unit }): ListedChannel => ({
          name,
          unit,
          kind,
          group,
          description,
          labels,
          derived: false,
          ...extent
        }))
      ),
    { concurrency: GROUPS_AT_ONCE }
  )
  return [...lists.flat(), ...derivedIn(dictionary)]
})
