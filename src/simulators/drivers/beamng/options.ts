import { Schema } from "effect"
import { Line } from "../../../domain/Line.ts"
import { readOptions } from "../../driverOptions.ts"

const StartLine = Line.annotations({ identifier: "StartLine" })

export const options = {
  startLine: Schema.optional(StartLine).annotations({
    description:
      "A line across the track, in metres of the points' x and y, for a simulator that has no laps (BeamNG)"
  })
}

export const read = readOptions(options)
