/**
 * A route of REST: an operation with its method, its path, the form of its answer, and the parts of the request that
 * carry the fields of its input. A parameter of the path or the query is the field of the same name, in snake_case.
 *
 * `routeBy` makes routes, which serve requests and which openApi.ts describes. Decoders and encoders are made once,
 * with the route.
 */
import { Effect, Either, Schema } from "effect"
import { ImportNotFound, LapNotFound, SessionNotFound } from "../../domain/errors.ts"
import type { Operation } from "../../operations/operation.ts"
import { readJson } from "../../operations/requestText.ts"
import type { ErrorClass } from "../../operations/problems.ts"
import type { App, OfRequest } from "../App.ts"
import { bodyText } from "../bodies.ts"
import { room } from "../OpenAnswers.ts"
import type { RequestMisfit } from "../problems.ts"
import type { Asked, ServerRoute } from "../routing.ts"
import { type Answer, type AnswerDescription, asJson, typesOf } from "./answers.ts"
import {
  type Decoder,
  type Fields,
  decoder,
  fieldsDecoder,
  fieldsIn,
  inCamelCase,
  inputInQuery,
  queryDecoder,
  queryOf,
  saidBy
} from "./decoding.ts"
import { fileInput } from "../uploads.ts"
import { revisionIn } from "./ifMatch.ts"
import { queryField } from "./query.ts"

const PREFIX = "/api/v1"

/** A route as it is served, and as it is described. */
export interface Route extends ServerRoute {
  readonly summary: string
  readonly description: string
  readonly pathFields: Schema.Struct.Fields
  readonly queryFields: Schema.Struct.Fields
  /** JSON by a schema, or a file. */
  readonly body: { readonly schema: Schema.Schema.All; readonly isRequired: boolean } | "file" | undefined
  readonly answers: ReadonlyArray<AnswerDescription>
  readonly errors: ReadonlyArray<ErrorClass>
  /** The query's lists are separated by commas only; a repeated parameter is not a list. */
  readonly listsByCommas?: true
  /** A revision may be in `If-Match`. */
  readonly hasIfMatch?: boolean
  /** The position of the body's first byte is in `Upload-Offset`. */
  readonly hasOffset?: boolean
}

interface Definition<Input, Value, Payload, PayloadWire> {
  readonly summary: string
  readonly description: string
  /** Parameters of the path whose name differs from the field of the input. */
  readonly path?: Readonly<Record<string, keyof Input & string>>
  /** Schemas of the query's parameters, if they are not those of the input's fields. */
  readonly query?: Schema.Struct.Fields
  /** The schema of the body, if it is not the input. */
  readonly payload?: Schema.Schema<Payload, PayloadWire>
  /** The part of the input that the body gives; by default the body itself. */
  readonly takes?: (payload: Payload) => Partial<Input>
  /** The input of a request without a body, if the body is optional. */
  readonly withoutBody?: { readonly input: Input }
  /** The part of the input that is the same for every request of this route. */
  readonly fixed?: Partial<Input>
  /** The field with a revision, which `If-Match` gives. */
  readonly ifMatch?: keyof Input & string
  /** The body is a file: the field that has its bytes, and the one for the header Upload-Offset. */
  readonly file?: { readonly field: keyof Input & string; readonly offset?: keyof Input & string }
  /** Completes the input, if headers give part of it. */
  readonly complete?: (given: Partial<Input>) => Effect.Effect<Input, Error, OfRequest>
  /** Further errors, in addition to those of the operation. */
  readonly errors?: ReadonlyArray<ErrorClass>
  /** The form of the answer, if it is not the operation's JSON. */
  readonly answer?: Answer<Value>
}

/** An id in a path. It is kept as text: text that is not an id means "not found", not a bad request. */
const pathId = (of: string, notFound: (text: string) => Error) => ({
  schema: Schema.String.annotations({
    jsonSchema: { type: "integer", minimum: 1, description: `Id of the ${of}` }
  }),
  read: (text: string): number | Error => {
    const id = Number(text)
    return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : notFound(text)
  }
})

const pathIds: Readonly<Record<string, ReturnType<typeof pathId>>> = {
  importId: pathId("import", (importId) => new ImportNotFound({ importId })),
  lapId: pathId("lap", (lapId) => new LapNotFound({ lapId })),
  sessionId: pathId("session", (sessionId) => new SessionNotFound({ sessionId }))
}

const routeBy =
  (method: Route["method"]) =>
  <Input, Wire, Value, Encoded, Json, Payload = Input, PayloadWire = Wire>(
    path: Route["path"],
    operation: Operation<Input, Wire, Value, Encoded, Json>,
    definition: Definition<Input, Value, Payload, PayloadWire>
  ): Route => {
    const {
      complete,
      description,
      errors = [],
      file,
      fixed = {},
      ifMatch,
      payload,
      query = {},
      summary,
      takes,
      withoutBody
    } = definition
    const { described, isStreamed, respond } = definition.answer ?? asJson(operation)
    const hasBody = file === undefined && (method === "POST" || method === "PUT")
    const fields = fieldsIn(operation.input)
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, parameter = ""]) => {
      const field = definition.path?.[parameter] ?? inCamelCase(parameter)
      return { parameter, field, id: pathIds[field] }
    })
    const elsewhere = new Set([
      ...inPath.map(({ field }) => field),
      ...Object.keys(fixed),
      ...(ifMatch === undefined ? [] : [ifMatch]),
      ...Object.values(file ?? {}),
      ...Object.keys(query).map(inCamelCase)
    ])
    const inQuery = hasBody ? [] : Object.keys(fields).filter((field) => !elsewhere.has(field))
    const queryFields = { ...queryOf(fields, inQuery), ...query }
    const texts = Object.fromEntries(
      inPath.flatMap(({ field, id, parameter }) =>
        id === undefined ? [[parameter, queryField(field, fields[field]!)]] : []
      )
    )

    const decodeTexts = fieldsDecoder(texts) ?? ((): Either.Either<Fields, RequestMisfit> => Either.right({}))
    const decodeQuery = queryDecoder(queryFields)
    const decodeBody: Decoder<unknown> =
      payload === undefined ? decoder(operation.input) : saidBy(payload, takes)

    const run = (input: Input): App => {
      const response = Effect.flatMap(operation.run(input), respond)
      // A streamed answer waits for room before the operation reads anything, so that a thousand requests do not read
      // together.
      return isStreamed ? Effect.zipRight(room, response) : response
    }

    /** `named`: the path's texts. `said`: the fields that the body gives. */
    const answer = (asked: Asked, named: Fields, said?: unknown): App => {
      const queried = decodeQuery(asked.query)
      if (Either.isLeft(queried)) return Effect.fail(queried.left)
      const input: Record<string, unknown> = { ...fixed, ...(said as object), ...queried.right }
      for (const { field, id, parameter } of inPath) {
        const value = id === undefined ? named[parameter] : id.read(asked.path[parameter]!)
        if (value instanceof Error) return Effect.fail(value)
        input[field] = value
      }
      if (ifMatch !== undefined) {
        const revision = revisionIn(asked.request.headers["if-match"])
        if (Either.isLeft(revision)) return Effect.fail(revision.left)
        if (revision.right !== undefined) input[ifMatch] = revision.right
      }
      if (file !== undefined) {
        const taken = fileInput(file, asked.request)
        if (Either.isLeft(taken)) return Effect.fail(taken.left)
        Object.assign(input, taken.right)
      }
      return complete === undefined
        ? run(input as Input)
        : Effect.flatMap(complete(input as Partial<Input>), run)
    }

    const answerBody = (asked: Asked, named: Fields): App =>
      Effect.flatMap(bodyText(asked.request), (text) =>
        withoutBody !== undefined && text.trim() === ""
          ? run(withoutBody.input)
          : Effect.flatMap(Effect.flatMap(readJson(text), decodeBody), (said) => answer(asked, named, said))
      )

    return {
      method,
      path: `${PREFIX}${path}`,
      offers: typesOf(described),
      handler: (asked) => {
        const named = decodeTexts(asked.path)
        if (Either.isLeft(named)) return Effect.fail(named.left)
        return hasBody ? answerBody(asked, named.right) : answer(asked, named.right)
      },
      summary,
      description,
      pathFields: Object.fromEntries(
        inPath.map(({ id, parameter }) => [parameter, id?.schema ?? texts[parameter]!])
      ),
      queryFields,
      body: hasBody
        ? { schema: payload ?? operation.input, isRequired: withoutBody === undefined }
        : file && "file",
      answers: described,
      errors: [...operation.errors, ...errors],
      hasIfMatch: ifMatch !== undefined,
      hasOffset: file?.offset !== undefined
    }
  }

export const get = routeBy("GET")
export const post = routeBy("POST")
export const put = routeBy("PUT")
export const patch = routeBy("PATCH")
export const del = routeBy("DELETE")

/**
 * A route at which a connection becomes a WebSocket. `serve` checks the handshake first, and then reads the input from
 * the query.
 */
export const webSocket = <Input, Wire>(
  path: Route["path"],
  { errors, input }: { readonly input: Schema.Schema<Input, Wire>; readonly errors: Route["errors"] },
  described: Pick<Route, "summary" | "description">,
  serve: (input: Effect.Effect<Input, RequestMisfit>) => App
): Route => {
  const { queryFields, read } = inputInQuery(input)
  return {
    ...described,
    method: "GET",
    path: `${PREFIX}${path}`,
    handler: ({ query }) => serve(read(query)),
    pathFields: {},
    queryFields,
    body: undefined,
    answers: [{ status: 101, description: "The connection has become a WebSocket", content: {} }],
    errors,
    listsByCommas: true
  }
}

export interface Routes {
  readonly group: string
  readonly routes: Readonly<Record<string, Route>>
}

/** The routes of one capability, by name, in the order in which they are described. */
export const routes = (group: string, named: Readonly<Record<string, Route>>): Routes => ({
  group,
  routes: named
})
