/**
 * Fields of inputs as a query carries them: text, with error messages that name the value: `limit must be between 1 and
 * 1000, got 0`.
 */
import { Option, ParseResult, Schema } from "effect"
import { betweenCommas, isNameOrPattern, NAME_OR_PATTERN } from "../../domain/channelPattern.ts"
import { MAX_NAME, Name } from "../../domain/Configuration.ts"
import { expecting, shown } from "../../domain/messages.ts"
import { EARLIEST, isDateTime, LATEST, parseDateTime } from "../../domain/Time.ts"
import { namePattern } from "../../domain/text.ts"
import { type FieldNote, IN_SECONDS, noteOf, Text } from "../../operations/fields.ts"

/** "lap, session and on_air". */
const listed = new Intl.ListFormat("en-GB")

/**
 * A number in a query, as `read` finds it in the text. Effect's own schema accepts everything that JavaScript accepts:
 * "", " 5", 0x10, NaN.
 */
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

/** A plus of a time offset that was not percent-encoded arrives as a space. */
const withPlus = (text: string) => text.replace(/ (?=\d\d(?::?\d\d)?$)(?<=[Tt ]\d\d:.*)/, "+")

const readInstant = (text: string) =>
  Option.orElse(readDecimal(text), () => Option.fromNullable(parseDateTime(withPlus(text))))

interface Documented {
  readonly description: string
  readonly default?: number | string
}

/** A whole number, within bounds. */
const QueryInt = (min: number, max: number, documented: Documented, expected?: string) =>
  QueryNumber(numberBy(whole))
    .pipe(Schema.between(min, max))
    .annotations({
      ...expecting((actual) => {
        if (expected !== undefined) return expected
        return typeof actual === "string" && whole.test(actual)
          ? `between ${min} and ${max}`
          : `a whole number between ${min} and ${max}`
      }),
      jsonSchema: { type: "integer", minimum: min, maximum: max, ...documented }
    })

const Texts = Schema.Array(Schema.String)

const separate = (texts: ReadonlyArray<string>) =>
  texts.flatMap((text) => text.split(",")).map((text) => text.trim())

/** Between `min` and `max` different ids: the parameter repeated, separated by commas, or both. */
const QueryIds = (min: number, max: number, each: string, documented: Documented) => {
  const Id = QueryInt(1, Number.MAX_SAFE_INTEGER, { description: each })
  return Schema.transform(Texts, Texts, { strict: true, decode: separate, encode: (texts) => texts }).pipe(
    Schema.compose(Schema.Array(Id)),
    Schema.annotations({
      jsonSchema: {
        type: "array",
        items: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: each },
        minItems: min,
        maxItems: max,
        uniqueItems: true,
        ...documented
      }
    })
  )
}

/**
 * A list of texts: the parameter repeated, separated by commas, or both. `inputError` gets the list and the query's
 * text. It says what the list must be and what it is instead; undefined if the list is valid.
 */
const QueryTexts = (
  jsonSchema: object,
  inputError: (texts: ReadonlyArray<string>, given: ReadonlyArray<string>) => string | undefined
) =>
  Schema.transformOrFail(Texts, Texts, {
    strict: true,
    decode: (given, _options, ast) => {
      const texts = given.flatMap(betweenCommas)
      const fault = inputError(texts, given)
      return fault === undefined
        ? ParseResult.succeed(texts)
        : ParseResult.fail(new ParseResult.Type(ast, given, `must be ${fault}`))
    },
    encode: (texts) => ParseResult.succeed(texts)
  }).annotations({ jsonSchema: { type: "array", ...jsonSchema } })

const QueryNames = (max: number, documented: Documented) =>
  QueryTexts({ items: { type: "string" }, maxItems: max, ...documented }, (names, given) =>
    names.length > max ? `at most ${max} names, got ${shown(given)}` : undefined
  )

/** Names or patterns of channels, each of which is checked. */
const QueryPatterns = (max: number, documented: Documented) =>
  QueryTexts({ items: { type: "string" }, maxItems: max, ...documented }, (names) => {
    const wrong = names.find((name) => !isNameOrPattern(name))
    if (wrong !== undefined) return `${NAME_OR_PATTERN}, got ${shown(wrong)}`
    return names.length > max ? `at most ${max} names, got ${names.length}` : undefined
  })

/** Any of several words. */
const QueryWords = (words: ReadonlyArray<string>, documented: Documented) =>
  QueryTexts({ items: { type: "string", enum: words }, ...documented }, (texts, given) =>
    texts.every((text) => words.includes(text))
      ? undefined
      : `a comma-separated list of ${listed.format(words)}, got ${shown(given.join(","))}`
  )

const QueryFlag = (documented: Documented) =>
  Schema.transformLiterals(["0", false], ["1", true], ["false", false], ["true", true]).annotations({
    ...expecting("1 or 0"),
    jsonSchema: { type: "string", enum: ["0", "1", "false", "true"], ...documented }
  })

/** A number above 0. */
const QueryPositive = (expected: string, documented: Documented) =>
  QueryNumber(readDecimal)
    .pipe(Schema.positive())
    .annotations({
      ...expecting(expected),
      jsonSchema: { type: "number", exclusiveMinimum: 0, ...documented }
    })

/** An instant: epoch seconds with fraction, or an ISO 8601 date-time, which is UTC unless it has an offset. */
const QueryTime = (documented: Documented) =>
  QueryNumber(readInstant)
    .pipe(Schema.filter(isDateTime))
    .annotations({
      ...expecting((actual) =>
        typeof actual === "string" && Option.isSome(readDecimal(actual))
          ? IN_SECONDS
          : "a number of seconds since 1970 or an ISO 8601 date-time"
      ),
      jsonSchema: {
        anyOf: [
          { type: "number", minimum: EARLIEST, maximum: LATEST },
          { type: "string", format: "date-time" }
        ],
        ...documented
      }
    })

/** One of several words. */
export const QueryChoice = <const A extends string>(choices: ReadonlyArray<A>, documented: Documented) =>
  Schema.Literal(...choices).annotations({
    ...expecting(`one of ${choices.join(", ")}`),
    jsonSchema: { type: "string", enum: choices, ...documented }
  })

const queryOf = (note: FieldNote) => {
  const { description, usual } = note
  const documented = usual === undefined ? { description } : { description, default: usual }
  switch (note.kind) {
    case "text":
      return Text.annotations({ description })
    case "name":
      return Name.annotations({
        jsonSchema: { type: "string", pattern: namePattern(MAX_NAME), description }
      })
    case "time":
      return QueryTime(documented)
    case "wholeNumber":
      return QueryInt(note.min, note.max, documented, note.expected)
    case "positive":
      return QueryPositive(note.expected, documented)
    case "flag":
      return QueryFlag(documented)
    case "words":
      return QueryWords(note.words, documented)
    case "patterns":
      return QueryPatterns(note.max, documented)
    case "choice":
      return QueryChoice(note.choices, documented)
    case "names":
      return QueryNames(note.max, documented)
    case "ids":
      return QueryIds(note.min, note.max, note.each, documented)
  }
}

/** A field of an input: a schema, or an optional schema. */
export type Field = Schema.Struct.Field

const schemaOf = (field: Field): Schema.Schema.Any => {
  const schema = !Schema.isSchema(field) && "from" in field ? field.from : field
  if (!Schema.isSchema(schema)) throw new Error("BUG: a field is no schema")
  return schema
}

/**
 * The schema of a field in a query, chosen by the field's annotation. A parameter that is left out has the input's
 * default.
 */
export const queryField = (name: string, field: Field): Field => {
  const note = noteOf(schemaOf(field))
  if (note === undefined) throw new Error(`BUG: ${name} has no note, by which a query has it`)
  const schema = Schema.make<unknown>(queryOf(note).ast)
  const { usual } = note
  if (usual !== undefined) return Schema.optionalWith(schema, { default: () => usual, exact: true })
  return Schema.isSchema(field) ? schema : Schema.optionalWith(schema, { exact: true })
}

/** Whether a query may have the field several times. */
export const isList = (field: Field) => Schema.encodedSchema(schemaOf(field)).ast._tag === "TupleType"
