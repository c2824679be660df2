/** A program that generates thousands of requests from /openapi.json, and checks each answer against it. */
import { copyFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { here, programs, python } from "./provisioned.ts"
import { operationsOf, Service, succeeds } from "./recorded.ts"

interface Report {
  readonly complete: boolean
  readonly operations: { readonly tested: number }
  readonly test_cases: { readonly generated: number }
  readonly failures: ReadonlyArray<unknown>
  readonly errors: ReadonlyArray<unknown>
  /** By operation and phase: how many valid requests were taken. */
  readonly valid_rates: Readonly<Record<string, Readonly<Record<string, { readonly accepted: number }>>>>
}

/** This path answers only WebSockets. */
const LIVE = "GET /api/v1/telemetry/live"

describe("Schemathesis", needing(python), () => {
  layer(Service.layer, { excludeTestServices: true })((it) => {
    it.scoped("finds no answer that differs from the description", () =>
      Effect.gen(function* () {
        const { folder, service, simulator } = yield* Service
        const file = join(folder, "report.json")
        // It looks for its hooks in its working folder, and writes its findings there.
        for (const name of ["schemathesis.toml", "hooks.py"]) {
          copyFileSync(here(`python/${name}`), join(folder, name))
        }
        const reporting = ["--report", "json", "--report-json-path", file]
        const output = yield* succeeds(
          join(programs(python.folder), "schemathesis"),
          ["--no-color", "run", `${service.address}/openapi.json`, "--checks", "all", ...reporting],
          folder,
          { SIMULATOR_PORT: new URL(simulator.address).port }
        )
        console.info(output.slice(output.indexOf("Test Phases")))
        const report = JSON.parse(readFileSync(file, "utf8")) as Report
        const operations = yield* operationsOf(service)
        expect(report).toMatchObject({
          complete: true,
          operations: { tested: operations },
          failures: [],
          errors: []
        })
        expect(report.test_cases.generated).toBeGreaterThan(500)
        // Each operation accepted some request.
        const taken = Object.entries(report.valid_rates)
          .filter(([, phases]) => Object.values(phases).some(({ accepted }) => accepted > 0))
          .map(([name]) => name)
        const others = Object.keys(report.valid_rates).filter((name) => !taken.includes(name))
        // No file was imported, and nothing that it makes up is one, nor a channel of the session, nor a kept connection's address. The
        // session has no latitude and longitude.
        const never = [
          "DELETE /api/v1/imports/{import_id}",
          "GET /api/v1/export/gpx/{lap_id}",
          "GET /api/v1/export/kml/{lap_id}",
          "GET /api/v1/export/vbo/{lap_id}",
          "GET /api/v1/imports/{import_id}",
          "GET /api/v1/{session_id}/channels/{channel}/histogram",
          "PATCH /api/v1/imports/{import_id}",
          "POST /api/v1/imports",
          LIVE,
          "PUT /api/v1/connections"
        ]
        expect(others.toSorted()).toEqual(never.toSorted())
        expect(taken).toHaveLength(operations - never.length)

        expect(yield* Box.get(service, "/health")).toMatchObject({ status: "healthy" })
        const logged = service
          .errors()
          .split("\n")
          .filter((line) => line.includes('"ERROR"'))
        expect(logged).toEqual([])
      })
    )
  })
})
