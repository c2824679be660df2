/** Places on the ground, in the form in which clients and simulators declare them. */
import { Schema } from "effect"
import { MAX_POSITION_M } from "./magnitude.ts"

/** A coordinate or a length. */
export const Metres = Schema.Finite.pipe(Schema.between(-MAX_POSITION_M, MAX_POSITION_M))

/** A line across the track, from one end to the other, in metres of the points' x and y. */
export const Line = Schema.Struct({ x1: Metres, y1: Metres, x2: Metres, y2: Metres })
