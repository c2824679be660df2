/** A circuit in answers: its corners, the origin of their numbers, and the reason for it. */
import { Schema } from "effect"
import { Direction, FoundBy, NumberedBy } from "./comparison.ts"

const Numbered = NumberedBy.annotations({
  description:
    "`official`: the circuit's own map; `edited`: a user; `detected`: found in laps, and numbered by the first of them"
})

export const CircuitDescription = Schema.Struct({
  name: Schema.String.annotations({ description: "The circuit's name in its sessions" }),
  displayName: Schema.String,
  numberedBy: Numbered,
  length: Schema.NullOr(Schema.Number).annotations({
    description:
      "Metres: the length of the lap that was examined; null for an edited circuit, and if no lap can be placed"
  }),
  match: Schema.NullOr(
    Schema.Struct({
      name: Schema.String,
      length: Schema.Number.annotations({ description: "Metres: the published length" }),
      driven: Schema.Literal("clockwise", "anticlockwise", "figure of eight"),
      source: Schema.String.annotations({
        description: "The source of its numbers, directions and distances"
      }),
      score: Schema.Number.annotations({
        description: "0 to 1: how well the corners match; at least 0.8"
      }),
      margin: Schema.Number.annotations({
        description:
          "By how much `score` exceeds that of any other circuit as long, at least 0.1, and of its other layouts, at least 0.04"
      })
    })
  ).annotations({
    description:
      "The known circuit that the laps match by length and sequence of corners; null if no match is certain"
  }),
  corners: Schema.Array(
    Schema.Struct({
      number: Schema.NullOr(Schema.Int).annotations({
        description: "Null for a corner without a number"
      }),
      label: Schema.String.annotations({
        description: "`5`, `5a` for one found later, or `between 5 and 6`"
      }),
      name: Schema.NullOr(Schema.String),
      direction: Schema.NullOr(Direction).annotations({
        description: "Null if the corner was found by speed"
      }),
      distance: Schema.Number.annotations({ description: "Metres from the start line to the apex" }),
      numberedBy: Numbered,
      foundBy: Schema.NullOr(FoundBy).annotations({
        description:
          "`positions`: where the best lap's line bends; `speed`: where most of the circuit's fastest laps are slower than before " +
          "and after, if there are no positions. Null if the corner comes from a map or a user"
      })
    })
  ).annotations({ description: "In the order driven" })
}).annotations({ identifier: "CircuitDescription" })

export type CircuitDescription = typeof CircuitDescription.Type
