import type { Stream } from "effect"
import type { SampleBatch } from "../domain/PointBatch.ts"

/** Rows of one lap, or of none. */
export interface StretchRows<E, R> {
  readonly lap: { readonly lapNumber: number } | null
  readonly points: Stream.Stream<SampleBatch, E, R>
}
