/** Nodes that start together, on a database that is empty. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Either, Layer } from "effect"
import { Sessions } from "../../../src/store/Sessions.ts"
import { CatalogTransfer } from "../../../src/store/CatalogTransfer.ts"
import { Nodes } from "../../../src/store/Nodes.ts"
import * as PostgresCatalog from "../../../src/store/postgres/PostgresCatalog.ts"
import { postgresHere, sharedPostgres } from "../../support/servers/postgres.ts"
import { needing } from "../../support/needing.ts"

const names = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: 1.7e9 }

/** Six openings, at once. */
const together = (url: string) =>
  Effect.forEach(Array.from({ length: 6 }), () => Layer.build(Layer.fresh(PostgresCatalog.layer(url))), {
    concurrency: "unbounded"
  })

describe("a database that is empty", needing(postgresHere), () => {
  it.scopedLive("gets its tables from one of several nodes that open it at once", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const opened = yield* together(url)
      const origins = yield* Effect.forEach(opened, (one) => Context.get(one, CatalogTransfer).identity)
      expect(new Set(origins.map(({ origin }) => origin)).size).toBe(1)
      for (const one of opened) {
        yield* Context.get(one, Sessions).createSession(names, { recording: false })
      }
      expect(yield* Context.get(opened[0]!, Sessions).sessionIds).toHaveLength(6)
    })
  )
})

const sharing = (n: number) => n % 2 === 0

describe("nodes that start for the first time at once", needing(postgresHere), () => {
  it.scopedLive("are accepted if they share their points, or if one alone keeps its own", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedPostgres
      const opened = yield* together(url)
      const take = (shares: (n: number) => boolean) =>
        Effect.forEach(
          opened,
          (one, n) => {
            const { take } = Context.get(one, Nodes)
            const name = `node ${n}`
            return Effect.either(
              take({ node: name, holder: name, described: name, ended: undefined }, shares(n))
            )
          },
          { concurrency: "unbounded" }
        )
      const mixed = yield* take(sharing)
      const taken = [...mixed.keys()].filter((n) => Either.isRight(mixed[n]!))
      // The first one decides: all that share, or the one that does not.
      expect(taken.length === 1 || taken.every(sharing)).toBe(true)
      expect(taken.every(sharing) ? 3 : 1).toBe(taken.length)
      for (const one of mixed) if (Either.isLeft(one)) expect(one.left._tag).toBe("PointsNotShared")
    })
  )
})
