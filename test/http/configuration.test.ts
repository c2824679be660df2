import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { defaultConfiguration } from "../../src/domain/Configuration.ts"
import { sending, service } from "./service.ts"
import { storeSession } from "./stored.ts"

const other = {
  connection: { host: "192.168.0.5", port: 9200, app_name: "pit wall" },
  telemetry_rate: 10_000,
  auto_export: true,
  export_format: "json"
}

it.scopedLive("has a default, and keeps what it is given", () =>
  Effect.gen(function* () {
    const { catalog, json } = yield* service()
    const first = yield* json("/api/v1/config")
    expect(first.status).toBe(200)
    expect(first.body).toEqual(defaultConfiguration)
    expect(Object.keys(first.body as object)).toEqual([
      "connection",
      "telemetry_rate",
      "auto_export",
      "export_format"
    ])
    const more = { ...other, connection: { ...other.connection, app_name: "  pit wall " }, colour: "red" }
    const updated = yield* json("/api/v1/config", sending("PUT", more))
    expect(updated.status).toBe(200)
    expect(updated.body).toEqual(other)
    expect((yield* json("/api/v1/config")).body).toEqual(other)
    expect(yield* catalog.configuration).toEqual(other)
  })
)

const { connection } = other

const badConfigurations: ReadonlyArray<readonly [body: unknown, sentence: string | RegExp]> = [
  ["{]", "The request body is not valid JSON"],
  ["null", "The request body must be a JSON object, got null"],
  [{ ...other, connection: undefined }, "connection is missing"],
  [{ ...other, connection: 5 }, "connection must be an object, got 5"],
  [
    { ...other, connection: { ...connection, port: 70_000 } },
    /^connection\.port must be .*65535, got 70000$/
  ],
  [
    { ...other, connection: { ...connection, host: " " } },
    /^connection\.host must be a host name or an IP address, got " "$/
  ],
  [{ ...other, connection: { host: "a", port: 1 } }, "connection.app_name is missing"],
  [{ ...other, telemetry_rate: 0 }, /^telemetry_rate must be .*, got 0$/],
  [{ ...other, telemetry_rate: 10_001 }, /^telemetry_rate must be .*, got 10001$/],
  [{ ...other, telemetry_rate: 60.5 }, "telemetry_rate must be an integer, got 60.5"],
  [{ ...other, telemetry_rate: "60" }, 'telemetry_rate must be a number, got "60"'],
  [{ ...other, auto_export: "yes" }, 'auto_export must be true or false, got "yes"'],
  [{ ...other, export_format: "xml" }, 'export_format must be "csv" or "json", got "xml"'],
  [{ ...other, export_format: undefined }, "export_format is missing"]
]

it.scopedLive("refuses what is no configuration, says why, and keeps the old one", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    for (const [body, sentence] of badConfigurations) {
      const answer = yield* json("/api/v1/config", sending("PUT", body))
      const { detail } = answer.body as { detail: string }
      expect([body, answer.status]).toEqual([body, 422])
      if (typeof sentence === "string") expect(detail).toBe(sentence)
      else expect(detail).toMatch(sentence)
    }
    expect((yield* json("/api/v1/config")).body).toEqual(defaultConfiguration)
  })
)

it.scopedLive("lists circuits and vehicles that have a session, sorted, each once", () =>
  Effect.gen(function* () {
    const running = yield* service()
    expect((yield* running.json("/api/v1/config/circuits")).body).toEqual([])
    expect((yield* running.json("/api/v1/config/vehicles")).body).toEqual([])
    for (const [circuit, vehicle] of [
      ["Spa", "GT4"],
      ["Monza", "GT3"],
      ["Spa", "GT3"]
    ] as const) {
      yield* storeSession(running, { circuit, vehicle })
    }
    expect((yield* running.json("/api/v1/config/circuits")).body).toEqual(["Monza", "Spa"])
    const vehicles = yield* running.json("/api/v1/config/vehicles")
    expect(vehicles.status).toBe(200)
    expect(vehicles.body).toEqual(["GT3", "GT4"])
  })
)
