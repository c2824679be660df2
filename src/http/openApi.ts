/** Brings the generated OpenAPI description in line with what the service answers. */

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null

const failure = (description: string) => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } }
})

const header = (description: string, type = "string") => ({ description, schema: { type } })

const responsesOf = (operation: Json) => operation["responses"] as Record<string, Json>

/** Adds to the response that an operation has for a status. */
const withResponse =
  (status: number, change: (response: Json) => Json) =>
  (operation: Json): Json => {
    const responses = responsesOf(operation)
    return { ...operation, responses: { ...responses, [status]: change(responses[status] ?? {}) } }
  }

/** The success of an operation may also come as text of this type. */
export const alsoAs = (contentType: string) =>
  withResponse(200, (response) => ({
    ...response,
    content: { ...(response["content"] as Json), [contentType]: { schema: { type: "string" } } }
  }))

/** The success of an operation is offered as a file. */
export const asDownload = withResponse(200, (response) => ({
  ...response,
  headers: { "Content-Disposition": header("attachment; filename=…") }
}))

/** What is created has an address. */
export const withLocation = withResponse(201, (response) => ({
  ...response,
  headers: { Location: header("The path of what was created") }
}))

export const withOptionalBody = (operation: Json): Json => ({
  ...operation,
  requestBody: { ...(operation["requestBody"] as Json), required: false }
})

/** Query parameters that a route reads by itself. */
export const withQuery =
  (parameters: Readonly<Record<string, Json>>) =>
  (operation: Json): Json => ({
    ...operation,
    parameters: Object.entries(parameters).map(([name, schema]) => ({
      name,
      in: "query",
      required: false,
      schema,
      description: schema["description"]
    }))
  })

const publishOperation = (operation: Json): Json => {
  // Effect's description has its own decode error at 400; ours is `{detail}` at 422, where there is something to check.
  const { "400": _decodeError, ...responses } = responsesOf(operation)
  const parameters = operation["parameters"] as ReadonlyArray<Json>
  const hasBody = "requestBody" in operation
  // An id in a path that is no number is a thing that was not found.
  const checked = hasBody || parameters.some((parameter) => parameter["in"] === "query")
  const retryAfter = { "Retry-After": header("Seconds to wait before the next try", "integer") }
  return {
    ...operation,
    responses: {
      ...responses,
      ...(responses["503"] === undefined ? {} : { "503": { ...responses["503"], headers: retryAfter } }),
      ...(hasBody ? { "413": failure("The request body is larger than 1 MiB") } : {}),
      ...(checked ? { "422": failure("A value of the request does not fit its schema") } : {}),
      default: failure("Any other failure")
    }
  }
}

export const publish = (description: Json): Json => {
  const paths = Object.entries(description["paths"] as Json).map(([path, item]) => [
    // Without the patterns of the router.
    path.replace(/\(\^.*?\$\)/g, ""),
    Object.fromEntries(
      Object.entries(item as Json).map(([method, operation]) => [
        method,
        isObject(operation) && "responses" in operation ? publishOperation(operation) : operation
      ])
    )
  ])
  const {
    HttpApiDecodeError: _error,
    Issue: _issue,
    PropertyKey: _key,
    ...schemas
  } = (description["components"] as Json)["schemas"] as Json
  // Its other component is an empty list of security schemes, for which the docs page shows a button.
  return { ...description, paths: Object.fromEntries(paths), components: { schemas } }
}
