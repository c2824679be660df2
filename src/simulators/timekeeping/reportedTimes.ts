/**
 * Times of laps and sectors, and the validity of a lap, as games send them: the same conversions and checks for all
 * drivers. Times in s, null for none. Plain.
 */
import { MAX_LAP_S } from "../../domain/lapLimits.ts"
import { toMicros } from "../../domain/Time.ts"
import type { LapCompleted } from "../EventBuffer.ts"
import type { PlacedSectors } from "./LapMarks.ts"

export type Sectors = LapCompleted["sectors"]
/** Of a lap that is not over, or whose third sector follows from its time. */
export type FirstSectors = readonly [sector1: number | null, sector2: number | null]

/** To the millisecond. Games show milliseconds; further digits come from the float. */
export const toMillis = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** A time that is sent in s as a float. 0 and less, and more than any lap takes, mean none. */
export const timeOfSeconds = (seconds: number | undefined): number | null =>
  seconds !== undefined && seconds > 0 && seconds <= MAX_LAP_S ? toMillis(seconds) : null

/** A time that is sent in ms as an integer. 0 and less mean none. */
export const timeOfMs = (ms: number | null | undefined): number | null =>
  ms !== null && ms !== undefined && ms > 0 ? ms / 1000 : null

/** The rest of a lap. Times that contradict each other leave none. */
const rest = (lapTime: number | null, one: number | null, other: number | null): number | null => {
  if (lapTime === null || one === null || other === null) return null
  const seconds = toMicros(lapTime - one - other)
  return seconds > 0 ? seconds : null
}

/** The sectors of a lap, of which the game sends two and the lap's time. */
export const withRest = ([one, two, three]: Sectors, lapTime: number | null): Sectors => [
  one ?? rest(lapTime, two, three),
  two ?? rest(lapTime, one, three),
  three ?? rest(lapTime, one, two)
]

/** The first two sectors of a lap that ended. `isCut`: by places. */
export interface SectorsSeen {
  readonly sectors: FirstSectors
  readonly isCut: boolean
}

/** The sectors that the game reported. If it reported none, and sends places, those that were cut by them. */
export const reportedOrPlaced = (reported: FirstSectors, placed: PlacedSectors): SectorsSeen => {
  const isCut = placed !== undefined && reported[0] === null && reported[1] === null
  return { sectors: isCut ? (placed ?? [null, null]) : reported, isCut }
}

/** All sectors of a lap that ended, as its event has them. */
export const sectorsOf = (
  { isCut, sectors }: SectorsSeen,
  lapTime: number | null
): Pick<LapCompleted, "sectors" | "sectorSource"> => ({
  sectors: withRest([...sectors, null], lapTime),
  ...(isCut ? { sectorSource: "derived" as const } : {})
})

/**
 * Whether a lap counts: not without a time, and not if it is spoilt, as by a visit to the pits (contract, section 4).
 * `reported`: the validity that the game sends; undefined where it sends none.
 */
export const validity = (
  lapTime: number | null,
  isSpoilt: boolean,
  reported: boolean | undefined
): boolean | undefined => (lapTime === null || isSpoilt ? false : reported)
