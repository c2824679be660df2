/**
 * Marks: what users say about recorded things. A mark never changes what was recorded; lists, statistics and analysis go by it.
 */
import { Schema } from "effect"
import { AnomalyType } from "./analysis/anomalies.ts"
import { Name } from "./Configuration.ts"
import { DateTime } from "./DateTime.ts"
import { Id } from "./Id.ts"
import { expecting } from "./messages.ts"
import { isName, namePattern } from "./text.ts"

export const MAX_NOTE = 4000
export const MAX_TAG = 40
export const MAX_TAGS = 32
/** Marks of one session and its laps. */
export const MAX_MARKS = 10_000
/** Earlier states that are kept of a mark. */
export const KEPT_REVISIONS = 20

/** No store keeps NUL, and none returns half of a surrogate pair. Lines may be broken. */
const isNote = (text: string): boolean =>
  text.length <= 2 * MAX_NOTE && [...text].length <= MAX_NOTE && !/\0|\p{Cs}/u.test(text)

const orNull = <A>(schema: Schema.Schema<A, string>) =>
  Schema.optionalWith(Schema.NullOr(schema), { default: () => null })

const Note = Schema.String.pipe(Schema.filter(isNote)).annotations({
  ...expecting((actual) =>
    typeof actual === "string" ? `at most ${MAX_NOTE} characters of text` : "a string"
  ),
  jsonSchema: { type: "string", pattern: `^[^\\u0000]{0,${MAX_NOTE}}$` }
})

/** A short word for things that belong together; case does not matter. */
export const Tag = Schema.Trim.pipe(Schema.filter((text) => isName(text, MAX_TAG))).annotations({
  identifier: "Tag",
  ...expecting(`1 to ${MAX_TAG} characters of text`),
  jsonSchema: { type: "string", pattern: namePattern(MAX_TAG), description: `1 to ${MAX_TAG} characters` }
})

const Tags = Schema.optionalWith(
  Schema.Array(Tag).pipe(
    Schema.maxItems(MAX_TAGS, {
      message: (issue) => expecting(`at most ${MAX_TAGS} tags`).message(issue).message
    })
  ),
  { default: () => [] }
)

const noted = { note: orNull(Note), tags: Tags }

/** A user's word on a session. A name that is null is the reported one. */
export const SessionMark = Schema.Struct({
  ...noted,
  circuit: orNull(Name),
  circuitLayout: orNull(Name),
  vehicle: orNull(Name),
  driver: orNull(Name)
}).annotations({ identifier: "SessionMark" })
export type SessionMark = typeof SessionMark.Type

/** A user's word on a lap. */
export const LapMark = Schema.Struct({
  excluded: Schema.optionalWith(Schema.Boolean, { default: () => false }).annotations({
    description: "Leaves the lap out of bests, predictions, baselines and consistency"
  }),
  valid: Schema.optionalWith(Schema.NullOr(Schema.Boolean), { default: () => null }).annotations({
    description: "Overrules the simulator; null does not"
  }),
  reason: orNull(Note),
  ...noted
}).annotations({ identifier: "LapMark" })
export type LapMark = typeof LapMark.Type

/** Metres from the line; longer than any circuit. */
const Distance = Schema.Finite.pipe(Schema.between(-1000, 200_000)).annotations({
  ...expecting("a number of metres between -1000 and 200000"),
  jsonSchema: { type: "number", minimum: -1000, maximum: 200_000 }
})

const LapNumber = Schema.Int.pipe(Schema.between(-1_000_000, 1_000_000)).annotations({
  ...expecting("a whole number between -1000000 and 1000000"),
  jsonSchema: { type: "integer", minimum: -1_000_000, maximum: 1_000_000 }
})

/** A user's word on an anomaly: it is named by type, lap, channel and place. */
export const AnomalyMark = Schema.Struct({
  type: AnomalyType,
  lapNumber: LapNumber,
  channel: Name,
  distance: Schema.optionalWith(Schema.NullOr(Distance), { default: () => null }),
  dismissed: Schema.optionalWith(Schema.Boolean, { default: () => true }),
  reason: orNull(Note)
}).annotations({ identifier: "AnomalyMark" })
export type AnomalyMark = typeof AnomalyMark.Type

/** For whom a reference lap is: everyone on the circuit, or only those in the vehicle, or only the driver. */
const referenceKey = { circuit: Name, vehicle: orNull(Name), driver: orNull(Name) }

/** A lap to drive against. */
export const ReferenceMark = Schema.Struct({
  ...referenceKey,
  name: orNull(Name)
}).annotations({ identifier: "ReferenceMark" })
export type ReferenceMark = typeof ReferenceMark.Type

/** A readable name for one that a game reports. */
export const NameMark = Schema.Struct({ raw: Name, name: Name }).annotations({ identifier: "NameMark" })
export type NameMark = typeof NameMark.Type

export const markKinds = ["session", "lap", "anomaly", "reference", "name"] as const
export type MarkKind = (typeof markKinds)[number]

/** The revision of a mark, and when it was made. */
export const revised = {
  revision: Schema.Int.annotations({
    description:
      "Counts the changes of the mark; 0 without one. If-Match with it refuses a change of another state"
  }),
  changedAt: Schema.NullOr(DateTime).annotations({
    description: "When the mark was last changed, UTC; null without one"
  })
}

const Text = Schema.optional(Schema.NullOr(Schema.String))

/** Any mark in a list: with the fields of its kind. */
export const Mark = Schema.Struct({
  id: Id,
  kind: Schema.Literal(...markKinds),
  sessionId: Schema.NullOr(Schema.Int),
  lapId: Schema.NullOr(Schema.Int),
  note: Text,
  tags: Schema.optional(Schema.Array(Schema.String)),
  reason: Text,
  circuit: Text,
  circuitLayout: Text,
  vehicle: Text,
  driver: Text,
  excluded: Schema.optional(Schema.Boolean),
  valid: Schema.optional(Schema.NullOr(Schema.Boolean)),
  type: Schema.optional(AnomalyType),
  lapNumber: Schema.optional(Schema.Int),
  channel: Schema.optional(Schema.String),
  distance: Schema.optional(Schema.NullOr(Schema.Number)),
  dismissed: Schema.optional(Schema.Boolean),
  raw: Schema.optional(Schema.String),
  name: Text,
  ...revised,
  unmatched: Schema.Boolean.annotations({
    description:
      "True of a mark whose lap or anomaly is gone. Whether an anomaly is there is looked up only for the marks of one session"
  })
}).annotations({ identifier: "Mark" })
export type Mark = typeof Mark.Type

/** A reference lap, for the names that it is for. */
export const Reference = Schema.Struct({
  circuit: Schema.String,
  vehicle: Schema.NullOr(Schema.String),
  driver: Schema.NullOr(Schema.String),
  lapId: Schema.NullOr(Schema.Int),
  sessionId: Schema.NullOr(Schema.Int),
  name: Schema.NullOr(Schema.String),
  ...revised,
  unmatched: Schema.Boolean.annotations({ description: "True if the lap is gone" })
}).annotations({ identifier: "Reference" })
export type Reference = typeof Reference.Type

/** The names that a reference is for. */
export type ReferenceKey = Omit<ReferenceMark, "name">

/** A mark as the catalog keeps it; revision 0 where nobody has made one. */
export interface Revised<A> {
  readonly value: A
  readonly revision: number
  readonly changedAt: number | null
}

const decodedEmpty = <A, I>(schema: Schema.Schema<A, I>): A => Schema.decodeUnknownSync(schema)({})

export const noSessionMark = decodedEmpty(SessionMark)
export const noLapMark = decodedEmpty(LapMark)

const isEmpty = (part: unknown) => Array.isArray(part) && part.length === 0

/** Whether a mark says no more than `none`, so that it is as good as deleted. */
export const saysNothing = <A extends object>(value: A, none: A): boolean =>
  Object.entries(none).every(([name, empty]) => {
    const part = value[name as keyof A]
    return part === empty || (isEmpty(part) && isEmpty(empty))
  })
