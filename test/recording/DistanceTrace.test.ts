import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { DrivenDistance } from "../../src/recording/laps/DrivenDistance.ts"
import { DistanceTrace } from "../../src/recording/laps/DistanceTrace.ts"
import { pointsAt } from "../live/support.ts"

/** The course's next point. */
const advance = (course: DrivenDistance, time: number, speed: number, x: number, y: number) => {
  const batch = pointsAt([time])
  batch.column("speed")[0] = speed
  batch.column("position_x")[0] = x
  batch.column("position_y")[0] = y
  course.advance(batch, 0, 1)
}

const trailOf = (...entries: ReadonlyArray<readonly [time: number, distance: number]>) => {
  const trail = new DistanceTrace()
  for (const [time, distance] of entries) trail.push(time, distance)
  return trail
}

describe("DistanceTrace", () => {
  it("is linear between its entries and held beyond its ends", () => {
    const trail = trailOf([10, 0], [12, 100], [13, 200])
    expect(trail.distanceAt(11)).toBe(50)
    expect(trail.distanceAt(12)).toBe(100)
    expect(trail.distanceAt(12.5)).toBe(150)
    expect(trail.distanceAt(9)).toBe(0)
    expect(trail.distanceAt(99)).toBe(200)
    expect(trail.timeAt(150)).toBe(12.5)
    expect(trail.timeAt(-1)).toBe(10)
    expect(trail.timeAt(999)).toBe(13)
  })

  it("is not a number while it is empty", () => {
    expect(new DistanceTrace().distanceAt(1)).toBeNaN()
    expect(new DistanceTrace().timeAt(1)).toBeNaN()
  })

  it("gives the distance of any instant to within a metre and a step, however often it forgets", () => {
    const MAX_STEP = 3
    const steps = FastCheck.array(
      FastCheck.record({
        wait: FastCheck.double({ min: 0.001, max: 1, noNaN: true }),
        drive: FastCheck.double({ min: 0, max: MAX_STEP, noNaN: true }),
        forget: FastCheck.boolean()
      }),
      { minLength: 2, maxLength: 200 }
    )
    FastCheck.assert(
      FastCheck.property(steps, (steps) => {
        const trail = new DistanceTrace()
        let [time, distance, known] = [0, 0, 0]
        const driven: Array<readonly [time: number, distance: number]> = []
        for (const { wait, drive, forget } of steps) {
          time += wait
          distance += drive
          trail.push(time, distance)
          driven.push([time, distance])
          if (!forget) continue
          trail.forgetBefore(time)
          known = time
        }
        const errors = driven
          .filter(([time]) => time >= known)
          .map(([time, distance]) => Math.abs(trail.distanceAt(time) - distance))
        expect(Math.max(0, ...errors)).toBeLessThanOrEqual(1 + MAX_STEP)
      })
    )
  })

  it("grows beyond its first allocation", () => {
    const trail = new DistanceTrace()
    for (let i = 0; i < 10_000; i++) trail.push(i, i * 2)
    expect(trail.distanceAt(7777.5)).toBe(15_555)
    trail.forgetBefore(9000)
    expect(trail.distanceAt(0)).toBe(17_998)
    expect(trail.distanceAt(9000.5)).toBe(18_001)
  })
})

describe("DrivenDistance", () => {
  const KMH = 3.6

  it("takes sectors at thirds of the distance, and their sum is the lap time", () => {
    const course = new DrivenDistance()
    // 30 s at 10 m/s, then 20 s at 30 m/s: 900 m, thirds at 30 s and 40 s.
    for (let t = 0; t <= 500; t++) advance(course, t / 10, (t < 300 ? 10 : 30) * KMH, 0, 0)
    const { source, times } = course.sectors(0, 50, 50, [], false)
    const [one, two, three] = times
    expect(source).toBe("derived")
    expect(one).toBeCloseTo(30, 0)
    expect(two).toBeCloseTo(10, 0)
    expect(one! + two! + three!).toBeCloseTo(50, 6)
  })

  it("gives no sectors to a car that stood still", () => {
    const course = new DrivenDistance()
    for (let t = 0; t <= 50; t++) advance(course, t, 0, 7, 7)
    expect(course.sectors(0, 50, 50, [], true)).toEqual({ times: [null, null, null], source: null })
  })

  it("measures by position if there is no speed", () => {
    const course = new DrivenDistance()
    for (let t = 0; t <= 300; t++) advance(course, t / 10, 0, t * 3, t * 4)
    expect(course.sectors(0, 30, 30, [], false).times[0]).toBeCloseTo(10, 1)
  })

  it("recovers from a glitch: the sectors of later laps are as good as before", () => {
    const course = new DrivenDistance()
    for (let t = 0; t <= 300; t++) {
      const glitch = t === 50 ? 1e308 : t === 60 ? -1e300 : 0
      advance(course, t / 10, 30 * KMH + glitch, t === 70 ? 1e308 : 0, 0)
    }
    course.forgetBefore(15)
    expect(course.sectors(15, 30, 15, [], false).times[0]).toBeCloseTo(5, 1)
  })

  it("finds a gap by its length, by an interruption, and before the first point", () => {
    const course = new DrivenDistance()
    advance(course, 10, 0, 0, 0)
    expect(course.unbroken(9.5)).toBe(true)
    expect(course.unbroken(8.5)).toBe(false)
    advance(course, 11, 0, 0, 0)
    expect(course.unbroken(10)).toBe(true)
    // Three of the feed's intervals.
    advance(course, 14, 0, 0, 0)
    expect(course.unbroken(11)).toBe(true)
    advance(course, 18, 0, 0, 0)
    expect(course.unbroken(14)).toBe(false)
    expect(course.unbroken(18)).toBe(true)
    course.interrupt()
    advance(course, 18.01, 0, 0, 0)
    expect(course.unbroken(18)).toBe(false)
    expect(course.unbroken(18.01)).toBe(true)
  })

  it("takes a pause of over a second for a gap in a fast feed, however long its first step was", () => {
    const course = new DrivenDistance()
    for (const time of [0, 30, ...Array.from({ length: 200 }, (_, i) => 30.1 + i / 60)]) {
      advance(course, time, 0, 0, 0)
    }
    advance(course, 34.5, 0, 0, 0)
    expect(course.unbroken(31)).toBe(false)
  })
})
