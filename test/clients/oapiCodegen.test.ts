/** The client that oapi-codegen generates from /openapi.json. */
import { copyFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { needing } from "../support/needing.ts"
import { go, here, oapiCodegen } from "./provisioned.ts"
import { LAPS, RECORDED, Service, succeeds } from "./recorded.ts"

describe("a client of oapi-codegen in Go", needing(oapiCodegen, go), () => {
  layer(Service.layer, { excludeTestServices: true })((it) => {
    it.scoped("lists laps, and reads points with a channel", () =>
      Effect.gen(function* () {
        const { folder, service } = yield* Service
        const own = join(folder, "oapi-codegen")
        mkdirSync(join(own, "client"), { recursive: true })
        for (const file of ["oapiCodegen.yaml", "overlay.yaml", "usage.go"]) {
          copyFileSync(here(`go/${file}`), join(own, file))
        }
        const schema = `${service.address}/openapi.json`
        yield* succeeds(
          join(oapiCodegen.folder, "oapi-codegen"),
          ["-config", "oapiCodegen.yaml", schema],
          own
        )
        yield* succeeds("go", ["mod", "init", "usage"], own)
        yield* succeeds("go", ["mod", "tidy"], own)
        yield* succeeds("go", ["vet", "./..."], own)
        const printed = yield* succeeds("go", ["run", ".", service.address, String(RECORDED)], own)
        expect(JSON.parse(printed)).toEqual({
          laps: LAPS,
          points: 21,
          steering: null,
          distance: expect.any(Number)
        })
      })
    )
  })
})
