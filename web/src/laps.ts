/** Helpers for lists of laps: the best, the last, and why a lap does not count. */
import type { Lap } from "./types.ts"

/** The valid, timed laps. */
export const fastestFirst = (laps: ReadonlyArray<Lap>): ReadonlyArray<Lap> =>
  laps
    .filter((lap) => lap.valid && (lap.lap_time ?? 0) > 0)
    .sort((a, b) => a.lap_time! - b.lap_time! || a.id - b.id)

export const bestOf = (laps: ReadonlyArray<Lap>): Lap | undefined => fastestFirst(laps)[0]

/** Without laps that the simulator has taken back: they are driven again under the same number. */
export const standing = (laps: ReadonlyArray<Lap>): ReadonlyArray<Lap> =>
  laps.filter(({ withdrawn }) => withdrawn !== true)

export const lastOf = (laps: ReadonlyArray<Lap>): Lap | undefined => standing(laps).at(-1)

/** Why a lap does not count; undefined if it counts. */
export const flawOf = ({ excluded, valid, withdrawn }: Lap): string | undefined =>
  withdrawn === true ? "taken back" : excluded === true ? "excluded" : valid ? undefined : "not valid"

/** Whether it is the same lap with the same times. */
export const isSameLap = (lap: Lap, drawn: Lap | undefined) =>
  drawn !== undefined &&
  (["id", "lap_time", "sector1_time", "sector2_time"] as const).every((name) => lap[name] === drawn[name])
