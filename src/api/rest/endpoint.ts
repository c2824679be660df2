/** How a route looks to HttpApi, which serves it, and to readers of the OpenAPI description. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import type { ErrorClass } from "../../operations/problems.ts"
import { explained } from "../../domain/misfits.ts"
import type { Json } from "./openApiSchemas.ts"
import { errorSchema } from "../problems.ts"

/** HttpApi's endpoint, without the types of its parts. */
export interface Endpoint extends HttpApiEndpoint.HttpApiEndpoint.Any {
  readonly setPath: (schema: Schema.Schema.All) => Endpoint
  readonly setUrlParams: (schema: Schema.Schema.All) => Endpoint
  readonly setPayload: (schema: Schema.Schema.All) => Endpoint
  readonly addSuccess: (schema: Schema.Schema.All) => Endpoint
  readonly addError: (schema: Schema.Schema.All) => Endpoint
  readonly annotate: (tag: unknown, value: unknown) => Endpoint
}

/** What the OpenAPI description says of a route. */
export interface Description {
  readonly summary: string
  readonly description: string
  readonly success?: ReadonlyArray<Schema.Schema.All>
  readonly errors?: ReadonlyArray<ErrorClass>
  /** Adds what the schemas cannot say. */
  readonly transform?: (operation: Json) => Json
}

/** The parts of a request that have a schema. */
export interface RequestSchemas {
  readonly path?: Schema.Struct.Fields
  readonly query?: Schema.Struct.Fields
  readonly payload?: Schema.Schema.All | undefined
}

export type Method = "GET" | "POST" | "PUT" | "DELETE"
export type RoutePath = `/${string}`

/** Names the body in sentences, where it has no name of its own. */
export const BODY = "The request body"

const isEmpty = (fields: Schema.Struct.Fields) => Object.keys(fields).length === 0

export const endpointOf =
  (
    method: Method,
    at: RoutePath,
    described: Description,
    { path = {}, payload, query = {} }: RequestSchemas
  ) =>
  (name: string) => {
    const { description, errors = [], success = [], summary, transform } = described
    let endpoint = HttpApiEndpoint.make(method)(name, at)
      .annotate(OpenApi.Summary, summary)
      .annotate(OpenApi.Description, description) as unknown as Endpoint
    if (!isEmpty(path)) endpoint = endpoint.setPath(explained(Schema.Struct(path), BODY))
    if (!isEmpty(query)) endpoint = endpoint.setUrlParams(explained(Schema.Struct(query), BODY))
    if (payload !== undefined)
      endpoint = endpoint.setPayload(explained(payload as Schema.Schema.AnyNoContext, BODY))
    for (const schema of success) endpoint = endpoint.addSuccess(schema)
    for (const error of errors) endpoint = endpoint.addError(errorSchema(error))
    return transform === undefined ? endpoint : endpoint.annotate(OpenApi.Transform, transform)
  }
