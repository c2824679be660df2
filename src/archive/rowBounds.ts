import { Effect, Option } from "effect"
import { InvalidValue } from "../domain/errors.ts"
import { POINTS } from "../domain/Dictionary.ts"
import type { RowStore, TimeBounds } from "../store/RowStore.ts"
import type { ChosenRows } from "./chosenRows.ts"

const both = (one: TimeBounds, other: TimeBounds): TimeBounds => ({
  first: Math.min(one.first, other.first),
  last: Math.max(one.last, other.last)
})

/**
 * The first and last time at which a session has points, or samples of the requested group, which may begin earlier and
 * end later.
 */
export const boundsOf = (store: RowStore["Type"], sessionId: number, { group }: ChosenRows) => {
  const ofPoints = store.bounds({ sessionId, group: POINTS })
  if (group === undefined || group === POINTS) return ofPoints
  return Effect.zipWith(ofPoints, store.bounds({ sessionId, group }), (points, samples) =>
    Option.isSome(points) && Option.isSome(samples)
      ? Option.some(both(points.value, samples.value))
      : Option.orElse(points, () => samples)
  )
}

/** From `start` to `end`, or, where one is not given, to the session's bounds; null where neither is known. */
export const withinBounds = (
  start: number | undefined,
  end: number | undefined,
  bounds: Option.Option<TimeBounds>
): Effect.Effect<{ readonly first: number | null; readonly last: number | null }, InvalidValue> => {
  const given = Option.getOrUndefined(bounds)
  const first = start ?? given?.first ?? null
  const last = end ?? given?.last ?? null
  if (first === null || last === null || first <= last) return Effect.succeed({ first, last })
  if (start === undefined) {
    const expected = `at least the time of the session's first point, which is ${first}`
    return new InvalidValue({ name: "end_time", value: last, expected })
  }
  const limit = end === undefined ? "the time of the session's last point" : "end_time"
  return new InvalidValue({
    name: "start_time",
    value: first,
    expected: `at most ${limit}, which is ${last}`
  })
}
