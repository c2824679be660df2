/** Makes the OpenAPI description of the routes, including this service's requirements for clients. */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as OpenApiJsonSchema from "@effect/platform/OpenApiJsonSchema"
import { Effect, Option, Schema, SchemaAST } from "effect"
import { ChannelsDamaged, PointsDamaged, StoreUnavailable } from "../../domain/errors.ts"
import type { ErrorClass } from "../../operations/problems.ts"
import { version } from "../../platform/version.ts"
import { Access, type AccessRules, EVERYBODY, refusalOf } from "../Access.ts"
import { BasePath } from "../guard/BasePath.ts"
import { ErrorBody, statusOf } from "../problems.ts"
import type { ServerRoute } from "../routing.ts"
import { type AnswerDescription, BYTES } from "./answers.ts"
import { IF_MATCH } from "./ifMatch.ts"
import { COMPONENTS, type Json, plain, publishSchemas } from "./openApiSchemas.ts"
import type { Route, Routes } from "./route.ts"
import { allRoutes } from "./routes/index.ts"

/** Errors that every route can end with. */
const COMMON = [StoreUnavailable, PointsDamaged, ChannelsDamaged]

const failure = (description: string) => ({
  description,
  content: { "application/json": { schema: { $ref: `${COMPONENTS}ErrorBody` } } }
})

const header = (description: string, type = "string") => ({ description, schema: { type } })

/** `SessionNotFound` becomes `Session not found`. */
const inWords = ({ name }: ErrorClass) =>
  name.charAt(0) + name.slice(1).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** The failures by status. All share one body; the description names the failure in words. */
const failuresOf = (errors: ReadonlyArray<ErrorClass>): Json<Json> => {
  const statuses = new Set(errors.map(statusOf))
  const named = (status: number) => errors.filter((error) => statusOf(error) === status).map(inWords)
  return Object.fromEntries([...statuses].map((status) => [status, failure(named(status).join("; "))]))
}

const descriptionOf = ({ content, description }: AnswerDescription): string => {
  const schema = Object.values(content).find(Schema.isSchema)
  if (description !== undefined || schema === undefined) return description ?? "Success"
  return SchemaAST.getDescriptionAnnotation(schema.ast).pipe(
    Option.orElse(() => SchemaAST.getIdentifierAnnotation(schema.ast)),
    Option.getOrElse(() => "Success")
  )
}

type Describe = (schema: Schema.Schema.All) => Json

const answersOf = (answers: ReadonlyArray<AnswerDescription>, describe: Describe): Json<Json> =>
  Object.fromEntries(
    answers.map((answer) => {
      const content = Object.entries(answer.content).map(([type, of]) => [
        type,
        { schema: Schema.isSchema(of) ? describe(of) : of }
      ])
      const headers = Object.entries(answer.headers ?? {}).map(([name, said]) => [name, header(said)])
      return [
        answer.status,
        {
          description: descriptionOf(answer),
          ...(content.length === 0 ? {} : { content: Object.fromEntries(content) }),
          ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) })
        }
      ]
    })
  )

const parametersOf = (
  where: "path" | "query",
  fields: Schema.Struct.Fields,
  describe: Describe,
  listsByCommas = false
): ReadonlyArray<Json> => {
  const { properties = {}, required = [] } = describe(Schema.Struct(fields)) as {
    readonly properties?: Json<Json>
    readonly required?: ReadonlyArray<string>
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: where,
    schema,
    required: required.includes(name),
    ...(schema["description"] === undefined ? {} : { description: schema["description"] }),
    ...(listsByCommas && schema["type"] === "array" ? { style: "form", explode: false } : {})
  }))
}

const OFFSET: Json = {
  name: "Upload-Offset",
  in: "header",
  required: true,
  schema: { type: "integer", minimum: 0 },
  description: "The position of the body's first byte in the file: the number of bytes that are here"
}

const RETRY_AFTER = { "Retry-After": header("Seconds to wait before the next try", "integer") }

/** The path of a route as it is published: without the router's patterns. */
const publishedPath = (path: string) => path.replace(/\(\^.*?\$\)/g, "").replace(/:(\w+)/g, "{$1}")

/** The refusals of a request without a token, found by the access rules themselves. */
const refusalsOf = (rules: AccessRules, { method, path }: Route): Json<Json> => {
  const isRefused = (narrowed: AccessRules) =>
    refusalOf(narrowed, { method, url: publishedPath(path), headers: {} }) !== undefined
  return {
    ...(rules.token !== undefined && isRefused({ ...EVERYBODY, token: rules.token })
      ? { "401": failure("The token is missing or wrong") }
      : {}),
    ...(rules.readOnly && isRefused({ ...EVERYBODY, readOnly: true })
      ? { "403": failure("The service is read-only") }
      : {})
  }
}

const operationOf = (
  group: string,
  name: string,
  route: Route,
  rules: AccessRules,
  describe: Describe
): Json => {
  const { answers, body, description, errors, listsByCommas, offers, pathFields, queryFields, summary } =
    route
  const inQuery = [
    ...parametersOf("query", queryFields, describe, listsByCommas),
    ...(route.hasIfMatch === true ? [IF_MATCH] : []),
    ...(route.hasOffset === true ? [OFFSET] : [])
  ]
  const refusals = refusalsOf(rules, route)
  const responses = {
    ...refusals,
    ...failuresOf([...COMMON, ...errors]),
    ...answersOf(answers, describe)
  }
  return {
    tags: [group],
    operationId: `${group}.${name}`,
    parameters: [...parametersOf("path", pathFields, describe), ...inQuery],
    // An operation that needs no token overrides the requirement of the whole API.
    ...(refusals["401"] === undefined ? { security: [] } : {}),
    responses: {
      ...responses,
      ...(responses["503"] === undefined ? {} : { "503": { ...responses["503"], headers: RETRY_AFTER } }),
      ...(offers === undefined
        ? {}
        : { "406": failure("The Accept header allows none of the types that the answer can have") }),
      ...(body === undefined || body === "file"
        ? {}
        : { "413": failure("The request body is larger than 1 MiB") }),
      // An id in a path that is not a number counts as not found.
      ...(body === undefined && inQuery.length === 0
        ? {}
        : { "422": failure("A value of the request does not fit its schema") }),
      default: failure("Any other failure")
    },
    description,
    summary,
    ...(body === undefined
      ? {}
      : {
          requestBody:
            body === "file"
              ? { content: { "application/octet-stream": { schema: BYTES } }, required: false }
              : {
                  content: { "application/json": { schema: describe(body.schema) } },
                  required: body.isRequired
                }
        })
  }
}

const SCHEME = "token"

const TOKEN = {
  type: "http",
  scheme: "bearer",
  description:
    "The service's token. For GET, the query parameter ?token= works as well, because a browser cannot send the header for a WebSocket or a download."
}

/** The description of all routes, for a service with these access rules. */
export const describeAll = (all: ReadonlyArray<Routes>, rules: AccessRules): Json => {
  const schemas: Json = {}
  const describe: Describe = (schema) => ({
    ...OpenApiJsonSchema.makeWithDefs(schema as Schema.Schema.AnyNoContext, {
      defs: schemas,
      defsPath: COMPONENTS
    })
  })
  describe(ErrorBody)
  const paths: Json<Json<Json>> = {}
  for (const { group, routes } of all) {
    for (const [name, route] of Object.entries(routes)) {
      const item = (paths[publishedPath(route.path)] ??= {})
      item[route.method.toLowerCase()] = plain(operationOf(group, name, route, rules, describe)) as Json
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Telemetry Session Service",
      version,
      description:
        "Sessions, laps and telemetry of racing simulators. Times are seconds since the Unix epoch, UTC; speeds are in km/h, positions in metres. Every error is an object {detail}. The service compresses answers with gzip or br if Accept-Encoding allows it."
    },
    paths,
    components: {
      schemas: publishSchemas(schemas, paths),
      ...(rules.token === undefined ? {} : { securitySchemes: { [SCHEME]: TOKEN } })
    },
    security: rules.token === undefined ? [] : [{ [SCHEME]: [] }],
    tags: all.map(({ group }) => ({ name: group }))
  }
}

/** `/openapi.json`. */
export const description = Effect.gen(function* () {
  const base = yield* BasePath
  const rules = yield* Access
  const respond = yield* Effect.cached(
    // Describing the routes takes a twentieth of a start's time, so it happens at the first request.
    Effect.sync(() => {
      const described = describeAll(allRoutes, rules)
      return HttpServerResponse.unsafeJson(
        base === "/" ? described : { ...described, servers: [{ url: base.slice(0, -1) }] }
      )
    })
  )
  return {
    method: "GET",
    path: "/openapi.json",
    offers: ["application/json"],
    handler: () => respond
  } satisfies ServerRoute
})
