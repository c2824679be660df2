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
  rank: Schema.Int.annotations({ description: "From 1, the fastest" })
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
  ).annotations({ description: "Each circuit by itself, sorted by name" })
}).annotations({
  identifier: "DriverStatistics",
  description:
    "Over the driver's sessions, all or those asked for. Times of different circuits are in one best and one average; each circuit's own are in circuits."
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
  theoreticalBest: Seconds,
  theoreticalBestSource: Schema.NullOr(SectorSource).annotations({
    description:
      "Whose sectors that is made of: `derived` ones are cut by the service. Null where that is not known"
  }),
  drivers: Schema.Array(Schema.String),
  vehicles: Schema.Array(Schema.String)
}).annotations({ identifier: "CircuitStatistics", description: "Over all sessions on the circuit" })

export type CircuitStatistics = typeof CircuitStatistics.Type
