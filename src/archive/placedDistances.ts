/** `lap_distance` beside points where no source sends it. A lap is placed when its first point comes. */
import { Effect } from "effect"
import type { LapData } from "../analysis/place/alignment.ts"
import { LAP_DISTANCE, valuesAt } from "../analysis/compare/channelTraces.ts"
import type { PlacedLap } from "../analysis/place/placedLap.ts"
import { isDeclared } from "../domain/ChannelSet.ts"
import type { Dictionary } from "../domain/Dictionary.ts"
import type { SessionUnreadable } from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import { type Channel, channels as pointChannels } from "../domain/pointChannels.ts"
import { ABSENT, lowerBound } from "../domain/RowBatch.ts"
import { namedChannel } from "../domain/vocabulary.ts"
import type { RowStore } from "../store/RowStore.ts"
import type { ColumnsBeside } from "./asOf.ts"
import { copiedLaps, readLaps } from "./readLaps.ts"

/** Whether the analysis can compute the distance of a lap's points from the line, and no source sends it. */
export const canPlace = (dictionary: Dictionary): boolean => {
  const tells = (channel: Channel) => isDeclared(dictionary.declared, pointChannels.indexOf(channel))
  return (
    dictionary.channel(LAP_DISTANCE) === undefined &&
    (tells("speed") || (tells("position_x") && tells("position_y")))
  )
}

/** The channel that is computed for a session that can be placed. */
export const placedDefinition = namedChannel(LAP_DISTANCE)!.channel

/** The lap on whose line the others are placed: the fastest valid lap, else the fastest that was timed and not taken back. */
const referenceOf = (laps: ReadonlyArray<RecordedLap>): RecordedLap | undefined => {
  const timed = laps.filter(({ lapTime, withdrawn }) => lapTime !== null && withdrawn !== true)
  const valid = timed.filter((lap) => lap.valid)
  const [best] = (valid.length > 0 ? valid : timed).toSorted((a, b) => a.lapTime! - b.lapTime! || a.id - b.id)
  return best
}

/** Places the first lap among the others. It takes over the laps' points. */
export type Place = (
  laps: Effect.Effect<ReadonlyArray<LapData>, SessionUnreadable>
) => Effect.Effect<PlacedLap | undefined, SessionUnreadable>

/** The column for points of the session of these laps, by time; absent outside of laps. */
export const placedDistances = (
  store: typeof RowStore.Service,
  laps: ReadonlyArray<RecordedLap>,
  place: Place
): ColumnsBeside => {
  const reference = referenceOf(laps)
  let kept: ReadonlyArray<LapData> | undefined
  /** The reference's points are read once. */
  const others = Effect.gen(function* () {
    kept ??= reference === undefined ? [] : yield* readLaps(store, [reference])
    return copiedLaps(kept)
  })
  let current: { readonly lap: RecordedLap; readonly placed: PlacedLap | undefined } | undefined
  const placedAs = (lap: RecordedLap) =>
    Effect.gen(function* () {
      if (current?.lap !== lap) {
        const isReference = lap.id === reference?.id
        const read = isReference
          ? others
          : Effect.zipWith(readLaps(store, [lap]), others, (a, b) => [...a, ...b])
        current = { lap, placed: yield* place(read) }
      }
      return current.placed
    })
  return {
    columns: 1,
    fill: (times, target) =>
      Effect.gen(function* () {
        target.fill(ABSENT)
        for (const lap of laps) {
          if (!(lap.startTime <= times.at(-1)! && lap.endTime > times[0]!)) continue
          const from = lowerBound(times, lap.startTime)
          const to = lowerBound(times, lap.endTime)
          if (from === to) continue
          const placed = yield* placedAs(lap)
          if (placed === undefined) continue
          target.set(valuesAt(times.subarray(from, to), placed.times, placed.distance, "continuous"), from)
        }
      })
  }
}
