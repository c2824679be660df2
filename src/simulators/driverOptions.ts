/**
 * The drivers' own options in a connect, beside those that every connect has. Each driver declares its options in its folder
 * (`options.ts`), as fields of a schema: the request, its description and the form of the pages are made of these.
 */
import { JSONSchema, Schema } from "effect"
import { expecting } from "../domain/messages.ts"
import { plainPattern } from "../domain/text.ts"

/** By name, all optional. Drivers that have an option of the same name get the same value. */
export type DriverOptions = Schema.Struct.Fields

const MAX_PASSWORD = 64
const password = new RegExp(plainPattern(MAX_PASSWORD), "u")

/** The maximum length that any simulator takes, and no control characters. */
export const Password = Schema.String.pipe(Schema.pattern(password)).annotations({
  ...expecting(`at most ${MAX_PASSWORD} characters of text`),
  jsonSchema: { type: "string", pattern: password.source }
})

/** For drivers whose simulators report only the wheel's angle. */
export const steeringLock = Schema.optional(
  Schema.Finite.pipe(Schema.between(90, 3600)).annotations(expecting("between 90 and 3600 degrees"))
).annotations({
  description:
    "Degrees of the steering wheel from lock to lock, for a simulator that sends only degrees; 900 if omitted"
})

/** The values of a driver's options in a connect, which were checked when the request arrived. */
export const readOptions = <const Fields extends DriverOptions>(fields: Fields) =>
  Schema.decodeUnknownSync(Schema.Struct(fields) as unknown as Schema.Schema<Schema.Struct.Type<Fields>>)

type Json = { readonly [key: string]: unknown }

/** With each `$ref` replaced by its target, and `allOf` merged. */
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
