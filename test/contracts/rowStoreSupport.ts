/** Shared by the parts of the RowStore contract. */
import { expect, type Vitest } from "@effect/vitest"
import { Chunk, Effect, Stream } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { type Channel, channels } from "../../src/domain/pointChannels.ts"
import { type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { bitsOf } from "./samples.ts"

export const everything = { from: -Infinity, until: Infinity }

export const write = (sessionId: number, ...batches: ReadonlyArray<PointBatch>) =>
  Effect.flatMap(RowStore, (store) =>
    store.write(batches.map((batch) => ({ sessionId, group: POINTS, batch })))
  )

export const pages = (
  sessionId: number,
  range: { readonly from: number; readonly until: number } = everything,
  wanted: ReadonlyArray<Channel> = channels
) =>
  Effect.flatMap(RowStore, (store) =>
    Stream.runCollect(store.read({ sessionId, group: POINTS, ...range }, wanted))
  ).pipe(Effect.map((batches) => Chunk.toReadonlyArray(batches)))

export const readAll = (
  sessionId: number,
  range: { readonly from: number; readonly until: number } = everything,
  wanted: ReadonlyArray<Channel> = channels
) => Effect.map(pages(sessionId, range, wanted), RowBatch.concat)

export const count = (sessionId: number, from = -Infinity, until = Infinity) =>
  Effect.flatMap(RowStore, (store) => store.count({ sessionId, group: POINTS, from, until }))

export const expectSame = (found: RowBatch, expected: RowBatch) => {
  expect(found.length).toBe(expected.length)
  expect(bitsOf(found).equals(bitsOf(expected))).toBe(true)
}

/** Expects the session to have these points, with their count and bounds. */
export const expectStored = Effect.fnUntraced(function* (sessionId: number, expected: PointBatch) {
  expectSame(yield* readAll(sessionId), expected)
  const counted = yield* count(sessionId)
  if (counted !== expected.length) {
    return yield* Effect.dieMessage(`counted ${counted} of ${expected.length} points`)
  }
})

/** A part of the contract: registers its tests; each takes sessions of its own from `nextSession`. */
export type ContractPart = (it: Vitest.MethodsNonLive<RowStore, true>, nextSession: () => number) => void
