import { expect, it } from "vitest"
import {
  sectorsOf,
  timeOfMs,
  timeOfSeconds,
  reportedOrPlaced,
  validity,
  withRest
} from "../../src/simulators/timekeeping/reportedTimes.ts"

it("a float has the milliseconds that the game shows, and an invalid one is no time", () => {
  for (const shown of [0.001, 59.999, 91.457, 754.321]) expect(timeOfSeconds(Math.fround(shown))).toBe(shown)
  for (const none of [0, -1, Number.NaN, Infinity, undefined]) expect(timeOfSeconds(none)).toBeNull()
})

it("milliseconds are read, and an invalid value is no time", () => {
  expect(timeOfMs(91_457)).toBe(91.457)
  for (const none of [0, -1, null, undefined]) expect(timeOfMs(none)).toBeNull()
})

it("one missing sector follows from the others and the lap's time, and two do not", () => {
  const sectors = [30.001, 31.002, 30.454] as const
  for (const missing of [0, 1, 2]) {
    const [one, two, three] = sectors.map((sector, n) => (n === missing ? null : sector))
    expect(withRest([one!, two!, three!], 91.457)).toEqual(sectors)
    expect(withRest([one!, two!, three!], null)[missing]).toBeNull()
  }
  expect(withRest([30.001, null, null], 91.457)).toEqual([30.001, null, null])
})

it("a sector is left out if the lap's time is less than the others", () => {
  expect(withRest([30.001, 31.002, null], 61.003)).toEqual([30.001, 31.002, null])
  expect(withRest([30.001, 31.002, null], 50)).toEqual([30.001, 31.002, null])
})

it("sectors by places are used only if the game reports none, and are marked as such", () => {
  expect(sectorsOf(reportedOrPlaced([null, null], [30, 31]), 90)).toEqual({
    sectors: [30, 31, 29],
    sectorSource: "derived"
  })
  expect(sectorsOf(reportedOrPlaced([null, null], null), 90)).toEqual({
    sectors: [null, null, null],
    sectorSource: "derived"
  })
  expect(sectorsOf(reportedOrPlaced([null, null], undefined), 90)).toEqual({ sectors: [null, null, null] })
  expect(sectorsOf(reportedOrPlaced([29, null], [30, 31]), 90)).toEqual({ sectors: [29, null, null] })
})

it("a lap counts as in the game, except without a time or with a visit to the pits", () => {
  for (const reported of [true, false, undefined]) {
    expect([
      validity(90, false, reported),
      validity(90, true, reported),
      validity(null, false, reported)
    ]).toEqual([reported, false, false])
  }
})
