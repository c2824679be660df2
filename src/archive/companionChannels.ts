/**
 * The channels of other groups that the analysis reads with the points, where a session has them: `lap_distance`, which
 * places laps, and those that show how the wheels slip and what kind a lap is of. A session that has none of them is read without them.
 */
import { Effect, Stream } from "effect"
import type { LapData } from "../analysis/place/alignment.ts"
import { slipChannels } from "../analysis/wheels/slippingLaps.ts"
import { kindChannels } from "../analysis/lapKinds/declared.ts"
import { LAP_DISTANCE, type SamplesAround } from "../analysis/compare/channelTraces.ts"
import type { Dictionary, GroupDefinition } from "../domain/Dictionary.ts"
import type { SessionUnreadable } from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import { RowBatch } from "../domain/RowBatch.ts"
import type { Dictionaries } from "../store/Dictionaries.ts"
import type { RowStore } from "../store/RowStore.ts"
import { MARGIN_S } from "./readLaps.ts"

type Store = typeof RowStore.Service

/** Names of channels, chosen by the channels that a session has. */
export type CompanionChannels = (tells: (name: string) => boolean) => ReadonlyArray<string>

export const placing: CompanionChannels = (tells) => (tells(LAP_DISTANCE) ? [LAP_DISTANCE] : [])
export const comparing: CompanionChannels = (tells) => [...placing(tells), ...slipChannels(tells)]
export const judging: CompanionChannels = (tells) => [...comparing(tells), ...kindChannels(tells)]

/** The groups that have some of the channels, each with those channels only. */
const groupsWith = (dictionary: Dictionary, wanted: CompanionChannels): ReadonlyArray<GroupDefinition> => {
  const names = new Set(wanted((name) => dictionary.channel(name) !== undefined))
  if (names.size === 0) return []
  return dictionary.groups.flatMap((group) => {
    const channels = group.channels.filter(({ name }) => names.has(name))
    return channels.length === 0 ? [] : [{ ...group, channels }]
  })
}

const samplesOf = (store: Store, { endTime, sessionId, startTime }: RecordedLap, group: GroupDefinition) => {
  const columns = ["timestamp", ...group.channels.map(({ name }) => name)]
  const range = { sessionId, group: group.name, from: startTime - MARGIN_S, until: endTime + MARGIN_S }
  return Effect.map(Stream.runCollect(store.read(range, columns)), (read): SamplesAround => {
    const all: ReadonlyArray<RowBatch> = [...read]
    return {
      batch: all.length === 0 ? RowBatch.allocate(0, columns) : RowBatch.concat(all),
      kinds: group.channels.map(({ kind }) => kind)
    }
  })
}

/** The groups of which the lap does not have all channels in one batch yet. */
const lackedBy = ({ around = [] }: LapData, groups: ReadonlyArray<GroupDefinition>) =>
  groups.filter(
    ({ channels }) => !around.some(({ batch }) => channels.every(({ name }) => batch.channels.includes(name)))
  )

/** Adds the groups with wanted channels that the laps do not have yet, each in memory of its own. */
export const withCompanions =
  (dictionaries: typeof Dictionaries.Service, store: Store, wanted: CompanionChannels) =>
  <Read extends LapData>(laps: ReadonlyArray<Read>): Effect.Effect<ReadonlyArray<Read>, SessionUnreadable> =>
    Effect.gen(function* () {
      const groups = new Map<number, ReadonlyArray<GroupDefinition>>()
      for (const id of new Set(laps.map(({ lap }) => lap.sessionId))) {
        // The session was deleted meanwhile, or its source has declared nothing: it has no other channels.
        const dictionary = yield* Effect.catchTag(dictionaries.dictionary(id), "SessionNotFound", () =>
          Effect.succeed(undefined)
        )
        const found = dictionary === undefined ? [] : groupsWith(dictionary, wanted)
        if (found.length > 0) groups.set(id, found)
      }
      if (groups.size === 0) return laps
      return yield* Effect.forEach(laps, (read) => {
        const own = groups.get(read.lap.sessionId)
        if (own === undefined) return Effect.succeed(read)
        return Effect.map(
          Effect.forEach(lackedBy(read, own), (group) => samplesOf(store, read.lap, group)),
          (more) => ({ ...read, around: [...(read.around ?? []), ...more] })
        )
      })
    }).pipe(Effect.withSpan("archive.withCompanions"))
