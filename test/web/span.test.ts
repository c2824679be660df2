/** The stretches of time that the live traces show: their marks, and where a stint began. */
import { describe, expect, it } from "@effect/vitest"
import { lastSeconds, marksOf, type Span } from "../../web/src/draw/span.ts"
import { Stint } from "../../web/src/live/Stint.ts"

/** When the last stint of these points began. */
const of = (...points: ReadonlyArray<readonly [time: number, speed: number]>) => {
  const stint = new Stint()
  for (const [time, speed] of points) stint.read(time, speed)
  return stint.began
}

describe("the marks of live traces", () => {
  it("count back from now, and stand still while the line moves", () => {
    expect(marksOf(lastSeconds(60), 1000, 1060)).toEqual([1000, 1010, 1020, 1030, 1040, 1050, 1060])
    expect(marksOf(lastSeconds(600), 1000, 1600)).toEqual([1000, 1120, 1240, 1360, 1480, 1600])
    expect(marksOf(lastSeconds(300), 1000, 1300)).toEqual([1000, 1060, 1120, 1180, 1240, 1300])
  })

  it("count on from the start of a lap", () => {
    const lap: Span = { sinceStart: true, range: () => [1000, 1090] }
    expect(marksOf(lap, 1000, 1090)).toEqual([1000, 1020, 1040, 1060, 1080])
  })
})

describe("a stint", () => {
  it("begins with the session, and after a stop of ten seconds", () => {
    expect(of()).toBeNaN()
    expect(of([10, 0], [11, 50], [12, 100])).toBe(10)
    expect(of([10, 100], [20, 0], [25, 2], [31, 1], [32, 60], [33, 100])).toBe(32)
  })

  it("goes on after a spin, and begins anew after a minute without points", () => {
    expect(of([10, 100], [20, 0], [25, 0], [26, 80])).toBe(10)
    expect(of([10, 100], [69, 100], [130, 100])).toBe(130)
  })

  it("does not stop for a speed that is not reported", () => {
    expect(of([10, Number.NaN], [40, Number.NaN], [50, Number.NaN])).toBe(10)
  })
})
