/**
 * What users may tell a driver in a connect, besides what every connect has. Each driver declares its own in its folder (`options.ts`),
 * as fields of a schema: the request, its description and the form of the pages are made of these.
 */
import { JSONSchema, Schema } from "effect"
import { expecting } from "../domain/expecting.ts"
import { plainPattern } from "../domain/text.ts"

/** By name, all optional. An option of one name that several drivers have is the same value. */
export type DriverOptions = Schema.Struct.Fields

const MAX_PASSWORD = 64
const password = new RegExp(plainPattern(MAX_PASSWORD), "u")

/** As long as any simulator takes, and no control characters. */
export const Password = Schema.String.pipe(Schema.pattern(password)).annotations({
  ...expecting(`at most ${MAX_PASSWORD} characters of text`),
  jsonSchema: { type: "string", pattern: password.source }
})

/** Of drivers whose simulators tell the wheel's angle only. */
export const steeringLock = Schema.optional(
  Schema.Finite.pipe(Schema.between(90, 3600)).annotations(expecting("between 90 and 3600 degrees"))
).annotations({
  description:
    "Degrees of the steering wheel from lock to lock, for a simulator that sends only degrees; 900 if omitted"
})

/** What a connect said of a driver's options, which was checked when it came in. */
export const readOptions = <const Fields extends DriverOptions>(fields: Fields) =>
  Schema.decodeUnknownSync(Schema.Struct(fields) as unknown as Schema.Schema<Schema.Struct.Type<Fields>>)

type Json = { readonly [key: string]: unknown }

/** With what `$ref` stands for in its place, and what is `allOf` put together. */
const resolved = (value: unknown, definitions: Json): unknown => {
  if (Array.isArray(value)) return value.map((one) => resolved(one, definitions))
  if (typeof value !== "object" || value === null) return value
  const { $ref, allOf = [], ...own } = value as Json
  const referred = typeof $ref === "string" ? [definitions[$ref.split("/").at(-1)!]] : []
  const parts = [...referred, ...(allOf as ReadonlyArray<Json>)].map((part) => resolved(part, definitions))
  const rest = Object.entries(own).map(([key, part]) => [key, resolved(part, definitions)])
  return Object.assign({}, ...parts, Object.fromEntries(rest))
}

/** The JSON schema of each option, by its name. */
export const describeOptions = (fields: DriverOptions): Json => {
  const { $defs = {}, properties = {} } = JSONSchema.make(Schema.Struct(fields)) as unknown as {
    readonly $defs?: Json
    readonly properties?: Json
  }
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, resolved(schema, $defs)])
  )
}
