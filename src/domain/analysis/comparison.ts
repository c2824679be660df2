/** Laps compared with the fastest of them. */
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
  toldNumbers,
  Version
} from "./parts.ts"

const delta = { total: Seconds, sector1: Seconds, sector2: Seconds, sector3: Seconds }

/** Seconds slower than the fastest lap; null where one of the two was not timed. */
export const TimeDelta = Schema.Struct(delta)
export type TimeDelta = typeof TimeDelta.Type

export const Loss = Schema.Struct({
  lapId: LapReference,
  corner: described(
    Schema.NullOr(Schema.Int),
    "The corner's number; null on a straight, and for a corner that is none of the circuit's own"
  ),
  cornerLabel: described(Schema.NullOr(Schema.String), "The corner's `label`; null on a straight"),
  distance: described(
    Schema.Number,
    "Metres from the line: the corner's apex, or the middle of the straight"
  ),
  seconds: seconds("what the lap lost there to the fastest"),
  cause: described(
    Schema.NullOr(
      Schema.Literal("braking", "minimum speed", "throttle", "top speed", "line", "pace", "spin or stop")
    ),
    "What was different and explains most of the seconds by itself; null where nothing that was measured does"
  ),
  sentence: Schema.String
}).annotations({ identifier: "Loss", description: "One place where a lap lost time" })
export type Loss = typeof Loss.Type

export const Explained = Schema.Struct({
  delta: seconds("the lap's delta at the line by its telemetry, the sum of the other four"),
  lost: seconds("the sum of the lap's `losses`"),
  unnamed: seconds("losses too small to be named or to be sure of, or beside what is unsound, together"),
  gained: seconds("what it gained elsewhere, together; 0 or less"),
  unsound: seconds("what went, either way, where the delta is not to be relied on")
}).annotations({ identifier: "Explained", description: "Where a lap's delta went" })
export type Explained = typeof Explained.Type

export const Stretch = Schema.Struct({
  from: Metres,
  to: Metres,
  reason: Schema.String
}).annotations({
  identifier: "Stretch",
  description: "A stretch of the lap that is not to be relied on, and why"
})
export type Stretch = typeof Stretch.Type

export const Closure = Schema.Struct({
  lapId: LapReference,
  ...delta,
  timedBy: described(
    Schema.Literal("clock", "positions", "distance"),
    "What timed the lap from line to line: the recorder's clock, or the crossing that the positions, or the simulator's " +
      "`lap_distance`, show"
  ),
  measured: nullable("The lap's time by that, seconds"),
  official: nullable("The lap's own time, seconds"),
  unsound: described(
    Schema.Array(Stretch),
    "Where the delta is not to be relied on, by faults of this lap's data or the fastest's; no loss is named there"
  ),
  trusted: described(Schema.Boolean, "Whether no stretch is unsound"),
  reason: described(Schema.NullOr(Schema.String), "Why it is not trusted: of the longest stretch"),
  explained: described(
    Schema.NullOr(Explained),
    "Null where nothing of the lap is sound, or it or the fastest does not tell its speed: its losses go unnamed"
  )
}).annotations({
  identifier: "Closure",
  description:
    "What the telemetry's deltas at the line and at the sector lines miss the official ones by, in seconds"
})
export type Closure = typeof Closure.Type

const Between = (description: string) => Schema.NullOr(pair(description))

export const CornerPass = Schema.Struct({
  lapId: LapReference,
  entrySpeed: Kmh,
  apexSpeed: Kmh,
  exitSpeed: Kmh,
  minimumSpeed: Kmh,
  minimumSpeedAt: nullable("Metres from the line; null where the speed is not told"),
  brakingPoint: nullable(
    "Metres from the line; null where the lap does not brake for it, or the brake is not told"
  ),
  brakingInterval: Between(
    "Metres from the line: the points between which the braking began; null as `braking_point`"
  ),
  throttleInterval: Between(
    "Metres from the line: the points between which the throttle was opened; null as `throttle_point`"
  ),
  throttlePoint: nullable("Metres from the line where the throttle is opened again; null where not known"),
  time: seconds("from the corner's entry to its exit"),
  timeLost: seconds("lost (or, below 0, gained) to the fastest, with the braking before it")
}).annotations({ identifier: "CornerPass", description: "A lap in a corner" })
export type CornerPass = typeof CornerPass.Type

/** Where the corners' numbers come from: the circuit, a user, or the order in which the corners were found. */
export const NumberedBy = Schema.Literal("official", "edited", "detected")
export type NumberedBy = typeof NumberedBy.Type

/** How the corners were found: where the reference's line bends, or where the laps are slow. */
export const FoundBy = Schema.Literal("positions", "speed")
export type FoundBy = typeof FoundBy.Type

export const Direction = Schema.Literal("left", "right")
export type Direction = typeof Direction.Type

export const CornerComparison = Schema.Struct({
  number: described(
    Schema.NullOr(Schema.Int),
    "The circuit's own, where it is known: the first, where a corner found is several, null where it is none. Else from 1, " +
      "counted from the line"
  ),
  label: described(Schema.String, "`5`, `5-6`, or `between 5 and 6`"),
  name: described(Schema.NullOr(Schema.String), "Where the circuit has one for it"),
  numberedBy: described(
    NumberedBy,
    "`official`: by the circuit's own map; `edited`: as a user said; `detected`: found, and none of the circuit's own"
  ),
  foundBy: described(
    FoundBy,
    "`positions`: where the fastest lap's line bends; `speed`: where most of the laps are slower than before and after, " +
      "because positions are not told"
  ),
  direction: described(Schema.NullOr(Direction), "Null where it was found by speed"),
  entry: Metres,
  apex: Metres,
  exit: described(Schema.Number, "Metres from the line; before the entry where the line lies in the corner"),
  angle: nullable("By how much it turns, radians; null where it was found by speed"),
  radius: nullable("Of its tightest bend, metres; null where it was found by speed"),
  passes: described(Schema.Array(CornerPass), "One for each lap")
}).annotations({ identifier: "Corner", description: "A corner, found in the laps" })
export type CornerComparison = typeof CornerComparison.Type

const comparison = {
  algorithmVersion: Version,
  laps: Schema.Array(Lap),
  fastestLapId: LapReference,
  timeDeltas: Schema.Record({ key: Schema.String, value: TimeDelta }).annotations({
    description: "By lap id, against the fastest lap"
  }),
  suggestions: described(Schema.Array(Schema.String), "The sentences of `losses`"),
  losses: described(Schema.Array(Loss), "The largest first"),
  closure: described(Schema.Array(Closure), "One for each lap"),
  corners: described(Schema.Array(CornerComparison), "In the order driven"),
  circuit: Schema.NullOr(
    Schema.Struct({
      name: Schema.String,
      numberedBy: Schema.Literal("official", "edited"),
      score: nullable("0 to 1: how much of the known circuit's corners and of the line's is the same"),
      margin: nullable("By how much that is more than any other circuit's")
    })
  ).annotations({
    description:
      "Whose numbers the corners have: of a known circuit, by the length and the sequence of the corners, or of a user. " +
      "Null where they are in the order found"
  }),
  method: described(
    Schema.NullOr(Schema.Literal("distance", "positions", "speed")),
    "What the laps were aligned by: `distance` is the simulator's own `lap_distance`, where all of them tell one that proves " +
      "to be along the same line; null where they cannot be aligned"
  ),
  missingChannels: Missing
}

export const LapComparison = Schema.Struct(comparison).annotations({
  identifier: "LapComparison",
  description: "The laps against the fastest of them"
})
export type LapComparison = typeof LapComparison.Type

export const Trace = Schema.Struct({
  lapId: LapReference,
  distance: numbers("Metres from the line, about one apart"),
  timeDelta: numbers("Seconds behind the fastest there"),
  timeDeltaUncertainty: numbers(
    "Seconds: the true delta lies within so much of the one given, at nine places in ten"
  ),
  speed: toldNumbers("km/h"),
  throttle: toldNumbers("0 to 1"),
  brake: toldNumbers("0 to 1"),
  gear: toldNumbers("Of the nearest point"),
  steering: toldNumbers("-1 (full left) to 1 (full right)"),
  positionX: toldNumbers("Metres"),
  positionY: toldNumbers("Metres"),
  channels: Schema.optional(
    Schema.Record({
      key: Schema.String,
      value: Schema.NullOr(
        toldNumbers(
          "Continuous ones linear in time between samples, angles (0 to 360) the shorter way, steps and flags as last told"
        )
      )
    })
  ).annotations({
    description: "The channels that were asked for, by name; null of one that the lap's session lacks"
  })
}).annotations({
  identifier: "Trace",
  description: "A value for each distance; null where the channel is not told"
})

type Columns = Omit<typeof Trace.Type, "channels">

/** In a computed value the columns are typed arrays, with `ABSENT` where the source does not tell a channel. */
export type Trace = {
  readonly [Name in keyof Columns]: Columns[Name] extends number ? number : Float64Array
} & { readonly channels?: Readonly<Record<string, Float64Array | null>> }

export const TracedLapComparison = Schema.Struct({
  ...comparison,
  traces: Schema.Array(Trace)
}).annotations({ identifier: "TracedLapComparison", description: "The comparison with a trace for each lap" })
