/** Clients that openapi-generator generates from /openapi.json. */
import { join } from "node:path"
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { needing } from "../support/needing.ts"
import { go, here, openapiGenerator, programs, python } from "./provisioned.ts"
import { LAPS, RECORDED, Service, succeeds } from "./recorded.ts"

/** Generates a client in this language; returns its folder. */
const generated = Effect.fn(function* (language: string, ...options: ReadonlyArray<string>) {
  const { folder, service } = yield* Service
  const own = join(folder, `openapi-generator-${language}`)
  const jar = join(openapiGenerator.folder, "openapi-generator-cli.jar")
  const schema = `${service.address}/openapi.json`
  yield* succeeds(
    "java",
    ["-jar", jar, "generate", "-i", schema, "-g", language, "-o", own, ...options],
    folder
  )
  return own
})

describe("a client of openapi-generator in Python", needing(openapiGenerator, python), () => {
  layer(Service.layer, { excludeTestServices: true })((it) => {
    it.scoped("lists laps, and reads points", () =>
      Effect.gen(function* () {
        const { folder, service } = yield* Service
        // A field named as a type of Python hides the type from the fields behind it.
        const PYTHONPATH = yield* generated("python", "--name-mappings", "datetime=datetime_")
        const printed = yield* succeeds(
          join(programs(python.folder), "python"),
          [here("python/openapiGenerator.py"), service.address, String(RECORDED)],
          folder,
          { PYTHONPATH }
        )
        expect(JSON.parse(printed)).toEqual({ laps: LAPS, points: 21, steering: null })
      })
    )
  })
})

describe("a client of openapi-generator in Go", needing(openapiGenerator, go), () => {
  layer(Service.layer, { excludeTestServices: true })((it) => {
    it.scoped("compiles", () =>
      Effect.gen(function* () {
        const own = yield* generated("go")
        yield* succeeds("go", ["mod", "tidy"], own)
        yield* succeeds("go", ["vet", "."], own)
      })
    )
  })
})
