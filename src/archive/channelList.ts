/** The channels of a session, with the extent of each group. */
import { Effect, Option, Stream } from "effect"
import { isDeclared } from "../domain/ChannelSet.ts"
import {
  type ChannelDefinition,
  type Dictionary,
  type GroupDefinition,
  POINTS
} from "../domain/Dictionary.ts"
import { channels as pointChannels } from "../domain/pointChannels.ts"
import { pointDefinitions } from "../domain/vocabulary.ts"
import type { RowStore, TimeBounds } from "../store/RowStore.ts"
import { lookBack } from "./lookBack.ts"
import { canPlace, placedDefinition } from "./placedDistances.ts"

type Store = typeof RowStore.Service

/**
 * The extent of a group. Times in epoch seconds, null where there is no row; all fields are null for a channel that no
 * source sends.
 */
export interface GroupExtent {
  readonly samples: number | null
  /** Hz: 1 over the median interval of the newest rows; null where there are fewer than two. */
  readonly rate: number | null
  readonly first: number | null
  readonly last: number | null
}

export interface ListedChannel extends ChannelDefinition, GroupExtent {
  /** Null for a channel that the service computes. */
  readonly group: string | null
  readonly derived: boolean
}

/** The minimum number of the newest rows from which the rate is taken. */
const MIN_RATE_ROWS = 100
const MAX_RATE_ROWS = 4096

const timesFrom = (store: Store, sessionId: number, group: string, from: number) => {
  const batches = store.read({ sessionId, group, from, until: Infinity }, ["timestamp"])
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
  // A double resolves 240 ns at today's epoch: four digits of 1 kHz.
  return interval === undefined ? null : Number((1 / interval).toPrecision(4))
})

const extentOf = Effect.fn("channelList.extentOf")(function* (
  store: Store,
  sessionId: number,
  group: string
) {
  const found = yield* store.bounds({ sessionId, group })
  if (Option.isNone(found)) return { samples: 0, rate: null, first: null, last: null }
  const bounds = found.value
  const samples = yield* store.count({ sessionId, group, from: -Infinity, until: Infinity })
  return { samples, rate: yield* rateOf(store, sessionId, group, bounds), ...bounds }
})

/** Groups that are read at the same time. */
const GROUPS_AT_ONCE = 4

/** The group of the ten, with its channels that the session has, and then the session's other groups. */
export const groupsOf = (dictionary: Dictionary): ReadonlyArray<GroupDefinition> => {
  const declared = pointDefinitions.filter(({ name }) =>
    isDeclared(
      dictionary.declared,
      pointChannels.findIndex((channel) => channel === name)
    )
  )
  return [{ name: POINTS, channels: declared }, ...dictionary.groups].filter(
    ({ channels }) => channels.length > 0
  )
}

/** Channels that no source sends, and that the analysis can compute. */
const derivedIn = (dictionary: Dictionary): ReadonlyArray<ListedChannel> => {
  if (!canPlace(dictionary)) return []
  const { description, kind, labels, name, unit } = placedDefinition
  const nothing = { group: null, samples: null, rate: null, first: null, last: null }
  return [{ name, unit, kind, description, labels, derived: true, ...nothing }]
}

/**
 * First the session's channels among the ten, then the channels of its groups in the dictionary's order, then the
 * computed ones.
 */
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
