/**
 * The fields of inputs. Each has a note with its kind and limits, for interfaces that describe the field or read it
 * from text.
 */
import { Option, Schema, SchemaAST } from "effect"
import { isNameOrPattern, MAX_WANTED, NAME_OR_PATTERN } from "../domain/channelPattern.ts"
import { Name } from "../domain/Configuration.ts"
import { expecting } from "../domain/messages.ts"
import { isDateTime } from "../domain/Time.ts"

interface Described {
  readonly description: string
  /** The value if the caller gives none. */
  readonly usual?: number | string
}

export type FieldNote = Described &
  (
    | { readonly kind: "text" | "name" | "time" }
    /** `expected`: a description of valid text, if the limits do not describe it. */
    | { readonly kind: "wholeNumber"; readonly min: number; readonly max: number; readonly expected?: string }
    /** A number above 0. */
    | { readonly kind: "positive"; readonly expected: string }
    | { readonly kind: "flag" }
    /** Any of several words. */
    | { readonly kind: "words"; readonly words: ReadonlyArray<string> }
    /** One of several words. */
    | { readonly kind: "choice"; readonly choices: ReadonlyArray<string> }
    /** Names or patterns, `max` at most; each of `patterns` is checked. */
    | { readonly kind: "names" | "patterns"; readonly max: number }
    /** Between `min` and `max` different ids. `each`: the kind of thing that one id identifies. */
    | { readonly kind: "ids"; readonly min: number; readonly max: number; readonly each: string }
  )

const NOTE = Symbol.for("operations/FieldNote")

const noted = <A, I>(schema: Schema.Schema<A, I>, note: FieldNote): Schema.Schema<A, I> =>
  schema.annotations({ [NOTE]: note })

/** The note of a field; undefined if it has none. */
export const noteOf = (schema: Schema.Schema.Any): FieldNote | undefined =>
  Option.getOrUndefined(SchemaAST.getAnnotation<FieldNote>(NOTE)(schema.ast))

const within = (min: number, max: number) =>
  Schema.Int.pipe(Schema.between(min, max)).annotations(
    expecting((actual) =>
      Number.isInteger(actual) ? `between ${min} and ${max}` : `a whole number between ${min} and ${max}`
    )
  )

export const wholeNumber = (min: number, max: number, description: string, expected?: string) =>
  noted(within(min, max), {
    kind: "wholeNumber",
    min,
    max,
    description,
    ...(expected === undefined ? {} : { expected })
  })

/** The same, with the default `usual`. */
export const wholeNumberOr = (usual: number, min: number, max: number, description: string) =>
  Schema.optionalWith(noted(within(min, max), { kind: "wholeNumber", min, max, description, usual }), {
    default: () => usual
  })

/** One of several words, with the default `usual`. */
export const choiceOr = <const A extends string>(
  usual: NoInfer<A>,
  choices: ReadonlyArray<A>,
  description: string
) =>
  Schema.optionalWith(
    noted(Schema.Literal(...choices).annotations(expecting(`one of ${choices.join(", ")}`)), {
      kind: "choice",
      choices,
      description,
      usual
    }),
    { default: () => usual }
  )

/** One of several words, which may be left out. */
export const optionalChoice = <const A extends string>(choices: ReadonlyArray<A>, description: string) =>
  Schema.optional(
    noted(Schema.Literal(...choices).annotations(expecting(`one of ${choices.join(", ")}`)), {
      kind: "choice",
      choices,
      description
    })
  )

/** A number above 0. `expected` describes it in words. */
export const positive = (expected: string, description: string) =>
  noted(Schema.Finite.pipe(Schema.positive()).annotations(expecting(expected)), {
    kind: "positive",
    expected,
    description
  })

export const flag = (description: string) => noted(Schema.Boolean, { kind: "flag", description })

/** Any of several words. */
export const words = <const A extends string>(words: ReadonlyArray<A>, description: string) =>
  noted(Schema.Array(Schema.Literal(...words)), { kind: "words", words, description })

/** Names or patterns of channels, each of which is checked. */
export const patterns = (description: string) =>
  noted(
    Schema.Array(
      Schema.String.pipe(Schema.filter(isNameOrPattern), Schema.annotations(expecting(NAME_OR_PATTERN)))
    ).pipe(
      Schema.maxItems(MAX_WANTED, {
        // A wrong name has a message of its own.
        message: (issue) => expecting(`at most ${MAX_WANTED} names`).message(issue).message
      })
    ),
    { kind: "patterns", max: MAX_WANTED, description }
  )

/** The revision of a mark. */
export const Revision = Schema.optional(
  wholeNumber(0, Number.MAX_SAFE_INTEGER, "The revision that is to be changed; any if left out")
)

const id = (of: string) => wholeNumber(1, Number.MAX_SAFE_INTEGER, `Id of the ${of}`)

export const SessionId = id("session")
export const LapId = id("lap")
export const ImportId = id("import")

/** Between `min` and `max` different ids; the operation checks both. */
export const ids = (
  min: number,
  max: number,
  note: { readonly description: string; readonly each: string }
) => noted(Schema.Array(within(1, Number.MAX_SAFE_INTEGER)), { kind: "ids", min, max, ...note })

/** The expectation for a number that is not within the years of four digits: most often it counts milliseconds. */
export const IN_SECONDS = "in seconds since 1970, not milliseconds, and within the years 0 to 9999"

/** Epoch seconds. */
export const time = (description: string) =>
  Schema.optional(
    noted(
      Schema.Finite.pipe(Schema.filter(isDateTime)).annotations(
        expecting((actual) => (Number.isFinite(actual) ? IN_SECONDS : "a number of seconds since 1970"))
      ),
      { kind: "time", description }
    )
  )

/** Text for which every store can search: PostgreSQL does not allow NUL. */
export const Text = Schema.String.pipe(
  Schema.filter((given) => !given.includes("\0"), { jsonSchema: { pattern: "^[^\\u0000]*$" } })
).annotations(
  expecting((actual) => (typeof actual === "string" ? "text without the character NUL" : "a string"))
)

export const text = (description: string) => noted(Text, { kind: "text", description })

export const optionalText = (description: string) => Schema.optional(text(description))

/** A name, trimmed. */
export const name = (description: string) => noted(Name, { kind: "name", description })

/** Names of channels, at most `max`. */
export const wantedNames = (max: number, description: string) =>
  noted(
    Schema.Array(Schema.String).pipe(
      Schema.maxItems(max),
      Schema.annotations(expecting(`at most ${max} names`))
    ),
    { kind: "names", max, description }
  )

const ChannelNames = wantedNames(
  MAX_WANTED,
  "Further channels that each point gets, as of its time: names or patterns such as `fuel`, `tyre_*`, `*` (all). A point always has its own ten channels. With `group`: the channels of that group to return"
)

const SampleRate = wholeNumberOr(
  1,
  1,
  Number.MAX_SAFE_INTEGER,
  "N returns every Nth point, and always the first and the last; in the file of a session those of each lap, and of each stretch outside laps"
)

/** The choice of rows in a session. */
export const rowsWanted = {
  sampleRate: SampleRate,
  channels: Schema.optional(ChannelNames),
  group: optionalText(
    "Returns the samples of this channel group, at their own times, instead of points. The group `points` is the points"
  )
}

/** How numbers are written in text/csv. */
export const CsvDecimal = choiceOr(
  "point",
  ["point", "comma"],
  "The decimal sign in text/csv; with `comma` there are semicolons between the fields, as spreadsheets expect it where a comma is the sign"
)
