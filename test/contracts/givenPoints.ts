import { Stream } from "effect"
import type { PointsUnreadable } from "../../src/domain/errors.ts"
import type { Channel } from "../../src/domain/pointChannels.ts"
import type { PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import type { RowStore, RowRange } from "../../src/store/RowStore.ts"

/** A store's `read` that gives these points, with the requested columns. */
export const givenPoints =
  (points: (range: RowRange) => Stream.Stream<PointBatch, PointsUnreadable>): RowStore["Type"]["read"] =>
  <Name extends string>(range: RowRange, columns: ReadonlyArray<Name>) =>
    Stream.map(
      points(range),
      (batch) => batch.only(columns as ReadonlyArray<string> as ReadonlyArray<Channel>) as RowBatch<Name>
    )
