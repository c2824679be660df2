import { Schema } from "effect"
import { readOptions } from "../../driverOptions.ts"

const StartLine = Schema.Struct({
  x1: Schema.Finite,
  y1: Schema.Finite,
  x2: Schema.Finite,
  y2: Schema.Finite
}).annotations({ identifier: "StartLine" })

export const options = {
  startLine: Schema.optional(StartLine).annotations({
    description:
      "A line across the track, in metres of the points' x and y, for a simulator that has no laps (BeamNG)"
  })
}

export const read = readOptions(options)
