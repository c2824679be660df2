import { Effect, Option, Stream } from "effect"
import type { RowBatch } from "../domain/RowBatch.ts"

/** Thins consecutive batches; see `thin`. */
class Thinner<Name extends string> {
  readonly #every: number
  #seen = 0
  /** The last point so far, if it was not kept. */
  #last: RowBatch<Name> | undefined

  constructor(every: number) {
    this.#every = every
  }

  next(batch: RowBatch<Name>): RowBatch<Name> {
    const first = (this.#every - (this.#seen % this.#every)) % this.#every
    const kept: Array<number> = []
    for (let i = first; i < batch.length; i += this.#every) kept.push(i)
    this.#seen += batch.length
    if (batch.length > 0) {
      const end = batch.length - 1
      this.#last = kept.at(-1) === end ? undefined : batch.slice(end, end + 1)
    }
    return batch.pick(kept)
  }

  rest(): RowBatch<Name> | undefined {
    return this.#last
  }
}

/** Keeps every Nth point of a stream of batches, always including its first and its last point. */
export const thin =
  (every: number) =>
  <Name extends string, E, R>(
    batches: Stream.Stream<RowBatch<Name>, E, R>
  ): Stream.Stream<RowBatch<Name>, E, R> =>
    every === 1
      ? batches
      : Stream.suspend(() => {
          const thinner = new Thinner<Name>(every)
          return batches.pipe(
            Stream.map((batch) => thinner.next(batch)),
            Stream.concat(
              Stream.fromEffect(Effect.sync(() => thinner.rest())).pipe(Stream.filterMap(Option.fromNullable))
            ),
            Stream.filter((batch) => batch.length > 0)
          )
        })
