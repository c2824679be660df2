import type { Stream } from "effect"
import type { RowBatch } from "../domain/RowBatch.ts"

/** Rows of one lap, or of none. */
export interface StretchRows<E, R> {
  readonly lap: { readonly lapNumber: number } | null
  readonly points: Stream.Stream<RowBatch, E, R>
}
