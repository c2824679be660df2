/** Reads of a session while the spool is emptied, block by block, after all of it has moved. */
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Stream } from "effect"
import { RowStore } from "../../../src/store/RowStore.ts"
import * as Reading from "../../../src/store/spool/reading.ts"
import { Sides, type Store } from "../../../src/store/spool/Sides.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { expectStored, write } from "../../contracts/rowStoreSupport.ts"
import { part, samplePoints } from "../../contracts/samples.ts"
import { temporaryFolder } from "../sqlite/folder.ts"

const SPOOLED_FROM = 5000
const all = samplePoints(1.7e9, 20_000)

/** A spool that loses its next block at each read: after its begin was determined, and before the read. */
const emptyingOnRead = (spool: Store, blocks: number): Store => {
  let gone = 0
  const begin = () => all.timestamps[SPOOLED_FROM + Math.ceil((gone / blocks) * (all.length - SPOOLED_FROM))]
  return {
    ...spool,
    read: (range, wanted) =>
      Stream.suspend(() => {
        gone = Math.min(gone + 1, blocks)
        return spool.read({ ...range, from: Math.max(range.from, begin() ?? Infinity) }, wanted)
      }),
    bounds: (of) =>
      Effect.map(
        spool.bounds(of),
        Option.flatMap(({ last }) => Option.map(Option.fromNullable(begin()), (first) => ({ first, last })))
      )
  }
}

describe("a read of points that have all moved", () => {
  for (const blocks of [1, 2, 3, 7])
    it.scopedLive(`has each once, in order, while ${blocks} blocks of the spool are removed`, () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const storeOf = (name: string) =>
          Effect.flatMap(Layer.build(SqliteStore.layer(join(folder, name))), (context) =>
            Effect.provide(RowStore, context)
          )
        const server = yield* storeOf("server")
        const spool = yield* storeOf("spool")
        yield* write(1, all).pipe(Effect.provideService(RowStore, server))
        yield* write(1, part(all, SPOOLED_FROM, all.length)).pipe(Effect.provideService(RowStore, spool))
        const sides = new Sides(server, { store: emptyingOnRead(spool, blocks), maxBytes: 1e9 }, [1])
        yield* expectStored(1, all).pipe(
          Effect.provideService(RowStore, { ...server, ...Reading.make(sides) })
        )
        expect(sides.isAway).toBe(false)
      })
    )
})
