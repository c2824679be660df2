/** The lines at which the service cuts the sectors of a circuit whose simulator tells none. */
import { Schema } from "effect"

/** A line across the track, from one end to the other, in metres of the points' x and y. */
const Line = Schema.Struct({ x1: Schema.Finite, y1: Schema.Finite, x2: Schema.Finite, y2: Schema.Finite })

/** The lines at one and two thirds of a circuit's reference line, which is `length` metres long. */
export const SectorLines = Schema.Struct({ length: Schema.Finite, first: Line, second: Line })

export type SectorLines = typeof SectorLines.Type

/** Maximum of layouts under one name; the sectors of laps on further layouts are not cut. */
export const MAX_LAYOUTS = 32
