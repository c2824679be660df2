/** For every invalid input of an operation the sentence names the field, and shows the received value. */
import { expect, it } from "@effect/vitest"
import { Either, FastCheck, ParseResult, Schema, SchemaAST } from "effect"
import { Configuration as DomainConfiguration, defaultConfiguration } from "../../src/domain/Configuration.ts"
import * as Analysis from "../../src/operations/analysis.ts"
import * as AnomalyMarks from "../../src/operations/anomalyMarks.ts"
import * as Channels from "../../src/operations/channels.ts"
import * as Configuration from "../../src/operations/configuration.ts"
import * as Imports from "../../src/operations/imports.ts"
import * as Export from "../../src/operations/export.ts"
import * as Laps from "../../src/operations/laps.ts"
import * as Names from "../../src/operations/names.ts"
import { Nothing } from "../../src/operations/operation.ts"
import * as Marks from "../../src/operations/marks.ts"
import * as OnAir from "../../src/operations/onAir.ts"
import * as References from "../../src/operations/references.ts"
import { explained, sentenceOf } from "../../src/domain/inputErrors.ts"
import * as Sessions from "../../src/operations/sessions.ts"
import * as Simulators from "../../src/operations/simulators.ts"
import * as Statistics from "../../src/operations/statistics.ts"
import * as System from "../../src/operations/system.ts"
import * as Telemetry from "../../src/operations/telemetry.ts"
import { fromWire } from "../../src/platform/wire.ts"

type Input = Schema.Schema<unknown>

const modules = {
  Analysis,
  AnomalyMarks,
  Channels,
  Configuration,
  Export,
  Imports,
  Laps,
  Marks,
  Names,
  OnAir,
  References,
  Sessions,
  Simulators,
  Statistics,
  System,
  Telemetry
}
const inputs = Object.entries(modules).flatMap(([module, exported]) =>
  Object.entries(exported).flatMap(([name, operation]: [string, object]) => {
    const { input } = operation as { readonly input?: Input }
    return input === undefined || (input as unknown) === Nothing
      ? []
      : [[`${module}.${name}`, input] as const]
  })
)

const configuration = Schema.encodeSync(fromWire(DomainConfiguration))(defaultConfiguration)

/** Valid values by the field's name. */
const fitting: Readonly<Record<string, unknown>> = {
  ...configuration,
  sessionId: 1,
  lapId: 1,
  importId: 1,
  state: "done",
  batch: "b-1",
  lapIds: [1, 2],
  channel: "speed",
  width: 5,
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
  tag: "wet",
  revision: 1,
  anomalyMark: {
    type: "speed_loss",
    lap_number: 3,
    channel: "speed",
    distance: 812.5,
    dismissed: true,
    reason: "Traffic"
  },
  reference: { lap_id: 1, circuit: "Monza", vehicle: "a car", driver: "somebody", name: "Pole" },
  readable: { name: "Mazda MX-5 Cup" },
  raw: "ks_mazda_mx5_cup",
  dismissed: true,
  kind: "lap",
  after: 0,
  lapMark: { excluded: true, valid: false, reason: "A puncture", note: "n", tags: ["wet"] },
  sessionMark: {
    note: "Rain from lap 3",
    tags: ["wet", "league"],
    circuit: "Monza",
    circuit_layout: "Junior",
    vehicle: "a car",
    driver: "somebody"
  },
  enabled: true,
  mode: "session",
  session_id: 1,
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

/** Fields by the names that clients use: those of a transformation are on its left. */
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

/** JSON of every kind, short enough to be shown whole; an object may seem to have methods. */
const anything = FastCheck.oneof(
  { arbitrary: FastCheck.jsonValue({ maxDepth: 2 }), weight: 9 },
  FastCheck.constantFrom({ toString: "" }, { toString: 0, valueOf: 0 }, { toJSON: 1 })
).filter((value) => JSON.stringify(value).length <= 100)

/** As JSON has it, or as a word. */
const shownAs = (value: unknown) => {
  const json = JSON.stringify(value)
  return [json, json.replace(/\s+/g, " "), ...(typeof value === "string" ? [value] : [])]
}

it("the test has valid values for the inputs of all operations", () => {
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
        // The wrong field, or the missing one.
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

const session = { circuit: "Monza", vehicle: "a car", driver: "somebody" }
const target = { host: "127.0.0.1", port: 9100, app_name: "test" }
const { connection } = configuration
const corner = { number: 4, name: "Tower", direction: "left", distance: 700.5 }
const circuit = (details: object) => ({ name: "Spa", details: { display_name: "Spa", ...details } })
const marked = (mark: object) => ({ sessionId: 1, sessionMark: mark })
const ofNames = "1 to 200 characters of text"
const ids = "between 1 and 9007199254740991"

/** Values just outside the range of each kind of field. */
const misfits: ReadonlyArray<readonly [Input, given: object, sentence: unknown]> = (
  [
    [Sessions.create, { ...session, circuit: 5 }, `circuit must be ${ofNames}, got 5`],
    [Sessions.create, { ...session, circuit: " \t" }, `circuit must be ${ofNames}, got " \\t"`],
    [Sessions.create, { ...session, circuit: "n".repeat(201) }, /^circuit must be .*, got n+…$/],
    [Sessions.create, { ...session, circuit: "a\0b" }, /^circuit must be 1 to 200/],
    [Sessions.create, { ...session, circuit: "a\nb" }, /^circuit must be 1 to 200/],
    [Sessions.create, { ...session, driver: ["c"] }, `driver must be ${ofNames}, got ["c"]`],
    [Sessions.create, JSON.parse('{"__proto__":{"circuit":"a"}}'), "circuit is missing"],
    [Sessions.create, { ...session, datetime: "x" }, 'datetime must be an ISO 8601 date-time, got "x"'],
    [Sessions.create, { ...session, datetime: "2026-02-30T00:00:00" }, /^datetime must be an ISO 8601/],
    [Sessions.create, { ...session, datetime: null }, "datetime must be a string, got null"],
    [Sessions.update, { sessionId: 1, pinned: "yes" }, 'pinned must be true or false, got "yes"'],
    [
      Marks.putSession,
      marked({ tags: ["a", " "] }),
      'sessionMark.tags.1 must be 1 to 40 characters of text, got " "'
    ],
    [
      Marks.putSession,
      marked({ tags: Array(33).fill("a") }),
      /^sessionMark\.tags must be at most 32 tags, got /
    ],
    [
      Marks.putSession,
      marked({ note: "n".repeat(4001) }),
      /^sessionMark\.note must be at most 4000 characters/
    ],
    [Marks.putSession, marked({ note: 5 }), /^sessionMark\.note must be .*, got 5$/],
    [Marks.putSession, marked({ driver: "" }), /^sessionMark\.driver must be /],
    [Marks.putSession, { sessionId: 1, sessionMark: {}, revision: -1 }, /^revision must be between 0 and/],
    [AnomalyMarks.list, { kind: "x" }, "kind must be one of session, lap, anomaly, reference, name, got x"],
    [References.put, { reference: { lap_id: 0 } }, /^reference\.lap_id must be /],
    [Sessions.list, { limit: 0 }, "limit must be between 1 and 1000, got 0"],
    [Sessions.list, { limit: 1001 }, "limit must be between 1 and 1000, got 1001"],
    [Sessions.list, { limit: "x" }, "limit must be a whole number between 1 and 1000, got x"],
    [Sessions.list, { offset: -1 }, "offset must be between 0 and 9007199254740991, got -1"],
    [Sessions.list, { driver: 5 }, "driver must be a string, got 5"],
    [Sessions.list, { driver: "a\0b" }, /^driver must be text without the character NUL, got /],
    [Sessions.read, { sessionId: 1.5 }, `sessionId must be a whole number ${ids}, got 1.5`],
    [Laps.telemetry, { lapId: 1, sampleRate: 0 }, `sampleRate must be ${ids}, got 0`],
    [Telemetry.range, { sessionId: 1, endTime: "now" }, /^endTime must be a number of seconds since 1970/],
    [Telemetry.range, { sessionId: 1, endTime: 1e12 }, /^endTime must be in seconds .*, not milliseconds/],
    [Analysis.compare, { lapIds: [1, 0] }, `lapIds.1 must be ${ids}, got 0`],
    [Analysis.compareTraced, { lapIds: [1, 2], channels: "a" }, 'channels must be an array, got "a"'],
    [Analysis.compareTraced, { lapIds: [1, 2], channels: [1] }, "channels.0 must be a string, got 1"],
    [Simulators.connect, { ...target, host: "a b" }, /^host must be a host name or an IP .*, got "a b"$/],
    [Simulators.connect, { ...target, host: "" }, /^host must be a host name/],
    [Simulators.connect, { ...target, port: "9100" }, 'port must be a number, got "9100"'],
    [Simulators.connect, { ...target, port: 0 }, "port must be a number between 1 and 65535, got 0"],
    [Simulators.connect, { ...target, port: 65_536 }, /^port must be .* and 65535, got 65536$/],
    [Simulators.connect, { ...target, port: 1.5 }, "port must be an integer, got 1.5"],
    [Simulators.connect, { ...target, app_name: "" }, `app_name must be ${ofNames}, got ""`],
    [Simulators.connect, { ...target, session_id: 0 }, "session_id must be a positive number, got 0"],
    [Simulators.connect, { ...target, simulator: 7 }, `simulator must be ${ofNames}, got 7`],
    [Simulators.connect, { ...target, forward: ["127.0.0.1"] }, /^forward.* must be HOST:PORT, such as /],
    [Simulators.connect, { ...target, forward: ["[::1]:65536"] }, /^forward.* must be HOST:PORT/],
    [Simulators.connect, { ...target, forward: "127.0.0.1:5" }, /^forward must be /],
    [Simulators.connect, { ...target, forward: Array(9).fill("127.0.0.1:5") }, /^forward must be at most 8/],
    [
      Configuration.update,
      { connection: { ...connection, port: "x" } },
      /^connection\.port must be a number/
    ],
    [
      Configuration.update,
      { connection: { ...connection, host: " " } },
      /^connection\.host must be .* address/
    ],
    [Configuration.update, { connection: [] }, "connection must be an object, got []"],
    [Configuration.update, { telemetry_rate: 0 }, /^telemetry_rate must be .*, got 0$/],
    [Configuration.update, { telemetry_rate: 10_001 }, /^telemetry_rate must be .*, got 10001$/],
    [Configuration.update, { telemetry_rate: 60.5 }, "telemetry_rate must be an integer, got 60.5"],
    [
      Configuration.update,
      { telemetry_rate: 2 ** 60 },
      /^telemetry_rate must be an integer of at most \d+, got/
    ],
    [Configuration.update, { export_format: "xml" }, 'export_format must be "csv" or "json", got "xml"'],
    [
      Configuration.update,
      { export_channels: "fuel,Tyre" },
      /^export_channels must be at most 512 names of /
    ],
    [Configuration.update, { export_channels: "fuel;lap" }, /^export_channels must be .*, got "fuel;lap"$/],
    [Configuration.update, { export_channels: "a".repeat(64) }, /^export_channels must be /],
    [Configuration.update, { export_channels: "a,".repeat(513) }, /^export_channels must be /],
    [Configuration.update, { export_channels: " ".repeat(40_000) }, /^export_channels must be /],
    [
      Configuration.updateCircuit,
      circuit({ display_name: "" }),
      `details.display_name must be ${ofNames}, got ""`
    ],
    [Configuration.updateCircuit, circuit({ corners: 5 }), "details.corners must be an array, got 5"],
    [
      Configuration.updateCircuit,
      circuit({ corners: [{ ...corner, number: 0 }] }),
      /number must be .* 1 and 999, got 0$/
    ],
    [
      Configuration.updateCircuit,
      circuit({ corners: [{ ...corner, distance: -1 }] }),
      /distance must be .*, got -1$/
    ],
    [
      Configuration.updateCircuit,
      circuit({ corners: [{ ...corner, direction: "up" }] }),
      /direction must be /
    ],
    [
      Configuration.updateCircuit,
      circuit({ corners: [corner, corner] }),
      /corners must be of different numbers$/
    ],
    [
      Configuration.updateCircuit,
      circuit({ corners: Array.from({ length: 301 }, (_, i) => ({ ...corner, number: i + 1 })) }),
      /corners must .*300/
    ]
  ] as ReadonlyArray<readonly [{ readonly input: Input }, object, string | RegExp]>
).map(([{ input }, given, sentence]) => [
  input,
  input === Configuration.update.input ? { ...configuration, ...given } : given,
  typeof sentence === "string" ? sentence : expect.stringMatching(sentence)
])

it.each(misfits)("%#: the sentence explains which values a field takes", (input, given, message) => {
  const decoded = Schema.decodeUnknownEither(explained(input, "input"))(given)
  const error = Either.getOrThrow(Either.flip(decoded))
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
  expect(issue).toMatchObject({ path: [], message })
})
