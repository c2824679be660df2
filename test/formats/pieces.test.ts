import { expect, it } from "@effect/vitest"
import { Effect, Option, Stream } from "effect"
import { channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { inPieces } from "../../src/formats/pieces.ts"

it.effect("text is made on demand, a piece at a time", () =>
  Effect.gen(function* () {
    const made: Array<readonly [from: number, to: number]> = []
    const text = inPieces((_batch, from, to) => {
      made.push([from, to])
      return Uint8Array.of(made.length)
    })
    const batches = Stream.make(RowBatch.allocate(2500, channels))
    expect(Option.isSome(yield* Stream.runHead(text(batches)))).toBe(true)
    expect(made).toEqual([[0, 1000]])
    made.length = 0
    yield* Stream.runDrain(text(batches))
    expect(made).toEqual([
      [0, 1000],
      [1000, 2000],
      [2000, 2500]
    ])
  })
)
