import { Effect, Option } from "effect"
import { POINTS } from "../domain/Dictionary.ts"
import type { PointStore, TimeBounds } from "../store/PointStore.ts"
import type { ChosenRows } from "./chosenRows.ts"

const both = (one: TimeBounds, other: TimeBounds): TimeBounds => ({
  first: Math.min(one.first, other.first),
  last: Math.max(one.last, other.last)
})

/**
 * The first and last time at which a session has points, or samples of the requested group, which may begin earlier and
 * end later.
 */
export const boundsOf = (store: PointStore["Type"], sessionId: number, { group }: ChosenRows) => {
  const ofPoints = store.bounds(sessionId)
  if (group === undefined || group === POINTS) return ofPoints
  return Effect.zipWith(ofPoints, store.sampleBounds(sessionId, group), (points, samples) =>
    Option.isSome(points) && Option.isSome(samples)
      ? Option.some(both(points.value, samples.value))
      : Option.orElse(points, () => samples)
  )
}
