import { Schema } from "effect"
import { Id } from "./Id.ts"
import type { SectorLines } from "./SectorLines.ts"

const Seconds = Schema.NullOr(Schema.Number).annotations({ description: "Seconds; null if not timed" })

/**
 * The origin of a lap's sectors: the simulator or the service. The service cuts at one and two thirds of the lap, by
 * the simulator's own measure along the track, or else by the circuit's reference line.
 */
export const SectorSource = Schema.Literal("simulator", "derived")

export type SectorSource = typeof SectorSource.Type

/** A lap as every reader sees it. */
export const Lap = Schema.Struct({
  id: Id,
  sessionId: Id,
  lapNumber: Schema.Int,
  lapTime: Seconds,
  sector1Time: Seconds,
  sector2Time: Seconds,
  sector3Time: Seconds,
  sectorSource: Schema.optional(
    Schema.NullOr(SectorSource).annotations({
      description:
        "The source of the sectors. `derived`: the service cut them at one and two thirds of the lap, by the simulator's own " +
        "measure along the track or else by the circuit's reference line. Null if there are none"
    })
  ),
  valid: Schema.Boolean,
  driver: Schema.optional(Schema.String).annotations({
    description: "The driver of the lap, if it is not the session's driver"
  }),
  withdrawn: Schema.optional(Schema.Boolean).annotations({
    description:
      "True of a lap that the simulator has taken back, as after a flashback over the line; it does not count"
  }),
  excluded: Schema.optional(Schema.Boolean).annotations({
    description: "True of a lap that a user has excluded; it counts as not valid"
  }),
  corrected: Schema.optional(Schema.Boolean).annotations({
    description: "True of a lap whose validity a user has decided"
  }),
  validReported: Schema.optional(Schema.Boolean).annotations({
    description: "The validity as the simulator reported it, of a lap that a user has excluded or corrected"
  })
}).annotations({ identifier: "Lap" })

export type Lap = typeof Lap.Type

/** A simulator's later change of a reported lap. Fields that are left out stay as they were. */
export interface LapChange {
  /** s; null if the lap was not timed after all. */
  readonly lapTime?: number | null
  readonly sectors?: readonly [number | null, number | null, number | null]
  readonly valid?: boolean
  readonly driver?: string
  /** The simulator withdraws the lap. It is kept, and does not count. */
  readonly withdrawn?: true
}

/** The time span of a lap, epoch seconds: its points are those with `startTime` <= timestamp < `endTime`. */
export interface LapSpan {
  readonly startTime: number
  readonly endTime: number
}

/** A lap as the catalog keeps it. */
export interface RecordedLap extends Lap, LapSpan {}

/** A lap that the recorder has cut and the catalog has not yet numbered. */
export interface NewLap extends Omit<RecordedLap, "id"> {
  /** The sector lines that this lap defines for all later laps: it is the first whole lap of its circuit and layout. */
  readonly sectorLines?: SectorLines
}
