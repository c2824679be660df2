/** The schemas of the OpenAPI description: Effect's result, in the form that clients and their generators read best. */

export type Json<A = unknown> = Record<string, A>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null

export const COMPONENTS = "#/components/schemas/"

/** Effect's components of a single type are put inline: generators of clients make a type of each component. */
const INLINED: Readonly<Record<string, string>> = {
  [`${COMPONENTS}Int`]: "integer",
  [`${COMPONENTS}Finite`]: "number"
}

/**
 * The formats of numbers. Without a format, generators take their smallest type: a time in epoch seconds is 128 s off
 * as a float, and an id does not fit 32 bits.
 */
const FORMATS: Readonly<Record<string, string>> = { number: "double", integer: "int64" }

const isNull = (schema: Json) => schema["type"] === "null"

/**
 * Turns `anyOf` a type and null into the single schema that OpenAPI 3.1 has for it: many generators make no type of an
 * `anyOf`. A component stays in its `anyOf`, under its name.
 */
const nullable = (schema: Json): Json => {
  const { anyOf, ...beside } = schema
  const [of, nothing, ...others] = (anyOf ?? []) as ReadonlyArray<Json>
  if (of === undefined || nothing === undefined || others.length > 0 || !isNull(nothing)) return schema
  if (typeof of["type"] !== "string") return schema
  const { enum: choices } = of
  return {
    ...of,
    ...beside,
    type: [of["type"], "null"],
    ...(Array.isArray(choices) ? { enum: [...choices, null] } : {})
  }
}

/** A schema without the titles and phrases that Effect adds for its refinements. */
export const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (!isObject(value)) return value
  const { $ref, title, ...rest } = value
  const inlined = INLINED[String($ref)]
  const schema = Object.fromEntries(Object.entries(rest).map(([key, of]) => [key, plain(of)]))
  // A property may be named `title`, so a title that is an object stays.
  if (isObject(title)) schema["title"] = plain(title)
  if (typeof schema["description"] === "string" && /^an? /.test(schema["description"])) {
    delete schema["description"]
  }
  if (inlined !== undefined) schema["type"] = inlined
  const format = FORMATS[String(schema["type"])]
  if (format !== undefined) schema["format"] ??= format
  if (inlined !== undefined) return schema
  const [only, ...others] = (schema["allOf"] ?? []) as ReadonlyArray<Json>
  if (only !== undefined && others.length === 0 && !("$ref" in only)) {
    const { allOf: _allOf, ...beside } = schema
    return { ...only, ...beside }
  }
  return $ref === undefined ? nullable(schema) : { $ref, ...schema }
}

const references = (value: unknown): ReadonlyArray<string> =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, of]) =>
        key === "$ref" ? [String(of).replace(COMPONENTS, "")] : references(of)
      )
    : []

/** Keys that a request body's schema does not name are ignored, so the description allows them. */
const open = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(open)
  if (!isObject(value)) return value
  const opened = Object.entries(value).filter(([key, of]) => key !== "additionalProperties" || of !== false)
  return Object.fromEntries(opened.map(([key, of]) => [key, open(of)]))
}

/** The names of the components that a value refers to, directly or not. */
const reached = (value: unknown, schemas: Json, found = new Set<string>()): ReadonlySet<string> => {
  for (const name of references(value)) {
    if (found.has(name)) continue
    found.add(name)
    reached(schemas[name], schemas, found)
  }
  return found
}

/** The components; `paths` are the operations that refer to them. */
export const publishSchemas = (components: Json, paths: Json<Json<Json>>): Json => {
  const { Int: _int, Finite: _finite, ...schemas } = components
  const bodies = Object.values(paths).flatMap((item) =>
    Object.values(item).map((operation) => operation["requestBody"])
  )
  const asked = reached(bodies, schemas)
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      asked.has(name) ? open(plain(schema)) : plain(schema)
    ])
  )
}
