/** What is in the databases that the version before totals has left (fixtures/before-totals.sql), worked out by hand. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import type { Catalog } from "../../src/store/Catalog.ts"

export const expectBeforeTotals = Effect.fn(function* (catalog: typeof Catalog.Service) {
  expect(yield* catalog.counts).toEqual({ sessions: 4, laps: 13 })
  expect(yield* catalog.totalsByCircuit({})).toEqual([
    {
      circuit: "Monza",
      totals: {
        sessions: 1,
        laps: 6,
        timedLaps: 2,
        seconds: expect.closeTo(86_500.0000005, 8) as unknown,
        bestLapTime: 100.0000005,
        metres: 0
      }
    },
    {
      circuit: "Spa",
      totals: {
        sessions: 3,
        laps: 7,
        timedLaps: 5,
        seconds: expect.closeTo(456.870368, 8) as unknown,
        bestLapTime: 90.123456,
        metres: 41_500.125
      }
    }
  ])
  expect(yield* catalog.circuitTotals("spa")).toMatchObject({
    bestSectors: [30, 31.123456, 29],
    drivers: ["Anna", "ÅSA"],
    vehicles: ["GT3", "LMP2"]
  })
  expect((yield* catalog.bestLaps({}, 3)).map(({ id }) => id)).toEqual([2, 4, 6])
  expect((yield* catalog.notMeasured({})).map(({ sessionId }) => sessionId)).toEqual([4, 5])
  // From here on it counts by itself.
  yield* catalog.deleteSession(1)
  expect(yield* catalog.circuitTotals("spa")).toMatchObject({
    sessions: 2,
    laps: 2,
    bestSectors: [30.5, 31.123456, 29],
    metres: 14_000
  })
  expect((yield* catalog.bestLaps({ circuit: "spa" }, 3)).map(({ id }) => id)).toEqual([6, 7])
})
