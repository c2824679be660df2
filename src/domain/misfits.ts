/** What is wrong with a value that does not fit a schema, in one sentence: `limit must be between 1 and 1000, got 0`. */
import { Effect, Option, type ParseResult, type Schema, SchemaAST } from "effect"
import { abridged } from "./expecting.ts"

/** A value that does not fit: where it stands, and what was expected there, or what its schema says of it. */
interface Misfit {
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

/** Undefined of what stands for a field that is left out: no client sends it. */
const expectedBy = (ast: SchemaAST.AST): string | undefined => {
  if (SchemaAST.isUndefinedKeyword(ast)) return undefined
  if (!SchemaAST.isRefinement(ast)) return words[ast._tag] ?? String(ast)
  return Option.getOrElse(SchemaAST.getDescriptionAnnotation(ast), () => expectedBy(ast.from))
}

type Annotated = Extract<ParseResult.ParseIssue, { readonly ast: SchemaAST.AST }>

/** Whether the schema says it of all that is inside, and the issue is one of these. */
const isOutside = (issue: Annotated) =>
  issue._tag === "Composite" ||
  (issue._tag === "Refinement" && issue.kind === "From") ||
  (issue._tag === "Transformation" && issue.kind !== "Transformation")

/** What the schema says of a value that does not fit it. */
const messageOf = (issue: Annotated): string | undefined => {
  const said = Option.getOrUndefined(SchemaAST.getMessageAnnotation(issue.ast))?.(issue)
  if (typeof said === "string") return isOutside(issue) ? undefined : said
  if (said === undefined || Effect.isEffect(said) || Effect.isEffect(said.message)) return undefined
  return isOutside(issue) && !said.override ? undefined : said.message
}

const each = <A>(some: A | ReadonlyArray<A>): ReadonlyArray<A> => (Array.isArray(some) ? some : [some as A])

/** The leaves of the tree, in its order; what the issue's own schema says of it is left out. */
const inside = (issue: ParseResult.ParseIssue, path: ReadonlyArray<PropertyKey>): ReadonlyArray<Misfit> => {
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
          ? { path, actual, expected: expectedBy(issue.ast) }
          : { path, actual, message: issue.message }
      ]
  }
}

const misfitsOf = (
  issue: ParseResult.ParseIssue,
  path: ReadonlyArray<PropertyKey>
): ReadonlyArray<Misfit> => {
  const { _tag: kind } = issue
  const message =
    kind === "Pointer" || kind === "Missing" || kind === "Unexpected" ? undefined : messageOf(issue)
  return message === undefined ? inside(issue, path) : [{ path, actual: issue.actual, message }]
}

/** As JSON has it, its spaces together. */
const written = (value: unknown) => (JSON.stringify(value) ?? String(value)).replace(/\s+/g, " ")

const nameOf = ({ path }: Misfit) => path.map(String).join(".")

/**
 * What is wrong with a value: of several things the first. Messages of our schemas are the sentence's end. Of a value
 * that may be one of several things there is a misfit for each. `whole`: what to call the value itself.
 */
export const sentenceOf = (issue: ParseResult.ParseIssue, whole: string): string => {
  const misfits = inside(issue, [])
  const first = misfits[0]!
  const name = nameOf(first) || whole
  if (first.isMissing) return `${name} is missing`
  const { message } = first
  if (message !== undefined)
    return message.startsWith("must ") ? `${name} ${message}` : `${name} must be ${message}`
  const got = abridged(written(first.actual))
  if (first.path.length === 0) return `${name} must be a JSON object, got ${got}`
  const alternatives = misfits
    .filter((other) => nameOf(other) === name)
    .flatMap(({ expected, message: said = expected }) => said ?? [])
  return `${name} must be ${[...new Set(alternatives)].join(" or ")}, got ${got}`
}

/**
 * The same schema, by the same name where it has one; what a value that does not fit it has for a message is the sentence, and
 * nothing else.
 */
export const explained = <A, I, R>(schema: Schema.Schema<A, I, R>, whole: string): Schema.Schema<A, I, R> =>
  schema.annotations({
    ...Option.match(SchemaAST.getIdentifierAnnotation(schema.ast), {
      onNone: () => ({}),
      onSome: (identifier) => ({ identifier })
    }),
    message: (issue) => ({ message: sentenceOf(issue, whole), override: true })
  })
