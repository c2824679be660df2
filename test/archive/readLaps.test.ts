/** Laps that are read together have the same points as laps that are read one by one, in memory of their own. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Stream } from "effect"
import { copiedLaps, readLaps } from "../../src/archive/readLaps.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import { RowStore } from "../../src/store/RowStore.ts"

const HZ = 4
const LENGTH_S = 1000

/** A session of `LENGTH_S` from second 0 on, given in pieces of 100 points; its speed is the session's number. */
const storing = () => {
  let reads = 0
  const read = ({ from, sessionId, until }: { sessionId: number; from: number; until: number }) => {
    reads++
    const times: Array<number> = []
    for (let i = 0; i < LENGTH_S * HZ; i++) if (i / HZ >= from && i / HZ < until) times.push(i / HZ)
    const pieces: Array<PointBatch> = []
    for (let at = 0; at < times.length; at += 100) {
      const some = times.slice(at, at + 100)
      const piece = RowBatch.allocate(some.length, channels)
      piece.timestamps.set(some)
      piece.column("speed").fill(sessionId)
      pieces.push(piece)
    }
    return Stream.fromIterable(pieces)
  }
  return { store: RowStore.of({ read } as never), reads: () => reads }
}

const lapsFrom = (spans: ReadonlyArray<{ session: number; gap: number; length: number }>) => {
  let at = 0
  return spans.map(({ gap, length, session }, n): RecordedLap => {
    const startTime = at + gap
    at = startTime + length
    return { id: n, sessionId: session, lapNumber: n, startTime, endTime: at } as RecordedLap
  })
}

const spans = fc.array(
  fc.record({
    session: fc.constantFrom(1, 1, 1, 2),
    gap: fc.constantFrom(0, 0, 0.5, 3.9, 4.1, 40),
    length: fc.double({ min: 0.1, max: 60, noNaN: true })
  }),
  { maxLength: 30 }
)

const valuesOf = (laps: ReadonlyArray<{ lap: RecordedLap; points: PointBatch }>) =>
  laps.map(({ lap, points }) => ({
    id: lap.id,
    times: [...points.timestamps],
    speed: [...points.column("speed")]
  }))

const run = (laps: number) => Array.from({ length: laps }, () => ({ session: 1, gap: 0, length: 20 }))

describe("readLaps", () => {
  it.effect.prop("gives each lap the points around it, in memory of its own", [spans], ([wanted]) =>
    Effect.gen(function* () {
      const laps = lapsFrom(wanted)
      const one = yield* Effect.forEach(laps, (lap) => readLaps(storing().store, [lap]))
      const together = yield* readLaps(storing().store, laps)
      expect(valuesOf(together)).toEqual(valuesOf(one.flat()))
      for (const copies of [together, copiedLaps(together)]) {
        expect(new Set(copies.map(({ points }) => points.data.buffer)).size).toBe(laps.length)
        expect(valuesOf(copies)).toEqual(valuesOf(together))
      }
    })
  )

  it.effect("reads laps that follow one another together, and no more than sixteen", () =>
    Effect.gen(function* () {
      const { reads, store } = storing()
      yield* readLaps(store, lapsFrom(run(16)))
      expect(reads()).toBe(1)
      yield* readLaps(store, lapsFrom(run(17)))
      expect(reads()).toBe(3)
      yield* readLaps(store, lapsFrom([...run(3), { session: 1, gap: 100, length: 20 }, ...run(3)]))
      expect(reads()).toBe(5)
    })
  )
})
