/** The best laps, and what the sessions of a driver, or on a circuit, add up to. */
import { Effect, Schema } from "effect"
import { AnalysisService } from "../archive/AnalysisService.ts"
import { CircuitNotFound, DriverNotFound } from "../domain/errors.ts"
import { Lap, SectorSource } from "../domain/Lap.ts"
import { optionalText, text, wholeNumberOr } from "./fields.ts"
import { answered } from "./operation.ts"

const Seconds = Schema.NullOr(Schema.Number).annotations({
  description: "Seconds; null before the first valid lap"
})

const Kilometres = Schema.Number.annotations({ description: "Kilometres" })

const BestLap = Schema.Struct({
  ...Lap.fields,
  circuit: Schema.String,
  vehicle: Schema.String,
  driver: Schema.String,
  datetime: Schema.String,
  rank: Schema.Int.annotations({ description: "From 1, the fastest" })
}).annotations({ identifier: "BestLap" })

const DriverStatistics = Schema.Struct({
  driver_name: Schema.String,
  total_sessions: Schema.Int,
  total_laps: Schema.Int,
  best_lap_time: Seconds,
  avg_lap_time: Seconds,
  total_distance: Kilometres,
  circuits: Schema.Array(
    Schema.Struct({
      circuit: Schema.String,
      laps: Schema.Int,
      best_lap_time: Seconds,
      avg_lap_time: Seconds,
      total_distance: Kilometres
    })
  ).annotations({ description: "Each circuit by itself, sorted by name" })
}).annotations({
  identifier: "DriverStatistics",
  description:
    "Over the driver's sessions, all or those asked for. Times of different circuits are in one best and one average; each circuit's own are in circuits."
})

const CircuitStatistics = Schema.Struct({
  circuit_name: Schema.String,
  total_sessions: Schema.Int,
  total_laps: Schema.Int,
  best_lap_time: Seconds,
  avg_lap_time: Seconds,
  best_lap: Schema.NullOr(
    Schema.Struct({
      lap_id: Schema.Int,
      driver: Schema.String,
      vehicle: Schema.String,
      datetime: Schema.String
    })
  ),
  theoretical_best: Seconds,
  theoretical_best_source: Schema.NullOr(SectorSource).annotations({
    description:
      "Whose sectors that is made of: `derived` ones are cut by the service. Null where that is not known"
  }),
  drivers: Schema.Array(Schema.String),
  vehicles: Schema.Array(Schema.String)
}).annotations({ identifier: "CircuitStatistics", description: "Over all sessions on the circuit" })

const only = (things: string, what: string) =>
  optionalText(`Only ${things} of this ${what}: its whole name, ignoring case`)

export const bestLaps = answered({
  input: Schema.Struct({
    circuit: only("laps", "circuit"),
    vehicle: only("laps", "vehicle"),
    driver: only("laps", "driver"),
    limit: wholeNumberOr(10, 1, 1000, "Laps at most")
  }),
  answer: Schema.Array(BestLap).annotations({ description: "The fastest first" }),
  errors: [],
  run: ({ limit, ...names }) => Effect.flatMap(AnalysisService, (analysis) => analysis.bestLaps(names, limit))
})

export const driver = answered({
  input: Schema.Struct({
    name: text("The driver's whole name, ignoring case"),
    circuit: only("sessions", "circuit"),
    vehicle: only("sessions", "vehicle")
  }),
  answer: DriverStatistics,
  errors: [DriverNotFound],
  run: ({ name, ...names }) => Effect.flatMap(AnalysisService, (analysis) => analysis.driver(name, names))
})

export const circuit = answered({
  input: Schema.Struct({ name: text("The circuit's whole name, ignoring case") }),
  answer: CircuitStatistics,
  errors: [CircuitNotFound],
  run: ({ name }) => Effect.flatMap(AnalysisService, (analysis) => analysis.circuit(name))
})
