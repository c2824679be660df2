import { Schema } from "effect"
import { Name } from "./Configuration.ts"
import { expecting } from "./messages.ts"

/** The longest circuits have some 170 corners (the Nordschleife with all its kinks). */
const MAX_CORNERS = 300
const GREATEST_NUMBER = 999
/** Longer than any circuit, m. */
const FURTHEST = 200_000

const CornerNumber = Schema.Int.pipe(Schema.between(1, GREATEST_NUMBER)).annotations({
  ...expecting(`a whole number between 1 and ${GREATEST_NUMBER}`),
  jsonSchema: { type: "integer", minimum: 1, maximum: GREATEST_NUMBER }
})

const Distance = Schema.Finite.pipe(Schema.between(0, FURTHEST)).annotations({
  ...expecting(`a number of metres between 0 and ${FURTHEST}`),
  jsonSchema: {
    type: "number",
    minimum: 0,
    maximum: FURTHEST,
    description: "Metres from the start line to the apex"
  }
})

const areDistinct = (corners: ReadonlyArray<{ readonly number: number }>) =>
  new Set(corners.map(({ number }) => number)).size === corners.length

export const CircuitCorner = Schema.Struct({
  number: CornerNumber,
  name: Schema.optionalWith(Schema.NullOr(Name), { default: () => null }),
  direction: Schema.Literal("left", "right"),
  distance: Distance
}).annotations({ identifier: "CircuitCorner" })

export type CircuitCorner = typeof CircuitCorner.Type

/** A user's details of a circuit. */
export const CircuitDetails = Schema.Struct({
  displayName: Name,
  corners: Schema.optionalWith(
    Schema.Array(CircuitCorner).pipe(
      Schema.maxItems(MAX_CORNERS),
      Schema.filter(areDistinct, { message: () => "must be of different numbers" })
    ),
    { default: () => [] }
  ).annotations({
    description: "In any order. If empty, the service uses the corners that it knows or finds"
  })
}).annotations({ identifier: "CircuitDetails" })

export type CircuitDetails = typeof CircuitDetails.Type
