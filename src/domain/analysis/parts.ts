/** Parts that the answers of several analyses share. */
import { Schema } from "effect"
import { channels } from "../pointChannels.ts"

export const described = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  schema.annotations({ description })

export const nullableNumbers = (description: string) =>
  described(Schema.Array(Schema.NullOr(Schema.Number)), description)
export const numbers = (description: string) => described(Schema.Array(Schema.Number), description)
export const nullable = (description: string) => described(Schema.NullOr(Schema.Number), description)
export const Metres = described(Schema.Number, "Metres from the line")
export const Kmh = nullable("km/h; null if the lap has no speed there")
export const LapReference = described(Schema.Int, "Id of a lap")
export const Version = described(
  Schema.String,
  "Changes whenever a figure of the analysis changes. The same version and input give the same bytes"
)
export const Seconds = described(Schema.NullOr(Schema.Number), "Seconds; null if not timed")
export const seconds = (description: string) => described(Schema.Number, `Seconds: ${description}`)

export const Missing = described(
  Schema.Array(Schema.Literal(...channels)),
  "Channels that the analysis uses but that at least one of the laps lacks, in the order of a point's fields. The answer leaves out the parts that need them"
)

/** A pair as an array of two: generators of clients do not support tuples. */
export const pair = (description: string) =>
  Schema.Tuple(Schema.Number, Schema.Number).annotations({
    jsonSchema: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2, description }
  })

/** An analysis of a session's laps, without the session's id, which the answer adds. */
export type OfLaps<Answer extends { readonly sessionId: number }> = Omit<Answer, "sessionId">
