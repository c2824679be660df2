import { expect, it } from "@effect/vitest"
import { stretchesOf } from "../../src/archive/stretches.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import { lapOf } from "../api/stored.ts"

const lap = (number: number, start: number, end: number): RecordedLap => ({
  ...lapOf(1, number, start, end),
  id: 100 + number
})

const spans = (laps: ReadonlyArray<RecordedLap>) =>
  stretchesOf(laps).map(({ endTime, lap, startTime }) => [lap?.lapNumber ?? null, startTime, endTime])

it("a session is cut along its laps, in the order of time, whatever their numbers", () => {
  expect(spans([])).toEqual([[null, -Infinity, Infinity]])
  const laps = [lap(1, 10, 20), lap(2, 20, 30), lap(4, 35, 40)]
  const expected = [
    [null, -Infinity, 10],
    [1, 10, 20],
    [2, 20, 30],
    [null, 30, 35],
    [4, 35, 40],
    [null, 40, Infinity]
  ]
  expect(spans(laps)).toEqual(expected)
  expect(spans(laps.toReversed())).toEqual(expected)
})

it("a lap that ends where it begins is kept, without points", () => {
  expect(spans([lap(3, 10, 10), lap(5, 12, 14)])).toEqual([
    [null, -Infinity, 10],
    [3, 10, 10],
    [null, 10, 12],
    [5, 12, 14],
    [null, 14, Infinity]
  ])
})
