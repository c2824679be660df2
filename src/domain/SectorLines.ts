/** The lines at which the service cuts the sectors of a circuit whose simulator sends none. */
import { Schema } from "effect"
import { Line } from "./Line.ts"

/** The lines at one and two thirds of a circuit's reference line, which is `length` metres long. */
export const SectorLines = Schema.Struct({ length: Schema.Finite, first: Line, second: Line })

export type SectorLines = typeof SectorLines.Type
