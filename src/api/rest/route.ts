/**
 * An operation as a route of REST: its method, its path, and which part of the request carries which field of its
 * input. A parameter of the path or the query is the field of the same name, in snake_case. HttpApi's type checks are
 * switched off for all routes alike; the operation's types hold what a handler takes and returns.
 */
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, Schema, type Scope } from "effect"
import { LapNotFound, SessionNotFound } from "../../domain/errors.ts"
import type { LiveHub } from "../../live/hub/LiveHub.ts"
import type { Operation } from "../../operations/operation.ts"
import type { Services } from "../../operations/Services.ts"
import type { Dictionaries } from "../../store/Dictionaries.ts"
import {
  type Description,
  type Endpoint,
  endpointOf,
  type Method,
  type RequestSchemas,
  type RoutePath
} from "./endpoint.ts"
import { queryField } from "./query.ts"
import { room } from "../OpenAnswers.ts"
import { textResponse } from "./streaming.ts"
import { inSnakeCase } from "../../platform/wire.ts"

/** The services that routes need. */
export type Needs = Services | Dictionaries | LiveHub

/** The services that exist for each request. */
type OfRequest = HttpServerRequest.HttpServerRequest | Scope.Scope

/** What a handler gets: the request, and those of its parts that have a schema. */
interface Request {
  readonly path: Readonly<Record<string, string>>
  readonly urlParams: Readonly<Record<string, unknown>>
  readonly payload: unknown
  readonly request: HttpServerRequest.HttpServerRequest
}

/** Returns a response, which goes out as it is, or a value, which HttpApi encodes by the schema of the success. */
type Handler = (request: Request) => Effect.Effect<unknown, unknown, Needs | OfRequest>

export interface Route {
  readonly endpoint: (name: string) => Endpoint
  readonly handler: Handler
  /** The handler reads the request's body itself. */
  readonly raw: boolean
  /** Its only input is ids in its path. */
  readonly takesIds: boolean
}

/** A route that is not an operation, or one whose handler reads the body itself. */
export const rawRoute = (
  method: Method,
  path: RoutePath,
  described: Description & Pick<RequestSchemas, "payload">,
  handler: (request: HttpServerRequest.HttpServerRequest) => ReturnType<Handler>
): Route => ({
  endpoint: endpointOf(method, path, described, { payload: described.payload }),
  handler: ({ request }) => handler(request),
  raw: true,
  takesIds: false
})

const inCamelCase = (name: string) => name.replace(/_[a-z]/g, (part) => part[1]!.toUpperCase())

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
  lapId: pathId("lap", (lapId) => new LapNotFound({ lapId })),
  sessionId: pathId("session", (sessionId) => new SessionNotFound({ sessionId }))
}

interface RouteOptions<Input, Value, Payload, Wire> extends Description {
  /** Parameters of the path whose name differs from the field of the input. */
  readonly path?: Readonly<Record<string, keyof Input & string>>
  /**
   * The fields that the query carries, or schemas to use instead. Where there is no body, the default is all fields
   * that no other part carries.
   */
  readonly query?: ReadonlyArray<keyof Input & string> | Schema.Struct.Fields
  /** The schema of the body, where it is not the input. */
  readonly payload?: Schema.Schema<Payload, Wire>
  /** The part of the input that the body gives; by default its own keys. */
  readonly takes?: (payload: Payload) => Partial<Input>
  /** The part of the input that is the same for every request of this route. */
  readonly fixed?: Partial<Input>
  /** Completes the input, where headers give part of it. */
  readonly complete?: (given: Partial<Input>) => Effect.Effect<Input, Error, OfRequest>
  /** `respond` makes a text that is written while it goes out. An operation that writes one says so by itself. */
  readonly isStreamed?: boolean
  /** Makes the answer, where it is neither the value by its schema nor the text. */
  readonly respond?: (
    value: Value
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, OfRequest>
}

const routeBy =
  (method: Method) =>
  <Input, Wire, Value, Answer, Json, Payload = Input, PayloadWire = Wire>(
    path: RoutePath,
    operation: Operation<Input, Wire, Value, Answer, Json>,
    options: RouteOptions<Input, Value, Payload, PayloadWire>
  ): Route => {
    const { complete, fixed, takes } = options
    const { json, run } = operation
    const hasBody = method === "POST" || method === "PUT"
    const fields = (operation.input as { readonly fields?: Schema.Struct.Fields }).fields ?? {}
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, parameter = ""]) => {
      const field = options.path?.[parameter] ?? inCamelCase(parameter)
      return { parameter, field, id: pathIds[field] }
    })
    const elsewhere = new Set([...inPath.map(({ field }) => field), ...Object.keys(fixed ?? {})])
    const { query = hasBody ? [] : Object.keys(fields).filter((field) => !elsewhere.has(field)) } = options
    const queried = Array.isArray(query)
      ? Object.fromEntries(query.map((field) => [inSnakeCase(field), queryField(field, fields[field]!)]))
      : (query as Schema.Struct.Fields)
    const inQuery = Object.keys(queried).map((parameter) => ({ parameter, field: inCamelCase(parameter) }))

    /** The input, or the error that explains why there is none. */
    const read = ({ path, payload, urlParams }: Request): Partial<Input> | Error => {
      const said = hasBody ? (takes === undefined ? (payload as object) : takes(payload as Payload)) : {}
      const input: Record<string, unknown> = { ...fixed, ...said }
      for (const { field, id, parameter } of inPath) {
        const text = path[parameter]!
        const value = id === undefined ? text : id.read(text)
        if (value instanceof Error) return value
        input[field] = value
      }
      for (const { field, parameter } of inQuery) input[field] = urlParams[parameter]
      return input as Partial<Input>
    }

    const encode = Schema.encodeSync(operation.answer)
    const respond: (value: Value) => ReturnType<Handler> =
      options.respond ??
      (json === undefined
        ? (value) => Effect.sync(() => HttpServerResponse.unsafeJson(encode(value as unknown as Answer)))
        : (value) => textResponse(json(value), { contentType: "application/json" }))

    const isStreamed = json !== undefined || options.isStreamed === true

    return {
      endpoint: endpointOf(
        method,
        path,
        {
          ...options,
          success: options.success ?? [operation.answer],
          errors: [...operation.errors, ...(options.errors ?? [])]
        },
        {
          path: Object.fromEntries(
            inPath.map(({ field, id, parameter }) => [
              parameter,
              id?.schema ?? queryField(field, fields[field]!)
            ])
          ),
          query: queried,
          payload: hasBody ? (options.payload ?? operation.input) : undefined
        }
      ),
      handler: (request) => {
        const input = read(request)
        if (input instanceof Error) return Effect.fail(input)
        const value = complete === undefined ? run(input as Input) : Effect.flatMap(complete(input), run)
        const answer = Effect.flatMap(value, respond)
        // Before anything is read for it: a thousand at once wait for one another.
        return isStreamed ? Effect.zipRight(room, answer) : answer
      },
      raw: false,
      takesIds:
        !hasBody &&
        inQuery.length === 0 &&
        complete === undefined &&
        inPath.every(({ id }) => id !== undefined)
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
    (made, [name, { endpoint }]) => made.add(endpoint(name) as never),
    HttpApiGroup.make(group)
  )
