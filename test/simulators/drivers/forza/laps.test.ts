/** Forza: single cases of laps. */
import { describe, expect, it } from "vitest"
import { driven, onlySession, roam, reported } from "./packets.ts"

/** The packets of the second lap. */
const second = () => driven(10, { race: 90.04, current: 0.04, lap: 1, last: 90.015 })

describe("laps", () => {
  const first = driven(90, { race: 0 })
  const lap1 = { lapNumber: 1, lapTime: 90.015, sectors: [null, null, null], valid: undefined }

  it("end with the time that comes with the count", () => {
    const [lap, ...more] = reported([...first, ...second()])
    expect(more).toEqual([])
    expect(lap).toMatchObject(lap1)
    expect(lap!.end! - lap!.start!).toBeCloseTo(90.015, 3)
    expect(lap!.end).toBeCloseTo(190, 3)
  })

  it("end under the flag, when the game shows a time and does not count on", () => {
    const after = driven(5, { race: 90.04, current: 90.015, lap: 0, last: 90.015 })
    expect(reported([...first, ...after])).toMatchObject([lap1])
  })

  it("are counted from the line, in metres", () => {
    const { lapDistance, lapNumber } = onlySession([...first, ...second()])
    expect(lapNumber[1]).toBe(1)
    expect(lapDistance.slice(1, 3)).toEqual([expect.closeTo(5), expect.closeTo(10)])
    expect(lapNumber[900]).toBe(2)
    expect(lapDistance[900]).toBeCloseTo(2, 2)
    const joined = onlySession(driven(5, { race: 200, current: 20, lap: 2 }))
    expect(joined.lapNumber[0]).toBe(3)
    expect(joined.lapDistance[0]).toBeNaN()
  })

  it("count from the grid on", () => {
    const grid = Array.from({ length: 50 }, (_, i) => ({ stamp: i * 100, speed: 0, distance: -20 }))
    const race = driven(90, { race: 0.1, stamp: 5000 })
    const after = second().map((one) => ({ ...one, stamp: one.stamp! + 5000 }))
    const { lapDistance, lapNumber, laps } = onlySession([...grid, ...race, ...after])
    expect([lapNumber[0], lapDistance[0]]).toEqual([Number.NaN, 0])
    expect(laps[0]).toMatchObject({ lapNumber: 1, lapTime: 90.015, valid: true })
  })

  it("are none in free roam", () => {
    const { batch, lapNumber, reported } = onlySession(roam(300))
    expect(batch.length).toBe(3000)
    expect(lapNumber.every(Number.isNaN)).toBe(true)
    expect(reported).toEqual([])
  })
})
