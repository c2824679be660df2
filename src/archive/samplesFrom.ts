import { Effect, Option, Stream } from "effect"
import type { SessionUnreadable } from "../domain/errors.ts"
import type { RowBatch } from "../domain/RowBatch.ts"
import type { RowStore, RowRange } from "../store/RowStore.ts"

/**
 * The group's samples, "timestamp" first, from the last one that is not after `from`: its values apply there. Only its
 * time is read by index: its values are in the block that is read next, which would be unpacked twice, or in the block
 * before.
 */
export const samplesFrom = (
  store: typeof RowStore.Service,
  range: RowRange,
  names: ReadonlyArray<string>
): Stream.Stream<RowBatch, SessionUnreadable> =>
  Stream.unwrap(
    Effect.map(store.last(range, range.from, ["timestamp"]), (last) => {
      const from = Option.match(last, {
        onNone: () => range.from,
        onSome: ({ timestamps }) => timestamps[0]!
      })
      return store.read({ ...range, from }, ["timestamp", ...names])
    })
  )
