/** Says in one sentence why a value does not fit a schema: `limit must be between 1 and 1000, got 0`. */
import { Effect, Option, type ParseResult, type Schema, SchemaAST } from "effect"
import { abridged } from "./messages.ts"

/** A value that does not fit: its path, and the schema's expectation or message for it. */
interface InputError {
  readonly path: ReadonlyArray<PropertyKey>
  readonly actual: unknown
  readonly expected?: string | undefined
  readonly message?: string
  readonly isMissing?: true
}

const words: Partial<Record<SchemaAST.AST["_tag"], string>> = {
  StringKeyword: "a string",
  NumberKeyword: "a number",
  BooleanKeyword: "true or false",
  TypeLiteral: "an object",
  TupleType: "an array"
}

/**
 * The expectation of a schema. Undefined for the part that represents a field that was left out: no client sends it.
 */
const expectedBy = (ast: SchemaAST.AST): string | undefined => {
  if (SchemaAST.isUndefinedKeyword(ast)) return undefined
  if (!SchemaAST.isRefinement(ast)) return words[ast._tag] ?? String(ast)
  return Option.getOrElse(SchemaAST.getDescriptionAnnotation(ast), () => expectedBy(ast.from))
}

/** The expectation of `Schema.Int`. JSON of other languages has larger integers, which doubles cannot distinguish. */
const TOO_LARGE = `an integer of at most ${Number.MAX_SAFE_INTEGER}`
const isTooLarge = (actual: unknown) => Number.isInteger(actual) && !Number.isSafeInteger(actual)

type Annotated = Extract<ParseResult.ParseIssue, { readonly ast: SchemaAST.AST }>

/** Whether the schema's message covers everything inside the value, and the issue is inside. */
const isOutside = (issue: Annotated) =>
  issue._tag === "Composite" ||
  (issue._tag === "Refinement" && issue.kind === "From") ||
  (issue._tag === "Transformation" && issue.kind !== "Transformation")

/** The schema's message about a value that does not fit it. */
const messageOf = (issue: Annotated): string | undefined => {
  const said = Option.getOrUndefined(SchemaAST.getMessageAnnotation(issue.ast))?.(issue)
  if (typeof said === "string") return isOutside(issue) ? undefined : said
  if (said === undefined || Effect.isEffect(said) || Effect.isEffect(said.message)) return undefined
  return isOutside(issue) && !said.override ? undefined : said.message
}

const each = <A>(some: A | ReadonlyArray<A>): ReadonlyArray<A> => (Array.isArray(some) ? some : [some as A])

/** The leaves of the tree, in its order, without the messages of the issue's own schema. */
const inside = (
  issue: ParseResult.ParseIssue,
  path: ReadonlyArray<PropertyKey>
): ReadonlyArray<InputError> => {
  const { actual } = issue
  switch (issue._tag) {
    case "Pointer":
      return misfitsOf(issue.issue, [...path, ...each(issue.path)])
    case "Composite":
      return each(issue.issues).flatMap((one) => misfitsOf(one, path))
    case "Refinement":
    case "Transformation":
      return misfitsOf(issue.issue, path)
    case "Missing":
      return [{ path, actual, isMissing: true }]
    case "Unexpected":
      return [{ path, actual, expected: "left out" }]
    case "Type":
    case "Forbidden":
      return [
        issue.message === undefined
          ? { path, actual, expected: isTooLarge(actual) ? TOO_LARGE : expectedBy(issue.ast) }
          : { path, actual, message: issue.message }
      ]
  }
}

const misfitsOf = (
  issue: ParseResult.ParseIssue,
  path: ReadonlyArray<PropertyKey>
): ReadonlyArray<InputError> => {
  const { _tag: kind } = issue
  const message =
    kind === "Pointer" || kind === "Missing" || kind === "Unexpected" ? undefined : messageOf(issue)
  return message === undefined ? inside(issue, path) : [{ path, actual: issue.actual, message }]
}

/** The value as JSON, with each run of spaces replaced by one space. */
const written = (value: unknown) => (JSON.stringify(value) ?? String(value)).replace(/\s+/g, " ")

const nameOf = ({ path }: InputError) => path.map(String).join(".")

/**
 * Why a value does not fit; the first reason if there are several. The messages of our schemas end the sentence. For a
 * value that may have one of several types there is an InputError for each type. `whole`: the name of the value itself.
 */
export const sentenceOf = (issue: ParseResult.ParseIssue, whole: string): string => {
  const inputErrors = inside(issue, [])
  const first = inputErrors[0]!
  const name = nameOf(first) || whole
  if (first.isMissing) return `${name} is missing`
  const { message } = first
  if (message !== undefined)
    return message.startsWith("must ") ? `${name} ${message}` : `${name} must be ${message}`
  const got = abridged(written(first.actual))
  if (first.path.length === 0) return `${name} must be a JSON object, got ${got}`
  const alternatives = inputErrors
    .filter((other) => nameOf(other) === name)
    .flatMap(({ expected, message: said = expected }) => said ?? [])
  return `${name} must be ${[...new Set(alternatives)].join(" or ")}, got ${got}`
}

/**
 * The same schema, under the same name if it has one. For a value that does not fit, its whole message is the sentence.
 */
export const explained = <A, I, R>(schema: Schema.Schema<A, I, R>, whole: string): Schema.Schema<A, I, R> =>
  schema.annotations({
    ...Option.match(SchemaAST.getIdentifierAnnotation(schema.ast), {
      onNone: () => ({}),
      onSome: (identifier) => ({ identifier })
    }),
    message: (issue) => ({ message: sentenceOf(issue, whole), override: true })
  })
