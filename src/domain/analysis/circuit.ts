/** A circuit as answers describe it: its corners, where their numbers come from, and why. */
import { Schema } from "effect"
import { Direction, FoundBy, NumberedBy } from "./comparison.ts"

const Numbered = NumberedBy.annotations({
  description:
    "`official`: by the circuit's own map; `edited`: as a user said; `detected`: found in the laps, and numbered in that order"
})

export const CircuitDescription = Schema.Struct({
  name: Schema.String.annotations({ description: "As its sessions have it" }),
  displayName: Schema.String,
  numberedBy: Numbered,
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
      numberedBy: Numbered,
      foundBy: Schema.NullOr(FoundBy).annotations({
        description:
          "`positions`: where the best lap's line bends; `speed`: where most of its fastest laps are slower than before and " +
          "after, because positions are not told. Null where it was not found but told, by a map or a user"
      })
    })
  ).annotations({ description: "In the order driven" })
}).annotations({ identifier: "CircuitDescription" })

export type CircuitDescription = typeof CircuitDescription.Type
