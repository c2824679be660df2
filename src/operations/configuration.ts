/** Settings that users change while the service runs, and their details of circuits. */
import { Effect, Schema } from "effect"
import { AnalysisService } from "../archive/AnalysisService.ts"
import { CircuitDescription } from "../domain/analysis/circuit.ts"
import { CircuitDetails } from "../domain/Circuit.ts"
import { completed, Configuration, GivenConfiguration } from "../domain/Configuration.ts"
import { CircuitNotFound } from "../domain/errors.ts"
import { LiveRate } from "../live/hub/LiveRate.ts"
import { Simulators } from "../simulators/connection/Simulators.ts"
import { Circuits } from "../store/Circuits.ts"
import { Configurations } from "../store/Configurations.ts"
import { Statistics } from "../store/Statistics.ts"
import { fromWire } from "../platform/wire.ts"
import { text } from "./fields.ts"
import { answered, Nothing } from "./operation.ts"

const Names = Schema.Array(Schema.String).annotations({ description: "The names, sorted" })

export const read = answered({
  input: Nothing,
  answer: Configuration,
  errors: [],
  run: () => Effect.flatMap(Configurations, ({ configuration }) => configuration)
})

export const update = answered({
  input: fromWire(GivenConfiguration),
  answer: Configuration,
  errors: [],
  run: (given) =>
    Effect.gen(function* () {
      const { configuration, putConfiguration } = yield* Configurations
      const wanted = completed(given, (yield* configuration).games)
      yield* putConfiguration(wanted)
      yield* (yield* LiveRate).set(wanted.telemetryRate)
      // A recorder that is away reads the configuration when it starts.
      yield* Effect.ignore((yield* Simulators).listenFor(wanted.games))
      return wanted
      // If the client leaves in between, the stored rate and the published rate must not differ.
    }).pipe(Effect.uninterruptible)
})

/** The circuits that have a session. */
export const circuits = answered({
  input: Nothing,
  answer: Names,
  errors: [],
  run: () => Effect.flatMap(Statistics, ({ circuits }) => circuits)
})

export const vehicles = answered({
  input: Nothing,
  answer: Names,
  errors: [],
  run: () => Effect.flatMap(Statistics, ({ vehicles }) => vehicles)
})

/** The body with a user's details of a circuit. */
export const CircuitDetailsBody = fromWire(CircuitDetails)

const name = text("The circuit's whole name, ignoring case")

export const circuit = answered({
  input: Schema.Struct({ name }),
  answer: CircuitDescription,
  errors: [CircuitNotFound],
  run: ({ name }) => Effect.flatMap(AnalysisService, (analysis) => analysis.circuitCorners(name))
})

/** Changes a circuit's details. Answers with the changed circuit. */
export const updateCircuit = answered({
  input: Schema.Struct({ name, details: CircuitDetailsBody }),
  answer: CircuitDescription,
  errors: [CircuitNotFound],
  run: ({ details, name }) =>
    Effect.gen(function* () {
      const analysis = yield* AnalysisService
      const known = yield* analysis.circuitName(name)
      yield* (yield* Circuits).putCircuitDetails(known, details)
      return yield* analysis.circuitCorners(known)
    })
})
