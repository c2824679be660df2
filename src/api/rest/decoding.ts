/**
 * Reads the parts of a request by schemas. The answer to an invalid value is a sentence that says why it is invalid.
 */
import { Effect, Either, ParseResult, Schema } from "effect"
import { sentenceOf } from "../../domain/inputErrors.ts"
import { inSnakeCase } from "../../platform/wire.ts"
import { RequestMisfit } from "../problems.ts"
import type { Asked } from "../routing.ts"
import { isList, queryField } from "./query.ts"

/** The name of a body in sentences, if it has no name of its own. */
const BODY = "The request body"

export type Decoder<A> = (given: unknown) => Either.Either<A, RequestMisfit>

export const decoder = <A, I>(schema: Schema.Schema<A, I>): Decoder<A> => {
  const decode = ParseResult.decodeUnknownEither(schema)
  return (given) =>
    Either.mapLeft(decode(given), (issue) => new RequestMisfit({ sentence: sentenceOf(issue, BODY) }))
}

/** Decodes the part of an input that a body gives. */
export const saidBy = <A, I>(schema: Schema.Schema<A, I>, takes?: (said: A) => object): Decoder<unknown> => {
  const decode = decoder(schema)
  return takes === undefined ? decode : (given) => Either.map(decode(given), takes)
}

export type Fields = Readonly<Record<string, unknown>>

/** Decodes the fields; undefined if there is nothing to decode. */
export const fieldsDecoder = (fields: Schema.Struct.Fields): Decoder<Fields> | undefined =>
  Object.keys(fields).length === 0 ? undefined : decoder(Schema.make<Fields>(Schema.Struct(fields).ast))

/** The fields of an input. */
export const fieldsIn = (schema: Schema.Schema.Any): Schema.Struct.Fields =>
  (schema as { readonly fields?: Schema.Struct.Fields }).fields ?? {}

/** The schemas of the fields of these names in a query. */
export const queryOf = (fields: Schema.Struct.Fields, names: ReadonlyArray<string>): Schema.Struct.Fields =>
  Object.fromEntries(names.map((name) => [inSnakeCase(name), queryField(name, fields[name]!)]))

export const inCamelCase = (name: string): string => name.replace(/_[a-z]/g, (part) => part[1]!.toUpperCase())

type Query = Asked["query"]

/** Makes a list of a list parameter that is in the query only once. */
const withLists = (fields: Schema.Struct.Fields): ((query: Query) => Query) => {
  const lists = Object.keys(fields).filter((name) => isList(fields[name]!))
  if (lists.length === 0) return (query) => query
  return (query) => {
    const given = { ...query }
    for (const name of lists) {
      const value = given[name]
      if (typeof value === "string") given[name] = [value]
    }
    return given
  }
}

/** The same. If a parameter that is not a list is in the query several times, the first one counts. */
const firsts = (fields: Schema.Struct.Fields): ((query: Query) => Query) => {
  const inLists = withLists(fields)
  const singles = Object.keys(fields).filter((name) => !isList(fields[name]!))
  return (query) => {
    const given = { ...inLists(query) }
    for (const name of singles) if (Array.isArray(given[name])) given[name] = given[name][0] as string
    return given
  }
}

/** Reads the fields of an input from a query. */
export const queryDecoder = (queryFields: Schema.Struct.Fields, normalize = withLists(queryFields)) => {
  const decode = fieldsDecoder(queryFields)
  const names = Object.keys(queryFields).map((parameter) => [parameter, inCamelCase(parameter)] as const)
  return (query: Query): Either.Either<Fields, RequestMisfit> =>
    decode === undefined
      ? Either.right({})
      : Either.map(decode(normalize(query)), (given) =>
          Object.fromEntries(names.map(([parameter, field]) => [field, given[parameter]]))
        )
}

/** Decodes an input whose fields are all in the query. */
export const inputInQuery = <Input, Wire>(input: Schema.Schema<Input, Wire>) => {
  const fields = fieldsIn(input)
  const queryFields = queryOf(fields, Object.keys(fields))
  const decode = queryDecoder(queryFields, firsts(queryFields))
  const read = (query: Query): Effect.Effect<Input, RequestMisfit> =>
    Effect.suspend(() => Either.map(decode(query), (given) => given as Input))
  return { queryFields, read }
}
