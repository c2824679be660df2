/** A part of a session that moves by itself: its points, or its samples of one group. */
import { Effect, type Stream } from "effect"
import type { PointsUnreadable } from "../domain/errors.ts"
import { channels, type PointBatch, type SampleBatch } from "../domain/PointBatch.ts"
import type { PointStore, SessionRows } from "../store/PointStore.ts"

type Store = PointStore["Type"]

export interface Part {
  /** Undefined for the points. */
  readonly group: string | undefined
  /** The columns that are moved and compared, "timestamp" first. */
  readonly columns: ReadonlyArray<string>
}

interface Times {
  readonly from: number
  readonly until: number
}

const points: Part = { group: undefined, columns: channels }

/** The points, and each group with all of its columns in the store. */
export const partsOf = Effect.fn("migrate.partsOf")(function* (store: Store, sessionId: number) {
  const groups = yield* store.sampleGroups(sessionId)
  const samples = yield* Effect.forEach(groups, (group) =>
    Effect.map(store.sampleColumns(sessionId, group), (stored): Part => {
      const named = stored.filter((name) => name !== "timestamp")
      return { group, columns: ["timestamp", ...named] }
    })
  )
  return [points, ...samples]
})

export const boundsOf = (store: Store, sessionId: number, { group }: Part) =>
  group === undefined ? store.bounds(sessionId) : store.sampleBounds(sessionId, group)

export const countOf = (store: Store, sessionId: number, { group }: Part, times: Times) =>
  group === undefined
    ? store.count({ sessionId, ...times })
    : store.countSamples({ sessionId, group, ...times })

export const readOf = (
  store: Store,
  sessionId: number,
  { columns, group }: Part,
  times: Times
): Stream.Stream<PointBatch | SampleBatch, PointsUnreadable> =>
  group === undefined
    ? store.read({ sessionId, ...times })
    : store.readSamples({ sessionId, group, ...times }, columns)

/** A batch that `readOf` returned, as rows of a session. */
export const rowsOf = (sessionId: number, { group }: Part, batch: PointBatch | SampleBatch): SessionRows =>
  group === undefined
    ? { sessionId, batch: batch as PointBatch }
    : { sessionId, group, batch: batch as SampleBatch }
