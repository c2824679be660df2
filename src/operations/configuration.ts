/** What users change while the service runs, and what they say of circuits. */
import { Effect, Schema } from "effect"
import { AnalysisService } from "../archive/AnalysisService.ts"
import { CircuitDetails } from "../domain/Circuit.ts"
import { Configuration } from "../domain/Configuration.ts"
import { CircuitNotFound } from "../domain/errors.ts"
import { LiveRate } from "../live/LiveRate.ts"
import { Catalog } from "../store/Catalog.ts"
import { Direction, FoundBy } from "./analysis/comparison.ts"
import { text } from "./fields.ts"
import { answered, Nothing } from "./operation.ts"

const Names = Schema.Array(Schema.String).annotations({ description: "Names, sorted" })

const NumberedBy = Schema.Literal("official", "edited", "detected").annotations({
  description:
    "`official`: by the circuit's own map; `edited`: as a user said; `detected`: found in the laps, and numbered in that order"
})

export const CircuitDescription = Schema.Struct({
  name: Schema.String.annotations({ description: "As its sessions have it" }),
  display_name: Schema.String,
  numbered_by: NumberedBy,
  length: Schema.NullOr(Schema.Number).annotations({
    description:
      "Metres of the lap that was looked at; null of an edited circuit, and where no lap can be placed"
  }),
  match: Schema.NullOr(
    Schema.Struct({
      name: Schema.String,
      length: Schema.Number.annotations({ description: "Metres, as published" }),
      driven: Schema.Literal("clockwise", "anticlockwise", "figure of eight"),
      source: Schema.String.annotations({
        description: "Where its numbers, directions and distances come from"
      }),
      score: Schema.Number.annotations({
        description: "0 to 1: how much of the corners is the same; 0.8 or more"
      }),
      margin: Schema.Number.annotations({
        description: "How much that is above any other circuit; 0.1 or more"
      })
    })
  ).annotations({
    description:
      "The known circuit that the laps are of, by length and the sequence of corners; null where none is beyond doubt"
  }),
  corners: Schema.Array(
    Schema.Struct({
      number: Schema.NullOr(Schema.Int).annotations({
        description: "Null for a corner found that is none of the circuit's own"
      }),
      label: Schema.String.annotations({ description: "`5`, or `between 5 and 6`" }),
      name: Schema.NullOr(Schema.String),
      direction: Schema.NullOr(Direction).annotations({ description: "Null where it was found by speed" }),
      distance: Schema.Number.annotations({ description: "Metres from the line: of the apex" }),
      numbered_by: NumberedBy,
      found_by: Schema.NullOr(FoundBy).annotations({
        description:
          "`positions`: where the best lap's line bends; `speed`: where most of its fastest laps are slower than before and " +
          "after, because positions are not told. Null where it was not found but told, by a map or a user"
      })
    })
  ).annotations({ description: "In the order driven" })
}).annotations({ identifier: "CircuitDescription" })

export const read = answered({
  input: Nothing,
  answer: Configuration,
  errors: [],
  run: () => Effect.flatMap(Catalog, (catalog) => catalog.configuration)
})

export const update = answered({
  input: Configuration,
  answer: Configuration,
  errors: [],
  run: (wanted) =>
    Effect.gen(function* () {
      yield* (yield* Catalog).putConfiguration(wanted)
      yield* (yield* LiveRate).set(wanted.telemetry_rate)
      return wanted
      // A client that goes in between must not leave the two apart.
    }).pipe(Effect.uninterruptible)
})

/** Those that have a session. */
export const circuits = answered({
  input: Nothing,
  answer: Names,
  errors: [],
  run: () => Effect.flatMap(Catalog, (catalog) => catalog.circuits)
})

export const vehicles = answered({
  input: Nothing,
  answer: Names,
  errors: [],
  run: () => Effect.flatMap(Catalog, (catalog) => catalog.vehicles)
})

const name = text("The circuit's whole name, ignoring case")

export const circuit = answered({
  input: Schema.Struct({ name }),
  answer: CircuitDescription,
  errors: [CircuitNotFound],
  run: ({ name }) => Effect.flatMap(AnalysisService, (analysis) => analysis.circuitCorners(name))
})

/** Answers with the circuit as it is described from now on. */
export const updateCircuit = answered({
  input: Schema.Struct({ name, details: CircuitDetails }),
  answer: CircuitDescription,
  errors: [CircuitNotFound],
  run: ({ details, name }) =>
    Effect.gen(function* () {
      const analysis = yield* AnalysisService
      const known = yield* analysis.circuitName(name)
      yield* (yield* Catalog).putCircuitDetails(known, details)
      return yield* analysis.circuitCorners(known)
    })
})
