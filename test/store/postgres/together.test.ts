/** Nodes that start together, on a database that is empty. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Catalog } from "../../../src/store/Catalog.ts"
import { CatalogTransfer } from "../../../src/store/CatalogTransfer.ts"
import * as PostgresCatalog from "../../../src/store/postgres/PostgresCatalog.ts"
import { postgresHere, sharedPostgres } from "../../servers/postgres.ts"
import { needing } from "../../runner/needing.ts"

const names = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: 1.7e9 }

/** Six openings, at once. */
const together = (url: string) =>
  Effect.forEach(Array.from({ length: 6 }), () => Layer.build(Layer.fresh(PostgresCatalog.layer(url))), {
    concurrency: "unbounded"
  })

describe("a database that is empty", needing(postgresHere), () => {
  it.scopedLive("is made a catalog by one of several that open it at once", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const opened = yield* together(url)
      const origins = yield* Effect.forEach(opened, (one) => Context.get(one, CatalogTransfer).identity)
      expect(new Set(origins.map(({ origin }) => origin)).size).toBe(1)
      for (const one of opened) {
        yield* Context.get(one, Catalog).createSession(names, { recording: false })
      }
      expect((yield* Context.get(opened[0]!, Catalog).counts).sessions).toBe(6)
    })
  )
})
