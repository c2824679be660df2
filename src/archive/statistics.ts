/** The answers about a driver and about a circuit, from the catalog's totals. */
import { toMicros } from "../domain/Time.ts"
import type { BestLap, CircuitStatistics, DriverStatistics } from "../domain/statistics.ts"
import type { CircuitTotals, PlacedLap, Totals } from "../store/Statistics.ts"

type Times = Pick<CircuitStatistics, "bestLapTime" | "avgLapTime">

/** A distance on a circuit that was measured just now. */
export interface MeasuredOn {
  readonly circuit: string
  readonly metres: number
}

const times = ({ bestLapTime, seconds, timedLaps }: Omit<Totals, "metres">): Times => ({
  bestLapTime,
  avgLapTime: timedLaps === 0 ? null : toMicros(seconds / timedLaps)
})

/** To the millimetre: further digits are rounding noise of the sum. */
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

/** `measured`: distances of sessions that the totals lack. */
export const driverStatistics = (
  driverName: string,
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
    driverName,
    totalSessions: all.sessions,
    totalLaps: all.laps,
    ...times(all),
    totalDistance: kilometres(all.metres),
    circuits: whole.map(({ circuit, totals }) => ({
      circuit,
      laps: totals.laps,
      ...times(totals),
      totalDistance: kilometres(totals.metres)
    }))
  }
}

export const rankedLaps = (laps: ReadonlyArray<PlacedLap>): ReadonlyArray<BestLap> =>
  laps.map((lap, place) => ({ ...lap, rank: place + 1 }))

/** `best`: the fastest lap on the circuit. */
export const circuitStatistics = (totals: CircuitTotals, best: PlacedLap | undefined): CircuitStatistics => {
  const [one, two, three] = totals.bestSectors
  const theoreticalBest = one === null || two === null || three === null ? null : toMicros(one + two + three)
  return {
    circuitName: totals.circuit,
    totalSessions: totals.sessions,
    totalLaps: totals.laps,
    ...times(totals),
    bestLap:
      best === undefined
        ? null
        : { lapId: best.id, driver: best.driver, vehicle: best.vehicle, datetime: best.datetime },
    theoreticalBest,
    theoreticalBestSource: theoreticalBest === null ? null : totals.sectorSource,
    drivers: totals.drivers,
    vehicles: totals.vehicles
  }
}
