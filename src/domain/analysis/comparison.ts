/**
 * Laps compared with the fastest of them.
 *
 * Over 250 lines: it is one answer, field by field.
 */
import { Schema } from "effect"
import { Lap } from "../Lap.ts"
import {
  described,
  Kmh,
  LapReference,
  Metres,
  Missing,
  numbers,
  nullable,
  pair,
  Seconds,
  seconds,
  nullableNumbers,
  Version
} from "./parts.ts"

const delta = { total: Seconds, sector1: Seconds, sector2: Seconds, sector3: Seconds }

/** Seconds slower than the fastest lap; null if one of the two was not timed. */
export const TimeDelta = Schema.Struct(delta)
export type TimeDelta = typeof TimeDelta.Type

const Between = (description: string) => Schema.NullOr(pair(description))

export const LossCause = Schema.Literal(
  "braking",
  "minimum speed",
  "throttle",
  "lift",
  "second lift",
  "partial throttle",
  "coasting",
  "gear",
  "contact",
  "lock-up",
  "wheelspin",
  "late turn-in",
  "entry speed",
  "top speed",
  "line",
  "spin or stop"
)

export const Loss = Schema.Struct({
  lapId: LapReference,
  corner: described(
    Schema.NullOr(Schema.Int),
    "The corner's number; null on a straight, and for a corner without one"
  ),
  cornerLabel: described(Schema.NullOr(Schema.String), "The corner's `label`; null on a straight"),
  distance: described(
    Schema.Number,
    "Metres from the start line to the corner's apex, or to the middle of the straight"
  ),
  from: described(Schema.Number, "Metres from the start line: where the stretch of the loss begins"),
  to: described(Schema.Number, "Metres from the start line: where the stretch of the loss ends"),
  seconds: seconds("the time that the lap lost there to the fastest"),
  cause: described(
    Schema.NullOr(LossCause),
    "The measured difference that explains most of the loss by itself; null if there is none"
  ),
  causeAt: Between(
    "Metres from the start line: the two places between which the cause shows; null if `cause` is null"
  ),
  sentence: Schema.String
}).annotations({ identifier: "Loss", description: "One place where a lap lost time" })
export type Loss = typeof Loss.Type

export const Explained = Schema.Struct({
  delta: seconds("the lap's delta at the finish line by its telemetry, which is the sum of the other four"),
  lost: seconds("the sum of the lap's `losses`"),
  unnamed: seconds(
    "the sum of the losses that are too small or too uncertain to list, or next to an unsound stretch"
  ),
  gained: seconds("the sum of the gains, as a negative number, or 0"),
  unsound: seconds("the lost or gained time on stretches where the delta is unreliable")
}).annotations({ identifier: "Explained", description: "How a lap's delta adds up" })
export type Explained = typeof Explained.Type

export const Stretch = Schema.Struct({
  from: Metres,
  to: Metres,
  reason: Schema.String
}).annotations({
  identifier: "Stretch",
  description: "A stretch of the lap where the delta is unreliable, and why"
})
export type Stretch = typeof Stretch.Type

export const Closure = Schema.Struct({
  lapId: LapReference,
  ...delta,
  timedBy: described(
    Schema.Literal("clock", "positions", "distance"),
    "The source of the lap's start and end: the recorder's clock, or the crossing of the line as shown by the " +
      "positions or by the simulator's `lap_distance`"
  ),
  measured: nullable("Seconds: the lap time by `timed_by`; null if the laps cannot be aligned"),
  official: nullable("Seconds: the official lap time"),
  unsound: described(
    Schema.Array(Stretch),
    "Stretches where the delta is unreliable, because of faults in this lap's data or the fastest lap's. `losses` has none there"
  ),
  trusted: described(Schema.Boolean, "Whether the laps are aligned and no stretch is unsound"),
  reason: described(
    Schema.NullOr(Schema.String),
    "Why the lap is not trusted: the reason of the longest unsound stretch; null if it is trusted"
  ),
  explained: described(
    Schema.NullOr(Explained),
    "Null if no part of the lap is sound, or if this lap or the fastest has no speed; `losses` then has none of this lap"
  )
}).annotations({
  identifier: "Closure",
  description:
    "By how many seconds the telemetry's deltas, at the finish line and in each sector, differ from the official ones"
})
export type Closure = typeof Closure.Type

export const CornerPass = Schema.Struct({
  lapId: LapReference,
  entrySpeed: Kmh,
  apexSpeed: Kmh,
  exitSpeed: Kmh,
  minimumSpeed: Kmh,
  minimumSpeedAt: nullable("Metres from the start line; null if the lap has no speed there"),
  brakingPoint: nullable("Metres from the start line; null if the lap does not brake there or lacks `brake`"),
  brakingInterval: Between(
    "Metres from the start line: the two points between which the braking began; null if `braking_point` is null"
  ),
  throttleInterval: Between(
    "Metres from the start line: the two points between which the driver opened the throttle; null if `throttle_point` is null"
  ),
  throttlePoint: nullable(
    "Metres from the start line to where the driver opens the throttle again; null if it was open all along, or is unknown"
  ),
  time: nullable("Seconds: from the corner's entry to its exit; null if either was not recorded"),
  timeLost: nullable(
    "Seconds: the time lost to the fastest lap in the corner and in the braking before it; negative if gained; null if " +
      "one of the laps was not recorded there"
  )
}).annotations({ identifier: "CornerPass", description: "One lap's passage through a corner" })
export type CornerPass = typeof CornerPass.Type

/** The origin of the corners' numbers: the circuit, a user, or the order in which the corners were found. */
export const NumberedBy = Schema.Literal("official", "edited", "detected")
export type NumberedBy = typeof NumberedBy.Type

/** How the corners were found: by bends of the reference's line, or by places where the laps are slow. */
export const FoundBy = Schema.Literal("positions", "speed")
export type FoundBy = typeof FoundBy.Type

export const Direction = Schema.Literal("left", "right")
export type Direction = typeof Direction.Type

export const CornerComparison = Schema.Struct({
  number: described(
    Schema.NullOr(Schema.Int),
    "The corner's number. On a known circuit it is the circuit's own: the first if the corner found covers several, null if " +
      "it covers none. Otherwise it is the number that the circuit's first laps gave the place, from 1, from the start line"
  ),
  label: described(Schema.String, "`5`, `5-6`, `5a` for one found later, or `between 5 and 6`"),
  name: described(Schema.NullOr(Schema.String), "The circuit's name for the corner; null if it has none"),
  numberedBy: described(
    NumberedBy,
    "`official`: the circuit's own map; `edited`: a user; `detected`: found in laps, without a number of the circuit"
  ),
  foundBy: described(
    FoundBy,
    "`positions`: where the fastest lap's line bends; `speed`: where most of the laps are slower than before and after, if " +
      "there are no positions"
  ),
  direction: described(Schema.NullOr(Direction), "Null if the corner was found by speed"),
  entry: Metres,
  apex: Metres,
  exit: described(
    Schema.Number,
    "Metres from the start line; less than `entry` if the start line lies within the corner"
  ),
  angle: nullable("Radians by which the corner turns; null if the corner was found by speed"),
  radius: nullable("Metres: the radius of the tightest bend; null if the corner was found by speed"),
  passes: described(Schema.Array(CornerPass), "One for each lap")
}).annotations({ identifier: "Corner", description: "A corner found in the laps" })
export type CornerComparison = typeof CornerComparison.Type

const comparison = {
  algorithmVersion: Version,
  laps: Schema.Array(Lap),
  fastestLapId: LapReference,
  timeDeltas: Schema.Record({ key: Schema.String, value: TimeDelta }).annotations({
    description: "By lap id: the difference to the fastest lap"
  }),
  suggestions: described(Schema.Array(Schema.String), "The sentences of `losses`"),
  losses: described(Schema.Array(Loss), "The largest first"),
  closure: described(Schema.Array(Closure), "One for each lap"),
  corners: described(Schema.Array(CornerComparison), "In the order driven"),
  circuit: Schema.NullOr(
    Schema.Struct({
      name: Schema.String,
      numberedBy: Schema.Literal("official", "edited"),
      score: nullable(
        "0 to 1: how well the corners of the driven line match those of the known circuit; null if a user numbered them"
      ),
      margin: nullable(
        "By how much `score` exceeds that of any other circuit as long, and of its other layouts; null if a user numbered the corners"
      )
    })
  ).annotations({
    description:
      "The source of the corners' numbers: a known circuit, which the service recognizes by its length and the sequence " +
      "of its corners, or a user. Null if corners have only the numbers that laps gave them"
  }),
  method: described(
    Schema.NullOr(Schema.Literal("distance", "positions", "speed")),
    "The measure that aligns the laps. `distance` is the simulator's own `lap_distance`, used if all laps have it and it proves " +
      "to be along the same line. Null if the laps cannot be aligned"
  ),
  missingChannels: Missing
}

export const LapComparison = Schema.Struct(comparison).annotations({
  identifier: "LapComparison",
  description: "The laps compared with the fastest of them"
})
export type LapComparison = typeof LapComparison.Type

export const Trace = Schema.Struct({
  lapId: LapReference,
  distance: numbers("Metres from the start line, about one metre apart"),
  timeDelta: nullableNumbers(
    "Seconds behind the fastest lap at that distance; null where one of the two was not recorded"
  ),
  timeDeltaUncertainty: nullableNumbers(
    "Seconds: the true delta is this close to `time_delta` at nine places in ten"
  ),
  speed: nullableNumbers("km/h"),
  throttle: nullableNumbers("0 to 1"),
  brake: nullableNumbers("0 to 1"),
  gear: nullableNumbers("The gear of the nearest point"),
  steering: nullableNumbers("-1 (full left) to 1 (full right)"),
  positionX: nullableNumbers("Metres"),
  positionY: nullableNumbers("Metres"),
  channels: Schema.optional(
    Schema.Record({
      key: Schema.String,
      value: Schema.NullOr(
        nullableNumbers(
          "Continuous channels are interpolated linearly in time, angles (0 to 360) the shorter way round; steps and flags keep the last value"
        )
      )
    })
  ).annotations({
    description: "The requested channels, by name; null for a channel that the lap's session lacks"
  })
}).annotations({
  identifier: "Trace",
  description:
    "One value for each distance; null where the channel is absent, and where the lap was not recorded: before its first " +
    "point, after its last, and in pauses of over a second and of over three of its intervals"
})

type Columns = Omit<typeof Trace.Type, "channels">

/** A computed trace, whose columns are typed arrays, with `ABSENT` if the source does not send a channel. */
export type Trace = {
  readonly [Name in keyof Columns]: Columns[Name] extends number ? number : Float64Array
} & { readonly channels?: Readonly<Record<string, Float64Array | null>> }

export const TracedLapComparison = Schema.Struct({
  ...comparison,
  traces: Schema.Array(Trace)
}).annotations({
  identifier: "TracedLapComparison",
  description: "The comparison, with a trace for each lap"
})
