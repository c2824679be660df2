/** Whatever a client sends that does not fit an operation's input: the sentence names the field, and shows what it got. */
import { expect, it } from "@effect/vitest"
import { Either, FastCheck, ParseResult, Schema, SchemaAST } from "effect"
import { Configuration as DomainConfiguration, defaultConfiguration } from "../../src/domain/Configuration.ts"
import * as Analysis from "../../src/operations/analysis.ts"
import * as Configuration from "../../src/operations/configuration.ts"
import * as Export from "../../src/operations/export.ts"
import * as Laps from "../../src/operations/laps.ts"
import { Nothing } from "../../src/operations/operation.ts"
import { explained, sentenceOf } from "../../src/domain/inputErrors.ts"
import * as Sessions from "../../src/operations/sessions.ts"
import * as Simulators from "../../src/operations/simulators.ts"
import * as Statistics from "../../src/operations/statistics.ts"
import * as System from "../../src/operations/system.ts"
import * as Telemetry from "../../src/operations/telemetry.ts"
import { fromWire } from "../../src/platform/wire.ts"

type Input = Schema.Schema<unknown>

const modules = { Analysis, Configuration, Export, Laps, Sessions, Simulators, Statistics, System, Telemetry }
const inputs = Object.entries(modules).flatMap(([module, exported]) =>
  Object.entries(exported).flatMap(([name, operation]: [string, object]) => {
    const { input } = operation as { readonly input?: Input }
    return input === undefined || (input as unknown) === Nothing
      ? []
      : [[`${module}.${name}`, input] as const]
  })
)

const configuration = Schema.encodeSync(fromWire(DomainConfiguration))(defaultConfiguration)

/** What fits, by the field's name. */
const fitting: Readonly<Record<string, unknown>> = {
  ...configuration,
  sessionId: 1,
  lapId: 1,
  lapIds: [1, 2],
  sampleRate: 1,
  limit: 10,
  offset: 0,
  startTime: 0,
  endTime: 1,
  name: "Monza",
  circuit: "Monza",
  vehicle: "a car",
  driver: "somebody",
  datetime: "2026-02-13T09:30:00Z",
  pinned: true,
  format: "csv",
  host: "localhost",
  port: 9100,
  app_name: "test",
  simulator: "native",
  details: {
    display_name: "Monza",
    corners: [{ number: 1, name: null, direction: "left", distance: 100 }]
  }
}

/** By the names that clients give them: those of a value that is transformed are on its left. */
const fieldsOf = (input: Input): ReadonlyArray<string> => {
  const { fields } = input as { readonly fields?: object }
  if (fields !== undefined) return Object.keys(fields)
  const names = SchemaAST.getPropertySignatures(SchemaAST.encodedAST(input.ast)).map(({ name }) =>
    String(name)
  )
  return names.length > 0 ? names : ["host", "port"]
}
const fittingInput = (input: Input) =>
  Object.fromEntries(fieldsOf(input).map((name) => [name, fitting[name]]))

type Path = ReadonlyArray<string>

/** Every place in a value, the value itself left out. */
const placesIn = (value: unknown, path: Path = []): ReadonlyArray<Path> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, part]) => [[...path, key], ...placesIn(part, [...path, key])])
    : []

const at = (value: unknown, path: Path): unknown =>
  path.reduce((part, key) => (part as Record<string, unknown>)[key], value)

/** The same value with another at that place; undefined: with nothing there. */
const replaced = (value: unknown, path: Path, by: unknown): unknown => {
  const copy = structuredClone(value)
  const parent = at(copy, path.slice(0, -1)) as Record<string, unknown>
  if (by === undefined) delete parent[path.at(-1)!]
  else parent[path.at(-1)!] = by
  return copy
}

/** JSON of every kind, short enough to be shown whole; an object may look as if it had methods. */
const anything = FastCheck.oneof(
  { arbitrary: FastCheck.jsonValue({ maxDepth: 2 }), weight: 9 },
  FastCheck.constantFrom({ toString: "" }, { toString: 0, valueOf: 0 }, { toJSON: 1 })
).filter((value) => JSON.stringify(value).length <= 100)

/** As JSON has it, or as a word. */
const shownAs = (value: unknown) => {
  const json = JSON.stringify(value)
  return [json, json.replace(/\s+/g, " "), ...(typeof value === "string" ? [value] : [])]
}

it("knows the operations, and what fits them", () => {
  expect(inputs.length).toBeGreaterThan(20)
  for (const [name, input] of inputs) {
    expect([name, Either.isRight(Schema.decodeUnknownEither(input)(fittingInput(input)))]).toEqual([
      name,
      true
    ])
  }
})

it.each(inputs)("%s: the sentence names the field and the value", (_name, input) => {
  const fits = fittingInput(input)
  let wrong = 0
  FastCheck.assert(
    FastCheck.property(
      FastCheck.constantFrom(...placesIn(fits)),
      FastCheck.option(anything, { nil: undefined }),
      FastCheck.constantFrom("first" as const, "all" as const),
      (place, value, errors) => {
        if (value === undefined && Array.isArray(at(fits, place.slice(0, -1)))) return
        const sent = replaced(fits, place, value)
        const decoded = Schema.decodeUnknownEither(input, { errors })(sent)
        if (Either.isRight(decoded)) return
        wrong++
        const sentence = sentenceOf(decoded.left.issue, "input")
        const [, name = "", isMissing, got] =
          /^(\S+) (?:(is missing)$|must be .+?, got (.*)$)/s.exec(sentence) ?? []
        const named = name.split(".")
        // The field that is wrong, or what it lacks.
        expect(named.slice(0, place.length)).toEqual(place)
        const parent = at(sent, named.slice(0, -1)) as object
        const shown = isMissing === undefined ? shownAs(at(sent, named)) : [undefined]
        expect(Object.hasOwn(parent, named.at(-1)!)).toBe(isMissing === undefined)
        expect(shown).toContain(got)
      }
    )
  )
  expect(wrong).toBeGreaterThan(0)
})

it.each([
  [{ connection: { ...configuration.connection, port: "x" } }, 'connection.port must be a number, got "x"'],
  [{ telemetry_rate: 60.5 }, "telemetry_rate must be an integer, got 60.5"],
  [
    { telemetry_rate: 2 ** 60 },
    "telemetry_rate must be an integer of at most 9007199254740991, got 1152921504606847000"
  ],
  [{ export_format: "xml" }, 'export_format must be "csv" or "json", got "xml"'],
  [{ connection: [] }, "connection must be an object, got []"],
  [{ auto_export: undefined }, "auto_export is missing"]
])("of %j it says what was expected", (change, sentence) => {
  const decode = Schema.decodeUnknownEither(explained(Configuration.update.input, "input"))
  const decoded = decode(JSON.parse(JSON.stringify({ ...configuration, ...change })))
  const error = Either.getOrThrow(Either.flip(decoded))
  expect(ParseResult.ArrayFormatter.formatErrorSync(error)).toMatchObject([{ path: [], message: sentence }])
})
