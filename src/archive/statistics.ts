/** What is answered of a driver and of a circuit, from what the catalog adds up. */
import { toMicros } from "../domain/Time.ts"
import type { SectorSource } from "../domain/Lap.ts"
import type { CircuitTotals, PlacedLap, Totals } from "../store/Catalog.ts"

/** A lap with its place among the best, from 1. */
export type RankedLap = PlacedLap & { readonly rank: number }

/** Times in seconds, null without a valid lap. */
interface Times {
  readonly best_lap_time: number | null
  readonly avg_lap_time: number | null
}

/** A driver's laps on one circuit; `total_distance` in kilometres. */
export interface DriverOnCircuit extends Times {
  readonly circuit: string
  readonly laps: number
  readonly total_distance: number
}

export interface DriverStatistics extends Times {
  readonly driver_name: string
  readonly total_sessions: number
  readonly total_laps: number
  readonly total_distance: number
  /** Sorted by name. */
  readonly circuits: ReadonlyArray<DriverOnCircuit>
}

export interface CircuitStatistics extends Times {
  readonly circuit_name: string
  readonly total_sessions: number
  readonly total_laps: number
  readonly best_lap: {
    readonly lap_id: number
    readonly driver: string
    readonly vehicle: string
    readonly datetime: string
  } | null
  /** The sum of the best valid sectors of anyone here, whatever the vehicle; null where a sector was never timed. */
  readonly theoretical_best: number | null
  /** Whose sectors those are; null where nobody knows. */
  readonly theoretical_best_source: SectorSource | null
  /** Sorted, each once. */
  readonly drivers: ReadonlyArray<string>
  readonly vehicles: ReadonlyArray<string>
}

/** A distance that was measured just now, on a circuit. */
export interface MeasuredOn {
  readonly circuit: string
  readonly metres: number
}

const times = ({ bestLapTime, seconds, timedLaps }: Omit<Totals, "metres">): Times => ({
  best_lap_time: bestLapTime,
  avg_lap_time: timedLaps === 0 ? null : toMicros(seconds / timedLaps)
})

/** To the millimetre: further digits are noise of the sum. */
const kilometres = (metres: number) => toMicros(metres / 1000)

const least = (a: number | null, b: number | null) => (a === null || (b !== null && b < a) ? b : a)

const together = (a: Totals, b: Totals): Totals => ({
  sessions: a.sessions + b.sessions,
  laps: a.laps + b.laps,
  timedLaps: a.timedLaps + b.timedLaps,
  seconds: a.seconds + b.seconds,
  bestLapTime: least(a.bestLapTime, b.bestLapTime),
  metres: a.metres + b.metres
})

const NOTHING: Totals = { sessions: 0, laps: 0, timedLaps: 0, seconds: 0, bestLapTime: null, metres: 0 }

/** `measured`: sessions whose distances the totals lack. */
export const driverStatistics = (
  driver_name: string,
  circuits: ReadonlyArray<{ readonly circuit: string; readonly totals: Totals }>,
  measured: ReadonlyArray<MeasuredOn>
): DriverStatistics => {
  const added = new Map<string, number>()
  for (const { circuit, metres } of measured) {
    const key = circuit.toLowerCase()
    added.set(key, (added.get(key) ?? 0) + metres)
  }
  const whole = circuits.map(({ circuit, totals }) => ({
    circuit,
    totals: { ...totals, metres: totals.metres + (added.get(circuit.toLowerCase()) ?? 0) }
  }))
  const all = whole.reduce((sum, { totals }) => together(sum, totals), NOTHING)
  return {
    driver_name,
    total_sessions: all.sessions,
    total_laps: all.laps,
    ...times(all),
    total_distance: kilometres(all.metres),
    circuits: whole.map(({ circuit, totals }) => ({
      circuit,
      laps: totals.laps,
      ...times(totals),
      total_distance: kilometres(totals.metres)
    }))
  }
}

export const ranked = (laps: ReadonlyArray<PlacedLap>): ReadonlyArray<RankedLap> =>
  laps.map((lap, place) => ({ ...lap, rank: place + 1 }))

/** `best`: the fastest lap there. */
export const circuitStatistics = (totals: CircuitTotals, best: PlacedLap | undefined): CircuitStatistics => {
  const [one, two, three] = totals.bestSectors
  const theoretical_best = one === null || two === null || three === null ? null : toMicros(one + two + three)
  return {
    circuit_name: totals.circuit,
    total_sessions: totals.sessions,
    total_laps: totals.laps,
    ...times(totals),
    best_lap:
      best === undefined
        ? null
        : { lap_id: best.id, driver: best.driver, vehicle: best.vehicle, datetime: best.datetime },
    theoretical_best,
    theoretical_best_source: theoretical_best === null ? null : totals.sectorSource,
    drivers: totals.drivers,
    vehicles: totals.vehicles
  }
}
