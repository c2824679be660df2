/** Statistics of a driver and of a circuit, from their sessions and laps. Valid, timed laps make bests and averages. */
import type { RecordedLap, SectorSource } from "../domain/Lap.ts"
import type { Session } from "../domain/Session.ts"
import { sourceOfBest, theoreticalBest, toMicros, validLaps } from "./comparable.ts"
import { mean } from "./robust.ts"

export { metresOf, Odometer } from "./odometer.ts"

/** A session with its laps. */
export interface SessionLaps {
  readonly session: Session
  readonly laps: ReadonlyArray<RecordedLap>
}

/** Times in seconds, null without a valid lap; `total_distance` in kilometres. */
export interface DriverStatistics {
  readonly driver_name: string
  readonly total_sessions: number
  readonly total_laps: number
  readonly best_lap_time: number | null
  readonly avg_lap_time: number | null
  readonly total_distance: number
}

export interface BestLapOf {
  readonly lap_id: number
  readonly driver: string
  readonly vehicle: string
  readonly datetime: string
}

export interface CircuitStatistics {
  readonly circuit_name: string
  readonly total_sessions: number
  readonly total_laps: number
  readonly best_lap_time: number | null
  readonly avg_lap_time: number | null
  readonly best_lap: BestLapOf | null
  /** The sum of the best valid sectors of anyone here, whatever the vehicle; null where a sector was never timed. */
  readonly theoretical_best: number | null
  /** Whose sectors that is made of; null where there are none, or nobody knows. */
  readonly theoretical_best_source: SectorSource | null
  /** Sorted, each once. */
  readonly drivers: ReadonlyArray<string>
  readonly vehicles: ReadonlyArray<string>
}

/** A lap with what tells where it was driven, and its place among the best, from 1. */
export type RankedLap = RecordedLap &
  Pick<Session, "circuit" | "vehicle" | "driver" | "datetime"> & { readonly rank: number }

const times = (laps: ReadonlyArray<RecordedLap>) => {
  const values = validLaps(laps).map((lap) => lap.lap_time)
  return {
    total_laps: laps.length,
    // Not Math.min(...values): a circuit may have more laps than a call takes arguments.
    best_lap_time: values.length === 0 ? null : values.reduce((best, time) => Math.min(best, time)),
    avg_lap_time: values.length === 0 ? null : toMicros(mean(values))
  }
}

/** By code units: the same on every machine, whatever its language. */
const names = (values: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(values)].sort()

/** `metres`: what the driver's sessions measured, by `Odometer`, each of its own. */
export const driverStatistics = (
  driver_name: string,
  sessions: ReadonlyArray<SessionLaps>,
  metres: number
): DriverStatistics => ({
  driver_name,
  total_sessions: sessions.length,
  ...times(sessions.flatMap(({ laps }) => laps)),
  // To the millimetre: further digits are noise of the sum.
  total_distance: toMicros(metres / 1000)
})

/** The fastest valid laps of these sessions; of equal ones the first driven. */
export const bestLaps = (sessions: ReadonlyArray<SessionLaps>, limit: number): ReadonlyArray<RankedLap> =>
  sessions
    .flatMap(({ laps, session: { circuit, datetime, driver, vehicle } }) =>
      validLaps(laps).map((lap) => ({ ...lap, circuit, vehicle, driver, datetime }))
    )
    .sort((a, b) => a.lap_time - b.lap_time || a.start_time - b.start_time || a.id - b.id)
    .slice(0, limit)
    .map((lap, place) => ({ ...lap, rank: place + 1 }))

/** Of the sessions on one circuit, as it is named there. */
export const circuitStatistics = (
  circuit_name: string,
  sessions: ReadonlyArray<SessionLaps>
): CircuitStatistics => {
  const laps = sessions.flatMap(({ laps }) => laps)
  const [best] = bestLaps(sessions, 1)
  return {
    circuit_name,
    total_sessions: sessions.length,
    ...times(laps),
    best_lap:
      best === undefined
        ? null
        : { lap_id: best.id, driver: best.driver, vehicle: best.vehicle, datetime: best.datetime },
    theoretical_best: theoreticalBest(laps),
    theoretical_best_source: sourceOfBest(laps),
    drivers: names(sessions.map(({ session }) => session.driver)),
    vehicles: names(sessions.map(({ session }) => session.vehicle))
  }
}
