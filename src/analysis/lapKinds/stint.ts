/**
 * A stint: the laps of a car between two stops. Where no stop is known, laps in a row that were not at pace end it.
 */
import type { LapKind } from "./placedLaps.ts"

/**
 * So many laps in a row that were not timed, or slower than any tyre makes a lap, end a stint; a single one may have
 * been a spin. Laps behind a safety car do not count.
 */
const STINT_BREAK = 2

type Kinds = ReadonlySet<LapKind>

/** Whether a stop followed the lap. */
export const isLastOfStint = (kinds: Kinds): boolean => kinds.has("in_lap")

/** Whether a lap counts among those that end a stint. */
export const isMissed = (kinds: Kinds, atPace: boolean): boolean => !atPace && !kinds.has("neutralised")

/** Whether so many laps in a row that were missed end a stint. */
export const endsStint = (missed: number): boolean => missed >= STINT_BREAK
