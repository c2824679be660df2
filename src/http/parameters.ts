/** What requests are made of, with messages that name the value: `limit must be between 1 and 1000, got 0`. */
import { Effect, Option, ParseResult, Schema } from "effect"
import { LapNotFound, SessionNotFound } from "../domain/errors.ts"
import { expecting } from "../domain/expecting.ts"
import { parseDateTime } from "../domain/Time.ts"

/** An id in a path. Kept as text: what is no id there is a thing that was not found, not a bad request. */
const PathId = (description: string) =>
  Schema.String.annotations({ jsonSchema: { type: "integer", minimum: 1, description } })

export const LapPath = Schema.Struct({ lap_id: PathId("Id of the lap") })
export const SessionPath = Schema.Struct({ session_id: PathId("Id of the session") })

const idOf = (text: string): number | undefined => {
  const id = Number(text)
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : undefined
}

export const lapId = (text: string): Effect.Effect<number, LapNotFound> => {
  const id = idOf(text)
  return id === undefined ? new LapNotFound({ lapId: text }) : Effect.succeed(id)
}

export const sessionId = (text: string): Effect.Effect<number, SessionNotFound> => {
  const id = idOf(text)
  return id === undefined ? new SessionNotFound({ sessionId: text }) : Effect.succeed(id)
}

/** A number in a query, as `read` finds it in the text. Effect's own takes what JavaScript does: "", " 5", 0x10, NaN. */
const QueryNumber = (read: (text: string) => Option.Option<number>) =>
  Schema.transformOrFail(Schema.String, Schema.Finite, {
    strict: true,
    decode: (text, _options, ast) =>
      Option.match(read(text), {
        onNone: () => ParseResult.fail(new ParseResult.Type(ast, text)),
        onSome: ParseResult.succeed
      }),
    encode: (value) => ParseResult.succeed(String(value))
  })

const whole = /^-?\d+$/
const decimal = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

const numberBy =
  (pattern: RegExp) =>
  (text: string): Option.Option<number> =>
    pattern.test(text) ? Option.some(Number(text)) : Option.none()

const readDecimal = numberBy(decimal)

/** The plus of an offset that was not encoded arrives as a space. */
const withPlus = (text: string) => text.replace(/ (?=\d\d:?\d\d$)(?<=[Tt ]\d\d:.*)/, "+")

const readInstant = (text: string) => Option.orElse(readDecimal(text), () => parseDateTime(withPlus(text)))

interface Documented {
  readonly description: string
  readonly default?: number | string
}

/** A whole number in a query, within bounds. */
export const QueryInt = (low: number, high: number, documented: Documented) =>
  QueryNumber(numberBy(whole))
    .pipe(Schema.between(low, high))
    .annotations({
      ...expecting((actual) =>
        typeof actual === "string" && whole.test(actual)
          ? `between ${low} and ${high}`
          : `a whole number between ${low} and ${high}`
      ),
      jsonSchema: { type: "integer", minimum: low, maximum: high, ...documented }
    })

/** The same as a JSON number. */
export const WholeNumber = (low: number, high: number) =>
  Schema.Int.pipe(Schema.between(low, high)).annotations(
    expecting((actual) =>
      Number.isInteger(actual) ? `between ${low} and ${high}` : `a whole number between ${low} and ${high}`
    )
  )

const separate = (texts: ReadonlyArray<string>) =>
  texts.flatMap((text) => text.split(",")).map((text) => text.trim())

/** Different ids in a query, `fewest` to `most` of them: the parameter repeated, or between commas, or both. */
export const QueryIds = (
  fewest: number,
  most: number,
  documented: Documented & { readonly each: string }
) => {
  const { each, ...all } = documented
  const Id = QueryInt(1, Number.MAX_SAFE_INTEGER, { description: each })
  const Texts = Schema.Array(Schema.String)
  return Schema.transform(Texts, Texts, { strict: true, decode: separate, encode: (texts) => texts }).pipe(
    Schema.compose(Schema.Array(Id)),
    Schema.annotations({
      jsonSchema: {
        type: "array",
        items: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: each },
        minItems: fewest,
        maxItems: most,
        uniqueItems: true,
        ...all
      }
    })
  )
}

/** An instant in a query: epoch seconds, fractional, or an ISO 8601 date-time, which is UTC without an offset. */
export const QueryTime = (documented: Documented) =>
  QueryNumber(readInstant).annotations({
    ...expecting("a number of seconds since 1970 or an ISO 8601 date-time"),
    jsonSchema: { anyOf: [{ type: "number" }, { type: "string", format: "date-time" }], ...documented }
  })

export const QueryChoice = <const A extends string>(choices: ReadonlyArray<A>, documented: Documented) =>
  Schema.Literal(...choices).annotations({
    ...expecting(`one of ${choices.join(", ")}`),
    jsonSchema: { type: "string", enum: choices, ...documented }
  })

export const QueryText = (description: string) => Schema.String.annotations({ description })

export const SampleRate = Schema.optionalWith(
  QueryInt(1, Number.MAX_SAFE_INTEGER, {
    description: "Every Nth point; the first and the last are always kept",
    default: 1
  }),
  { default: () => 1, exact: true }
)
