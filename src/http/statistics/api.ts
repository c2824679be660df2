import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Lap, SectorSource } from "../../domain/Lap.ts"
import { QueryInt } from "../parameters.ts"
import * as Problems from "../problems.ts"

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

export const BestLaps = Schema.Array(BestLap).annotations({ description: "The fastest first" })

export const DriverStatistics = Schema.Struct({
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

export const CircuitStatistics = Schema.Struct({
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

/** Laps in one answer: at most, and where nobody says. */
export const Ranking = { most: 1000, usual: 10 }

const named = (description: string) => Schema.String.annotations({ description })

const wanted = (things: string, what: string) =>
  Schema.optional(named(`Only ${things} of this ${what}: its whole name, ignoring case`))

export const Statistics = HttpApiGroup.make("statistics")
  .add(
    HttpApiEndpoint.get("bestLaps", "/stats/best-laps")
      .annotate(OpenApi.Summary, "Rank the best laps")
      .setUrlParams(
        Schema.Struct({
          circuit: wanted("laps", "circuit"),
          vehicle: wanted("laps", "vehicle"),
          limit: Schema.optionalWith(
            QueryInt(1, Ranking.most, { description: "Laps at most", default: Ranking.usual }),
            { default: () => Ranking.usual }
          )
        })
      )
      .addSuccess(BestLaps)
      .annotate(OpenApi.Description, "Valid laps, fastest first.")
  )
  .add(
    HttpApiEndpoint.get("driver", "/stats/driver/:name")
      .annotate(OpenApi.Summary, "Sum up a driver's sessions")
      .setPath(Schema.Struct({ name: named("The driver's whole name, ignoring case") }))
      .setUrlParams(
        Schema.Struct({ circuit: wanted("sessions", "circuit"), vehicle: wanted("sessions", "vehicle") })
      )
      .addSuccess(DriverStatistics)
      .addError(Problems.DriverNotFound)
      .annotate(
        OpenApi.Description,
        "Valid laps make best and average; all laps and all points count. Of a driver without a session on the circuit, in the vehicle, that are asked for, nothing is counted."
      )
  )
  .add(
    HttpApiEndpoint.get("circuit", "/stats/circuit/:circuit_name")
      .annotate(OpenApi.Summary, "Sum up the sessions on a circuit")
      .setPath(Schema.Struct({ circuit_name: named("The circuit's whole name, ignoring case") }))
      .addSuccess(CircuitStatistics)
      .addError(Problems.CircuitNotFound)
      .annotate(OpenApi.Description, "Valid laps make best, average and theoretical best.")
  )
