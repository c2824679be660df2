/**
 * A process that writes batches of BATCH sample points to session 1 of the store in the folder of its first
 * argument, with samples of two groups in the same commits, and prints after each how many points are acknowledged, until it is killed or has written
 * as many as its second argument gives.
 */
import { Effect } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { samplePoints } from "../contracts/samples.ts"
import { BATCH, RATE, slowOf, tyresOf } from "./writtenGroups.ts"

const [, , folder = "", most = "Infinity"] = process.argv

await Effect.gen(function* () {
  const store = yield* RowStore
  for (let at = 0; at < Number(most); at += BATCH) {
    // The rate is a power of two, so that every batch's times are exactly those of one long batch.
    const commit = at / BATCH
    yield* store.write([
      { sessionId: 1, group: POINTS, batch: samplePoints(at / RATE, BATCH, RATE) },
      { sessionId: 1, group: "tyres", batch: tyresOf(commit) },
      { sessionId: 1, group: "slow", batch: slowOf(commit) }
    ])
    yield* Effect.sync(() => process.stdout.write(`${at + BATCH}\n`))
  }
}).pipe(Effect.provide(SqliteStore.layer(folder)), Effect.runPromise)
