import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { version } from "../../src/platform/version.ts"
import { service } from "../support/service.ts"

type Json = Record<string, unknown>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Json
}

interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly summary?: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly required: boolean; readonly content: Json }
  readonly responses: Record<string, Json & { readonly description: string; readonly content?: Json }>
}

interface Description {
  readonly openapi: string
  readonly info: Json
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Json> }
}

const described = Effect.map(
  Effect.flatMap(service(), ({ json }) => json("/openapi.json")),
  ({ body, headers }) => {
    expect(headers.get("content-type")).toBe("application/json")
    return body as Description
  }
)

const operationsOf = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method} ${path}`,
      path,
      method,
      operation
    }))
  )

const everyObject = (value: unknown): ReadonlyArray<Json> =>
  typeof value !== "object" || value === null
    ? []
    : [...(Array.isArray(value) ? [] : [value as Json]), ...Object.values(value).flatMap(everyObject)]

it.scopedLive("the description has every route, in OpenAPI 3.1", () =>
  Effect.gen(function* () {
    const description = yield* described
    expect(description.openapi).toMatch(/^3\.1\.\d+$/)
    expect(description.info).toMatchObject({ title: expect.any(String), version })
    const operations = operationsOf(description)
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { name, operation } of operations) {
      expect([name, operation.description]).toEqual([name, expect.stringMatching(/\S/)])
      expect([name, operation.summary]).toEqual([name, expect.stringMatching(/^[A-Z][^.]{5,60}$/)])
    }
  })
)

it.scopedLive("every reference names an existing component", () =>
  Effect.gen(function* () {
    const description = yield* described
    const references = everyObject(description).flatMap((object) => (object["$ref"] ? [object["$ref"]] : []))
    expect(references.length).toBeGreaterThan(20)
    for (const reference of new Set(references)) {
      const name = String(reference).replace("#/components/schemas/", "")
      expect(description.components.schemas).toHaveProperty([name])
    }
    for (const name of Object.keys(description.components.schemas)) expect(name).toMatch(/^[\w.-]+$/)
  })
)

// Generators of clients know no tuples (`prefixItems`), and no lists of schemas in `items`.
it.scopedLive("every array has one schema for its items", () =>
  Effect.gen(function* () {
    const { components, paths } = yield* described
    const text = JSON.stringify([components, paths])
    expect(text).not.toMatch(/"prefixItems"/)
    expect(text.match(/"items":(?!{).{0,80}/g) ?? []).toEqual([])
  })
)

it.scopedLive("no schema is an object without described fields", () =>
  Effect.gen(function* () {
    const { components } = yield* described
    for (const [name, schema] of Object.entries(components.schemas)) {
      for (const part of everyObject(schema)) {
        const vague =
          part["type"] === "object" && !("properties" in part) && !("additionalProperties" in part)
        expect([name, vague || part["$id"] === "/schemas/unknown"]).toEqual([name, false])
      }
    }
  })
)

it.scopedLive("every parameter is described and has a type, and path parameters match the path", () =>
  Effect.gen(function* () {
    for (const { name, operation, path } of operationsOf(yield* described)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      const found = operation.parameters.filter((parameter) => parameter.in === "path")
      expect([name, found.map((parameter) => parameter.name)]).toEqual([name, inPath])
      for (const parameter of operation.parameters) {
        expect([name, parameter.name, parameter.description]).toEqual([
          name,
          parameter.name,
          expect.stringMatching(/\S/)
        ])
        for (const { type } of (parameter.schema["anyOf"] ?? [parameter.schema]) as ReadonlyArray<Json>) {
          expect(["string", "integer", "number", "array"]).toContain(type)
        }
        if (parameter.in === "path") expect(parameter.required).toBe(true)
        if (/(^|_)id$|limit|offset|sample_rate/.test(parameter.name)) {
          expect([name, parameter.schema["type"]]).toEqual([name, "integer"])
        }
      }
    }
  })
)

it.scopedLive("every response is described; failures are {detail}", () =>
  Effect.gen(function* () {
    const description = yield* described
    const errorBody = { $ref: "#/components/schemas/ErrorBody" }
    expect(description.components.schemas["ErrorBody"]).toMatchObject({
      required: ["detail"],
      properties: { detail: { type: "string" } }
    })
    for (const { name, operation } of operationsOf(description)) {
      const statuses = Object.keys(operation.responses)
      expect([name, statuses.some((status) => /^[12]\d\d$/.test(status))]).toEqual([name, true])
      expect([name, statuses.includes("400")]).toEqual([name, false])
      const hasBody = operation.requestBody !== undefined
      const checked = hasBody || operation.parameters.some((parameter) => parameter.in !== "path")
      expect([name, statuses.includes("422")]).toEqual([name, checked])
      expect([name, statuses.includes("413")]).toEqual([name, hasBody])
      // A WebSocket has no type, and 204 no content.
      const hasType = name !== "get /api/v1/telemetry/live" && !statuses.includes("204")
      expect([name, statuses.includes("406")]).toEqual([name, hasType])
      for (const [status, response] of Object.entries(operation.responses)) {
        expect([name, status, response.description]).toEqual([name, status, expect.stringMatching(/\S/)])
        expect(response.description).not.toBe("Success")
        if (/^[45]|default/.test(status) && name !== "get /api/v1/health") {
          const [schema] = Object.values(response.content ?? {}) as ReadonlyArray<{ schema: unknown }>
          expect([name, status, JSON.stringify(schema)]).toEqual([
            name,
            status,
            expect.stringContaining(errorBody.$ref)
          ])
        }
      }
    }
  })
)

it.scopedLive(
  "the type of a nullable value has null in it, which generators read, unless it is a component",
  () =>
    Effect.gen(function* () {
      const description = yield* described
      const nullable = everyObject(description).flatMap(({ anyOf }) =>
        Array.isArray(anyOf) && anyOf.some(({ type }) => type === "null")
          ? [anyOf as ReadonlyArray<Json>]
          : []
      )
      expect(nullable.every(([one]) => "$ref" in one!)).toBe(true)
      const { Lap, Session } = description.components.schemas as Record<string, { readonly properties: Json }>
      expect(Session!.properties["best_lap_time"]).toMatchObject({
        type: ["number", "null"],
        format: "double"
      })
      expect(Lap!.properties["sector_source"]).toMatchObject({
        type: ["string", "null"],
        enum: ["simulator", "derived", null]
      })
    })
)

it.scopedLive("operations describe what a client must know of them", () =>
  Effect.gen(function* () {
    const { components, paths } = yield* described
    expect(paths["/api/v1/disconnect"]!["post"]!.requestBody).toMatchObject({ required: false })
    expect(paths["/api/v1/sessions"]!["post"]!.responses["201"]).toMatchObject({
      headers: { Location: { description: expect.any(String) } },
      content: { "application/json": { schema: { $ref: "#/components/schemas/Session" } } }
    })
    const live = paths["/api/v1/telemetry/live"]!["get"]!
    expect(Object.keys(live.responses)).toEqual(expect.arrayContaining(["101", "426"]))
    expect(live.parameters.map(({ name }) => name)).toEqual([
      "session_id",
      "rate",
      "events",
      "channels",
      "heartbeat",
      "sequence",
      "since"
    ])
    const range = paths["/api/v1/telemetry/range"]!["get"]!
    const arrow = "application/vnd.apache.arrow.stream"
    expect(Object.keys(range.responses["200"]!.content!)).toEqual([
      "application/json",
      "text/csv",
      "application/x-ndjson",
      arrow
    ])
    const lap = paths["/api/v1/export/arrow/{lap_id}"]!["get"]!
    expect(lap.responses["200"]!.content).toMatchObject({
      [arrow]: { schema: { type: "string", format: "binary" } }
    })
    const session = paths["/api/v1/export/session/{session_id}"]!["get"]!
    expect(session.responses["200"]).toHaveProperty(["headers", "Content-Disposition"])
    expect(Object.keys(session.responses["200"]!.content!)).toEqual([
      "text/csv",
      "application/json",
      "application/x-ndjson",
      "application/vnd.apache.parquet",
      "application/zip",
      "application/gzip",
      "application/x-racelogic-vbo",
      "application/x-racechrono-csv",
      "application/x-motec-csv",
      "application/gpx+xml",
      "application/vnd.google-earth.kml+xml"
    ])
    const laps = { minItems: 2, maxItems: 20, uniqueItems: true }
    expect(paths["/api/v1/compare"]!["get"]!.parameters[0]!.schema).toMatchObject(laps)
    expect(components.schemas["ComparedLaps"]).toMatchObject({ properties: { lap_ids: laps } })
    // Requests may have more fields, which are ignored; answers have no others.
    expect(components.schemas["ConnectionRequest"]).not.toHaveProperty("additionalProperties")
    expect(components.schemas["Session"]).toHaveProperty("additionalProperties", false)
    expect(components.schemas["SessionToCreate"]).toMatchObject({
      required: ["circuit", "vehicle", "driver"]
    })
  })
)

it.scoped("numbers have a format: generators take numbers without one for 32 bits", () =>
  Effect.gen(function* () {
    const numbers = everyObject(yield* described).filter(
      ({ type }) => type === "number" || type === "integer"
    )
    expect(numbers.length).toBeGreaterThan(100)
    for (const { format, type } of numbers) expect(format).toBe(type === "number" ? "double" : "int64")
  })
)

it.scoped("no schema has a name that generated clients use themselves", () =>
  Effect.gen(function* () {
    const names = Object.keys((yield* described).components.schemas)
    // TypeScript's axios client has a class Configuration; in Go, NewX makes an X.
    expect(names).not.toContain("Configuration")
    expect(names.filter((name) => names.some((other) => name === `New${other}`))).toEqual([])
  })
)
