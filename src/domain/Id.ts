import { Schema } from "effect"

/** The id of a session or a lap: positive, never reused. */
export const Id = Schema.Int.pipe(Schema.positive()).annotations({
  jsonSchema: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
})
