/** Brings the generated OpenAPI description in line with what the service answers. */

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null

const detailBody = {
  description: "A value of the request does not fit its schema",
  content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } }
}

const publishOperation = (operation: Json): Json => {
  const { "400": _decodeError, ...responses } = operation["responses"] as Json
  const parameters = operation["parameters"] as ReadonlyArray<Json>
  // An id in a path that is no number is a thing that was not found.
  const checked = parameters.some((parameter) => parameter["in"] === "query") || "requestBody" in operation
  return { ...operation, responses: checked ? { ...responses, "422": detailBody } : responses }
}

/** Effect's description has its own decode error at 400; ours is `{detail}` at 422, and only where there is something to check. */
export const publishValidation = (description: Json): Json => {
  const paths = Object.entries(description["paths"] as Json).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item as Json).map(([method, operation]) => [
        method,
        isObject(operation) && "responses" in operation ? publishOperation(operation) : operation
      ])
    )
  ])
  const components = description["components"] as Json
  const {
    HttpApiDecodeError: _error,
    Issue: _issue,
    PropertyKey: _key,
    ...schemas
  } = components["schemas"] as Json
  return { ...description, paths: Object.fromEntries(paths), components: { ...components, schemas } }
}
