import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { CircuitDetails } from "../../domain/Circuit.ts"
import { Configuration as ConfigurationSchema } from "../../domain/Configuration.ts"
import { Direction, FoundBy } from "../analysis/schemas.ts"
import * as Problems from "../problems.ts"

export const Names = Schema.Array(Schema.String).annotations({ description: "Names, sorted" })

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

const CircuitPath = Schema.Struct({
  name: Schema.String.annotations({ description: "The circuit's whole name, ignoring case" })
})

export const Configuration = HttpApiGroup.make("configuration")
  .add(
    HttpApiEndpoint.get("read", "/config")
      .annotate(OpenApi.Summary, "Read the configuration")
      .addSuccess(ConfigurationSchema)
      .annotate(OpenApi.Description, "The configuration.")
  )
  .add(
    HttpApiEndpoint.put("update", "/config")
      .annotate(OpenApi.Summary, "Replace the configuration")
      .setPayload(ConfigurationSchema)
      .addSuccess(ConfigurationSchema)
      .annotate(OpenApi.Description, "Replaces the configuration, which is kept across restarts.")
  )
  .add(
    HttpApiEndpoint.get("circuits", "/config/circuits")
      .annotate(OpenApi.Summary, "List the circuits")
      .addSuccess(Names)
      .annotate(OpenApi.Description, "The circuits that have a session, sorted.")
  )
  .add(
    HttpApiEndpoint.get("circuit", "/config/circuits/:name")
      .annotate(OpenApi.Summary, "Describe a circuit and its corners")
      .setPath(CircuitPath)
      .addSuccess(CircuitDescription)
      .addError(Problems.CircuitNotFound)
      .annotate(
        OpenApi.Description,
        "A circuit's corners: those that a user gave; else those of the known circuit that its laps are of; else those found."
      )
  )
  .add(
    HttpApiEndpoint.put("updateCircuit", "/config/circuits/:name")
      .annotate(OpenApi.Summary, "Name a circuit and number its corners")
      .setPath(CircuitPath)
      .setPayload(CircuitDetails)
      .addSuccess(CircuitDescription)
      .addError(Problems.CircuitNotFound)
      .annotate(
        OpenApi.Description,
        "Names a circuit that has a session, and numbers its corners, in all comparisons from now on. Without corners they are known or found again."
      )
  )
  .add(
    HttpApiEndpoint.get("vehicles", "/config/vehicles")
      .annotate(OpenApi.Summary, "List the vehicles")
      .addSuccess(Names)
      .annotate(OpenApi.Description, "The vehicles that have a session, sorted.")
  )
