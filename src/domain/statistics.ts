/** Totals over the laps of a driver, or on a circuit. */
import { Schema } from "effect"
import { DateTime } from "./DateTime.ts"
import { Lap, SectorSource } from "./Lap.ts"

const Seconds = Schema.NullOr(Schema.Number).annotations({
  description: "Seconds; null before the first valid lap"
})

const Kilometres = Schema.Number.annotations({ description: "Kilometres" })

export const BestLap = Schema.Struct({
  ...Lap.fields,
  circuit: Schema.String,
  vehicle: Schema.String,
  driver: Schema.String,
  datetime: DateTime,
  rank: Schema.Int.annotations({ description: "1 is the fastest" })
}).annotations({ identifier: "BestLap" })

export type BestLap = typeof BestLap.Type

export const DriverStatistics = Schema.Struct({
  driverName: Schema.String,
  totalSessions: Schema.Int,
  totalLaps: Schema.Int,
  bestLapTime: Seconds,
  avgLapTime: Seconds,
  totalDistance: Kilometres,
  circuits: Schema.Array(
    Schema.Struct({
      circuit: Schema.String,
      laps: Schema.Int,
      bestLapTime: Seconds,
      avgLapTime: Seconds,
      totalDistance: Kilometres
    })
  ).annotations({ description: "The same for each circuit, sorted by name" })
}).annotations({
  identifier: "DriverStatistics",
  description:
    "Totals over the laps that the driver drove, also in sessions of others, or over those that match the request. The distance is that of the driver's own sessions. The best and the average lap time mix all circuits; `circuits` has them for each circuit."
})

export type DriverStatistics = typeof DriverStatistics.Type

export const CircuitStatistics = Schema.Struct({
  circuitName: Schema.String,
  totalSessions: Schema.Int,
  totalLaps: Schema.Int,
  bestLapTime: Seconds,
  avgLapTime: Seconds,
  bestLap: Schema.NullOr(
    Schema.Struct({
      lapId: Schema.Int,
      driver: Schema.String,
      vehicle: Schema.String,
      datetime: DateTime
    })
  ),
  theoreticalBest: Schema.NullOr(Schema.Number).annotations({
    description: "Seconds: the sum of the best sectors of valid laps; null if one of the three has no time"
  }),
  theoreticalBestSource: Schema.NullOr(SectorSource).annotations({
    description: "The source of those sectors; `derived`: the service. Null if unknown"
  }),
  drivers: Schema.Array(Schema.String),
  vehicles: Schema.Array(Schema.String)
}).annotations({ identifier: "CircuitStatistics", description: "Totals over all sessions on the circuit" })

export type CircuitStatistics = typeof CircuitStatistics.Type
