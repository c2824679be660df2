/** The best laps, and totals over the sessions of a driver or on a circuit. */
import { Effect, Schema } from "effect"
import { AnalysisService } from "../archive/AnalysisService.ts"
import { CircuitNotFound, DriverNotFound } from "../domain/errors.ts"
import { BestLap, CircuitStatistics, DriverStatistics } from "../domain/statistics.ts"
import { optionalText, text, wholeNumberOr } from "./fields.ts"
import { answered } from "./operation.ts"

const only = (things: string, what: string) =>
  optionalText(`Only ${things} with this ${what}: the whole name, ignoring case`)

export const bestLaps = answered({
  input: Schema.Struct({
    circuit: only("laps", "circuit"),
    vehicle: only("laps", "vehicle"),
    driver: only("laps", "driver"),
    tag: optionalText("Only laps with this tag, or of a session with it, ignoring case"),
    limit: wholeNumberOr(10, 1, 1000, "Maximum number of laps in the answer")
  }),
  answer: Schema.Array(BestLap).annotations({ description: "The laps, the fastest first" }),
  errors: [],
  run: ({ limit, ...wanted }) =>
    Effect.flatMap(AnalysisService, (analysis) => analysis.bestLaps(wanted, limit))
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
