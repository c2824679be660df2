import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { Timeline } from "../../src/simulators/timekeeping/Timeline.ts"

describe("a timeline", () => {
  it("runs with the simulator's clock while that goes forward", () => {
    const timeline = new Timeline()
    expect([10, 10.5, 12].map((clock, n) => timeline.at(clock, 500 + n))).toEqual([10, 10.5, 12])
  })

  it("refuses readings that were overtaken or repeated", () => {
    const timeline = new Timeline()
    timeline.at(10, 1)
    timeline.at(10.1, 1.1)
    expect(timeline.at(10.1, 1.11)).toBeUndefined()
    expect(timeline.at(10.05, 1.12)).toBeUndefined()
    expect(timeline.at(10.2, 1.2)).toBe(10.2)
  })

  it("goes on by its own clock while the simulator's goes back, and then with it again", () => {
    const timeline = new Timeline()
    timeline.at(100, 1000)
    expect(timeline.at(90, 1002)).toBe(102)
    expect(timeline.at(90.5, 1003)).toBe(102.5)
  })

  it("does not believe a leap", () => {
    const timeline = new Timeline()
    timeline.at(1, 0)
    expect(timeline.at(1e30, 0.02)).toBe(1.02)
    expect(timeline.at(2, 0.04)).toBe(1.04)
  })

  it("takes the next reading as a new beginning after a restart", () => {
    const timeline = new Timeline()
    timeline.at(5, 0)
    timeline.restart()
    expect(timeline.at(4.9, 0.5)).toBe(5.5)
  })

  it("lets at least the stated time pass before a new beginning", () => {
    const timeline = new Timeline()
    timeline.at(5, 0)
    timeline.restart(20)
    expect(timeline.at(1, 0.5)).toBe(25)
    timeline.restart()
    expect(timeline.at(1, 1.5)).toBe(26)
  })

  it("only goes forward, whatever the simulator's clock does", () => {
    const clock = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(fc.array(fc.tuple(clock, fc.double({ min: 0, max: 10, noNaN: true }))), (readings) => {
        const timeline = new Timeline()
        let arrival = 0
        let last = -Infinity
        // Beyond 2^30 s (34 years), doubles no longer distinguish milliseconds.
        for (const [reading, pause] of readings) {
          arrival += pause
          const time = timeline.at(reading % 2 ** 30, arrival)
          if (time === undefined) continue
          expect(time).toBeGreaterThan(last)
          last = time
        }
      })
    )
  })
})
