/** Adapts the generated OpenAPI description to what the service really answers. */

import type * as OpenApi from "@effect/platform/OpenApi"
import { type AccessRules, EVERYBODY, refusalOf } from "../Access.ts"
import { COMPONENTS, type Json, plain, publishSchemas } from "./openApiSchemas.ts"

const ERROR_BODY = { $ref: `${COMPONENTS}ErrorBody` }

const failure = (description: string) => ({
  description,
  content: { "application/json": { schema: ERROR_BODY } }
})

const header = (description: string, type = "string") => ({ description, schema: { type } })

const responsesOf = (operation: Json) => operation["responses"] as Json<Json>

/** Adds to the response that an operation describes for a status. */
const withResponse =
  (status: number, change: (response: Json) => Json) =>
  (operation: Json): Json => {
    const responses = responsesOf(operation)
    return { ...operation, responses: { ...responses, [status]: change(responses[status] ?? {}) } }
  }

/** Says that a success may also come as text, or bytes, of this type. */
export const alsoAs = (contentType: string, format?: "binary") =>
  withResponse(200, (response) => ({
    ...response,
    content: {
      ...(response["content"] as Json),
      [contentType]: { schema: { type: "string", ...(format === undefined ? {} : { format }) } }
    }
  }))

/** Says that a success is text of this type, unless the client asks for another: generators take the first. */
export const firstAs = (contentType: string) =>
  withResponse(200, (response) => ({
    ...response,
    content: { [contentType]: { schema: { type: "string" } }, ...(response["content"] as Json) }
  }))

/** Says that a success is offered as a file. */
export const asDownload = withResponse(200, (response) => ({
  ...response,
  headers: { "Content-Disposition": header("attachment; filename=…") }
}))

/** Says that the answer names the address of what was created. */
export const withLocation = withResponse(201, (response) => ({
  ...response,
  headers: { Location: header("The path of the new session") }
}))

export const withOptionalBody = (operation: Json): Json => ({
  ...operation,
  requestBody: { ...(operation["requestBody"] as Json), required: false }
})

/** Adds query parameters that a route reads by itself; lists are separated by commas. */
export const withQuery =
  (parameters: Readonly<Record<string, Json>>) =>
  (operation: Json): Json => ({
    ...operation,
    parameters: Object.entries(parameters).map(([name, schema]) => ({
      name,
      in: "query",
      required: false,
      schema,
      description: schema["description"],
      ...(schema["type"] === "array" ? { style: "form", explode: false } : {})
    }))
  })

/** All failures share one body; the description says in words which failure it is. */
const publishFailure = (response: Json): Json => {
  const schema = (response["content"] as Json<Json<Json>>)["application/json"]!["schema"] as Json
  const alternatives = (schema["anyOf"] ?? [schema]) as ReadonlyArray<Json>
  if (!JSON.stringify(schema).includes(ERROR_BODY.$ref)) return response
  return { ...response, ...failure(alternatives.map(({ description }) => description).join("; ")) }
}

/** The content types of an operation's success; empty where it has no content. */
const contentTypesOf = (responses: Json<Json>): ReadonlyArray<string> =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, response]) => Object.keys((response["content"] ?? {}) as Json))

const publishOperation = (operation: Json): Json => {
  // Effect describes its own decode error at 400. Ours is `{detail}` at 422, where the input is checked.
  const { "400": _decodeError, ...responses } = responsesOf(operation)
  const parameters = operation["parameters"] as ReadonlyArray<Json>
  const hasBody = "requestBody" in operation
  // An id in a path that is not a number counts as not found.
  const checked = hasBody || parameters.some((parameter) => parameter["in"] === "query")
  const published = Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      Number(status) < 400 ? response : publishFailure(response)
    ])
  )
  const retryAfter = { "Retry-After": header("Seconds to wait before the next try", "integer") }
  return {
    ...operation,
    responses: {
      ...published,
      ...(published["503"] === undefined ? {} : { "503": { ...published["503"], headers: retryAfter } }),
      ...(contentTypesOf(responses).length === 0
        ? {}
        : { "406": failure("The Accept header allows none of the types that the answer can have") }),
      ...(hasBody ? { "413": failure("The request body is larger than 1 MiB") } : {}),
      ...(checked ? { "422": failure("A value of the request does not fit its schema") } : {}),
      default: failure("Any other failure")
    }
  }
}

/** The path of a route as it is published: without the router's patterns. */
const publishedPath = (path: string) => path.replace(/\(\^.*?\$\)/g, "")

/** The types that a route answers with. The first is for clients that do not say. */
export const typesOf = (
  description: OpenApi.OpenAPISpec,
  method: string,
  path: string
): ReadonlyArray<string> => {
  const braces = publishedPath(path).replace(/:(\w+)/g, "{$1}")
  const operation = (description.paths[braces] as unknown as Json<Json>)[method.toLowerCase()]!
  return contentTypesOf(responsesOf(operation))
}

export const publish = (description: Json): Json => {
  const paths = Object.fromEntries(
    Object.entries(description["paths"] as Json<Json<Json>>).map(([path, item]) => [
      publishedPath(path),
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          plain(publishOperation(operation)) as Json
        ])
      )
    ])
  )
  // The other component is an empty list of security schemes, for which the docs page would show a button.
  const { schemas } = description["components"] as Json<Json>
  return { ...description, paths, components: { schemas: publishSchemas(schemas!, paths) } }
}

const SCHEME = "token"

/** The refusals of a request without a token. The access rules themselves are asked. */
const refusedStatuses = (rules: AccessRules, method: string, path: string): Json<Json> => {
  const asking = { method: method.toUpperCase(), url: path, headers: {} }
  const isRefused = (narrowed: AccessRules) => refusalOf(narrowed, asking) !== undefined
  return {
    ...(rules.token !== undefined && isRefused({ ...EVERYBODY, token: rules.token })
      ? { "401": failure("The token is missing or wrong") }
      : {}),
    ...(rules.readOnly && isRefused({ ...EVERYBODY, readOnly: true })
      ? { "403": failure("The service is read-only") }
      : {})
  }
}

/** The description for a service with these access rules. */
export const restricted = (description: Json, rules: AccessRules): Json => {
  if (rules.token === undefined && !rules.readOnly) return description
  const paths = Object.fromEntries(
    Object.entries(description["paths"] as Json<Json<Json>>).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => {
          const refused = refusedStatuses(rules, method, path)
          // Effect states for each operation that it needs no token, which would override the statement for the whole
          // API.
          const { security: _none, ...others } = operation
          const guarded = rules.token !== undefined && refused["401"] !== undefined ? others : operation
          return [method, { ...guarded, responses: { ...refused, ...responsesOf(operation) } }]
        })
      )
    ])
  )
  if (rules.token === undefined) return { ...description, paths }
  const scheme = {
    type: "http",
    scheme: "bearer",
    description:
      "The service's token. For GET, the query parameter ?token= works as well, because a browser cannot send the header for a WebSocket or a download."
  }
  return {
    ...description,
    paths,
    components: { ...(description["components"] as Json), securitySchemes: { [SCHEME]: scheme } },
    security: [{ [SCHEME]: [] }]
  }
}
