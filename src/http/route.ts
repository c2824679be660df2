/**
 * An operation as a route of REST: which method and path, and what of its input stands where. A parameter of the path or
 * of the query is the field of the same name, in snake_case. What HttpApi knows by types is erased here, once for all
 * routes: what a handler gets and gives is typed by its operation.
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, Schema, type Scope } from "effect"
import { LapNotFound, SessionNotFound } from "../domain/errors.ts"
import type { LiveHub } from "../live/LiveHub.ts"
import type { Operation } from "../operations/operation.ts"
import type { ErrorClass } from "../operations/problems.ts"
import type { Services } from "../operations/Services.ts"
import type { Json } from "./openApiSchemas.ts"
import { errorSchema } from "./problems.ts"
import { queryField } from "./query.ts"
import { textResponse } from "./streaming.ts"

/** What the routes are served with. */
export type Needs = Services | LiveHub

/** What a handler is given: the request, and those of its parts that have a schema. */
interface Request {
  readonly path: Readonly<Record<string, string>>
  readonly urlParams: Readonly<Record<string, unknown>>
  readonly payload: unknown
  readonly request: HttpServerRequest.HttpServerRequest
}

/** What there is of the request that is answered. */
type OfRequest = HttpServerRequest.HttpServerRequest | Scope.Scope

/** Its value is what HttpApi encodes by the schema of the success; a response goes out as it is. */
type Handler<A = unknown> = (request: Request) => Effect.Effect<A, unknown, Needs | OfRequest>

export interface Route {
  readonly endpoint: (name: string) => HttpApiEndpoint.HttpApiEndpoint.Any
  readonly handler: Handler<never>
  /** Its handler reads the request's body. */
  readonly raw: boolean
}

/** What the OpenAPI description says of a route. */
interface Description {
  readonly summary: string
  readonly description: string
  readonly success: ReadonlyArray<Schema.Schema.All>
  readonly errors: ReadonlyArray<ErrorClass>
  readonly path?: Schema.Struct.Fields
  readonly query?: Schema.Struct.Fields
  readonly payload?: Schema.Schema.All | undefined
  /** What the schemas cannot say. */
  readonly transform?: ((operation: Json) => Json) | undefined
}

/** HttpApi's, without the types of what is in it. */
interface Endpoint extends HttpApiEndpoint.HttpApiEndpoint.Any {
  readonly setPath: (schema: Schema.Schema.All) => Endpoint
  readonly setUrlParams: (schema: Schema.Schema.All) => Endpoint
  readonly setPayload: (schema: Schema.Schema.All) => Endpoint
  readonly addSuccess: (schema: Schema.Schema.All) => Endpoint
  readonly addError: (schema: Schema.Schema.All) => Endpoint
  readonly annotate: (tag: unknown, value: unknown) => Endpoint
}

type Method = "GET" | "POST" | "PUT" | "DELETE"
type Path = `/${string}`

const hasFields = (fields: Schema.Struct.Fields = {}) => Object.keys(fields).length > 0

const endpointOf = (method: Method, path: Path, described: Description) => (name: string) => {
  const { description, errors, payload, success, summary, transform } = described
  let endpoint = HttpApiEndpoint.make(method)(name, path)
    .annotate(OpenApi.Summary, summary)
    .annotate(OpenApi.Description, description) as unknown as Endpoint
  if (hasFields(described.path)) endpoint = endpoint.setPath(Schema.Struct(described.path!))
  if (hasFields(described.query)) endpoint = endpoint.setUrlParams(Schema.Struct(described.query!))
  if (payload !== undefined) endpoint = endpoint.setPayload(payload)
  for (const schema of success) endpoint = endpoint.addSuccess(schema)
  for (const error of errors) endpoint = endpoint.addError(errorSchema(error))
  return transform === undefined ? endpoint : endpoint.annotate(OpenApi.Transform, transform)
}

/** A route that is no operation, or one whose body its handler reads. */
export const rawRoute = (
  method: Method,
  path: Path,
  described: Description,
  handler: (request: HttpServerRequest.HttpServerRequest) => ReturnType<Handler>
): Route => ({
  endpoint: endpointOf(method, path, described),
  handler: (({ request }) => handler(request)) as Handler<never>,
  raw: true
})

const inCamelCase = (name: string) => name.replace(/_[a-z]/g, (part) => part[1]!.toUpperCase())
const inSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** An id in a path. Kept as text: what is no id there is a thing that was not found, not a bad request. */
const PathId = (description: string) =>
  Schema.String.annotations({ jsonSchema: { type: "integer", minimum: 1, description } })

const readId = (text: string): number | undefined => {
  const id = Number(text)
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : undefined
}

/** The ids that stand in paths. */
const idsInPaths: Readonly<
  Record<string, { schema: Schema.Schema.Any; read: (text: string) => number | Error }>
> = {
  lapId: {
    schema: PathId("Id of the lap"),
    read: (text) => readId(text) ?? new LapNotFound({ lapId: text })
  },
  sessionId: {
    schema: PathId("Id of the session"),
    read: (text) => readId(text) ?? new SessionNotFound({ sessionId: text })
  }
}

interface Options<Input, Value, Payload, PayloadWire> {
  readonly summary: string
  readonly description: string
  /** Parameters of the path that the input has under another name. */
  readonly path?: Readonly<Record<string, keyof Input & string>>
  /** The fields that stand in the query, or what else stands there. Where there is no body, all that are nowhere else. */
  readonly query?: ReadonlyArray<keyof Input & string> | Schema.Struct.Fields
  /** Where it is not the input. */
  readonly payload?: Schema.Schema<Payload, PayloadWire>
  /** What of the input the body says; its own keys, unless this says otherwise. */
  readonly takes?: (payload: Payload) => Partial<Input>
  /** What of the input the route says. */
  readonly fixed?: Partial<Input>
  /** The rest of the input, where the request says it in a way of its own. */
  readonly complete?: (given: Partial<Input>) => Effect.Effect<Input, Error, OfRequest>
  /** In the place of the operation's answer. */
  readonly success?: ReadonlyArray<Schema.Schema.All>
  /** Besides those of the operation. */
  readonly errors?: ReadonlyArray<ErrorClass>
  readonly respond?: (
    value: Value
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, OfRequest>
  readonly transform?: (operation: Json) => Json
}

const routeBy =
  (method: Method) =>
  <Input, Wire, Value, Answer, Json, Payload = Input, PayloadWire = Wire>(
    path: Path,
    operation: Operation<Input, Wire, Value, Answer, Json>,
    options: Options<Input, Value, Payload, PayloadWire>
  ): Route => {
    const { complete, fixed, query, takes } = options
    const fields = (operation.input as unknown as { readonly fields?: Schema.Struct.Fields }).fields ?? {}
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => {
      const field = options.path?.[parameter!] ?? inCamelCase(parameter!)
      return { parameter: parameter!, field, id: idsInPaths[field] }
    })
    const hasBody = method === "POST" || method === "PUT"
    const elsewhere = new Set([...inPath.map(({ field }) => field), ...Object.keys(fixed ?? {})])
    const inQuery = Array.isArray(query)
      ? (query as ReadonlyArray<string>)
      : hasBody || query !== undefined
        ? []
        : Object.keys(fields).filter((field) => !elsewhere.has(field))
    const parameters = inQuery.map((field) => ({ parameter: inSnakeCase(field), field }))

    /** The input, or why there is none. */
    const read = ({ path, payload, urlParams }: Request): Partial<Input> | Error => {
      const input: Record<string, unknown> = hasBody
        ? { ...(takes === undefined ? (payload as object) : takes(payload as Payload)) }
        : { ...fixed }
      for (const { field, id, parameter } of inPath) {
        const text = path[parameter]!
        const value = id === undefined ? text : id.read(text)
        if (value instanceof Error) return value
        input[field] = value
      }
      for (const { field, parameter } of parameters) input[field] = urlParams[parameter]
      return (
        Array.isArray(query) || query === undefined ? input : { ...input, ...urlParams }
      ) as Partial<Input>
    }

    const { json } = operation
    const respond =
      options.respond ??
      (json === undefined
        ? Effect.succeed
        : (value: Value) => textResponse(json(value), { contentType: "application/json" }))

    const handler: Handler = (request) => {
      const input = read(request)
      if (input instanceof Error) return Effect.fail(input)
      const value =
        complete === undefined
          ? operation.run(input as Input)
          : Effect.flatMap(complete(input), operation.run)
      return Effect.flatMap(value, respond as (value: Value) => ReturnType<Handler>)
    }

    return {
      endpoint: endpointOf(method, path, {
        summary: options.summary,
        description: options.description,
        success: options.success ?? [operation.answer],
        errors: [...operation.errors, ...(options.errors ?? [])],
        path: Object.fromEntries(
          inPath.map(({ field, id, parameter }) => [
            parameter,
            id?.schema ?? queryField(field, fields[field]!)
          ])
        ),
        query:
          query === undefined || Array.isArray(query)
            ? Object.fromEntries(
                parameters.map(({ field, parameter }) => [parameter, queryField(field, fields[field]!)])
              )
            : (query as Schema.Struct.Fields),
        payload: hasBody ? (options.payload ?? operation.input) : undefined,
        transform: options.transform
      }),
      handler: handler as Handler<never>,
      raw: false
    }
  }

export const get = routeBy("GET")
export const post = routeBy("POST")
export const put = routeBy("PUT")
export const del = routeBy("DELETE")

export interface Routes {
  readonly group: string
  readonly routes: Readonly<Record<string, Route>>
}

/** The routes of one capability, by name, in the order in which they are described. */
export const routes = (group: string, named: Readonly<Record<string, Route>>): Routes => ({
  group,
  routes: named
})

export const groupOf = ({ group, routes }: Routes): HttpApiGroup.HttpApiGroup.Any =>
  Object.entries(routes).reduce(
    (made, [name, route]) => made.add(route.endpoint(name) as never),
    HttpApiGroup.make(group)
  )
