/** Clients that other programs generate from /openapi.json, on the real service. */
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { delimiter, join } from "node:path"
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { here, programs, python, typescript } from "./provisioned.ts"
import { LAPS, operationsOf, RECORDED, Service, succeeds } from "./recorded.ts"

/** A plain client's answers to the requests of the generated ones. */
const plainly = Effect.fn(function* (service: Box.Running, lapIds: ReadonlyArray<number>) {
  const ask = (path: string) => Box.get<Record<string, unknown>>(service, path)
  const { body: traced } = yield* Box.ask(service, "POST", "/analysis/compare", { lap_ids: lapIds })
  return {
    session: yield* ask(`/sessions/${RECORDED}`),
    laps: yield* ask(`/${RECORDED}/laps`),
    points: yield* ask(`/${lapIds[0]}/telemetry?sample_rate=10`),
    part: yield* ask(`/telemetry/range?session_id=${RECORDED}&end_time=1700000010`),
    compared: yield* ask(`/compare?lap_ids=${lapIds.join(",")}`),
    traced
  }
})

const lapIds = Array.from({ length: LAPS }, (_, index) => index + 1)

describe("a client of openapi-python-client", needing(python), () => {
  layer(Service.layer, { excludeTestServices: true })((it) => {
    it.scoped("has every operation, lists, reads, and compares", () =>
      Effect.gen(function* () {
        const { folder, service } = yield* Service
        const path = [programs(python.folder), process.env["PATH"]].join(delimiter)
        const generated = join(folder, "python")
        const output = yield* succeeds(
          join(programs(python.folder), "openapi-python-client"),
          [
            "generate",
            "--config",
            here("python/client.yaml"),
            "--url",
            `${service.address}/openapi.json`,
            "--output-path",
            generated
          ],
          folder,
          { PATH: path }
        )
        expect(output).not.toMatch(/warning|error|skipp/i)
        const modules = readdirSync(join(generated, "telemetry_session_service_client", "api"), {
          recursive: true,
          encoding: "utf8"
        }).filter((name) => name.endsWith(".py") && !name.endsWith("__init__.py"))
        expect(modules).toHaveLength(yield* operationsOf(service))

        const printed = yield* succeeds(
          join(programs(python.folder), "python"),
          [here("python/usage.py"), service.address, String(RECORDED)],
          folder,
          { PYTHONPATH: generated }
        )
        const { arrow, created, csv, missing, ndjson, polars, sessions, types, ...others } =
          JSON.parse(printed)
        const { parquet, polars_parquet: polarsParquet, ...got } = others
        const plain = yield* plainly(service, lapIds)
        expect(got).toEqual(plain)
        expect(arrow).toEqual(plain.points["points"])
        expect(polars).toEqual(arrow)
        expect(parquet).toEqual(arrow)
        expect(polarsParquet).toEqual(arrow)
        expect(csv).toEqual(ndjson)
        expect(csv.length).toBeGreaterThan(arrow.length)
        const whole = Object.keys(types).filter((name) => /^U?Int/.test(types[name]))
        expect(whole).toEqual(["lap_number", "gear"])
        expect(sessions).toMatchObject({ total: RECORDED, page_size: 2, page: 0 })
        expect(created).toMatchObject({ driver: "Ann", datetime: "2026-02-13T00:00:00" })
        expect(missing).toBe("Session 77 was not found")
      })
    )
  })
})

describe("a client of openapi-typescript", needing(typescript), () => {
  layer(Service.layer, { excludeTestServices: true })((it) => {
    it.scoped("compiles, lists, reads, and compares", () =>
      Effect.gen(function* () {
        const { folder, service } = yield* Service
        const own = join(folder, "typescript")
        mkdirSync(own)
        symlinkSync(join(typescript.folder, "node_modules"), join(own, "node_modules"), "junction")
        for (const file of ["package.json", "tsconfig.json", "usage.ts"]) {
          copyFileSync(here(`typescript/${file}`), join(own, file))
        }
        const program = (script: string, ...args: ReadonlyArray<string>) =>
          succeeds(process.execPath, [join(own, script), ...args], own)
        const schema = `${service.address}/openapi.json`
        yield* program("node_modules/openapi-typescript/bin/cli.js", schema, "--output", "schema.d.ts")
        yield* program("node_modules/typescript/bin/tsc", "--project", "tsconfig.json")
        const { best, interval, predicted, sentence, ...got } = JSON.parse(
          yield* program("out/usage.js", service.address, String(RECORDED))
        )
        const plain = yield* plainly(service, lapIds)
        expect(got).toEqual(plain)
        expect(best).toBe(plain.session["best_lap_time"])
        expect(predicted).toEqual(yield* Box.get(service, `/analysis/predictions/${RECORDED}`))
        expect(interval).toEqual(predicted.confidence_interval)
        expect(sentence).toBe("Session 77 was not found")
      })
    )
  })
})
