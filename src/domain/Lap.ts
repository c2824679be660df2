import { Schema } from "effect"
import { Id } from "./Id.ts"

const Seconds = Schema.NullOr(Schema.Number).annotations({ description: "Seconds; null where not timed" })

/** A lap as every reader sees it. */
export const Lap = Schema.Struct({
  id: Id,
  session_id: Id,
  lap_number: Schema.Int,
  lap_time: Seconds,
  sector1_time: Seconds,
  sector2_time: Seconds,
  sector3_time: Seconds,
  valid: Schema.Boolean
}).annotations({ identifier: "Lap" })

export type Lap = typeof Lap.Type

/** When a lap ran, epoch seconds: its points are those with `start_time` <= timestamp < `end_time`. */
export interface LapSpan {
  readonly start_time: number
  readonly end_time: number
}

/** A lap as the catalog keeps it. */
export interface RecordedLap extends Lap, LapSpan {}

/** A lap that the recorder has cut and the catalog has not yet numbered. */
export type NewLap = Omit<RecordedLap, "id">
