import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { PathMotion, Sense, YawSense } from "../../src/simulators/senses.ts"

/** A car on a circle, faster and slower: clockwise for `turn` 1. s, m/s, rad. */
const drive = (turn: number, seen: (path: PathMotion, heading: number, speed: number) => void) => {
  const path = new PathMotion()
  let heading = 1
  for (let n = 0; n < 2000; n++) {
    const speed = 30 + 10 * Math.sin(n / 100)
    heading += (turn * 0.3) / 60
    path.follow(n / 60, speed * Math.sin(heading), speed * Math.cos(heading))
    seen(path, heading, speed)
  }
}

describe("a car's path", () => {
  it.each([1, -1])("shows which way it turns and whether it speeds up: turning %i", (turn) => {
    drive(turn, (path, _, speed) => {
      if (Number.isNaN(path.lateral)) return
      expect(path.lateral / speed).toBeCloseTo(turn * 0.3, 1)
      expect(path.yawRate).toBeCloseTo(turn * 0.3, 1)
      expect(Math.abs(path.longitudinal)).toBeLessThan(7)
    })
  })

  it("shows nothing about a car that stands, was put elsewhere, or was not received", () => {
    const path = new PathMotion()
    const reported = () => !Number.isNaN(path.heading)
    const after = (time: number, x: number, y: number) => {
      path.follow(time, x, y)
      return reported()
    }
    expect([after(0, 0, 20), after(0.1, 0, 20), after(0.21, 0, 1), after(0.32, 0, 1.1)]).toEqual([
      false,
      true,
      false,
      false
    ])
    expect([after(1, 0, 20), after(1.15, 0, 20), after(1.3, 30, 0), after(5, 30, 0)]).toEqual([
      false,
      true,
      false,
      false
    ])
    expect([after(5, 30, 0), after(5.05, 30, 0), after(4, 30, 0), after(Number.NaN, 30, 0)]).toEqual([
      false,
      false,
      false,
      false
    ])
  })
})

describe("a sense", () => {
  it.each([1, -1])("is learnt from values that follow the path: %i", (sign) => {
    const sense = new Sense()
    drive(1, (path) => sense.follow(sign * path.lateral * 1.1 + 0.5, path.lateral))
    expect(sense.sign).toBe(sign)
  })

  it("is not learnt from values that do not follow the path, from zeros, or from few values", () => {
    const [noise, zeros, few] = [new Sense(), new Sense(), new Sense()]
    let n = 0
    drive(1, (path) => {
      noise.follow(n++ % 2 === 0 ? 1 : -1, path.lateral)
      zeros.follow(0, path.lateral)
      if (n < 240) few.follow(path.lateral, path.lateral)
    })
    expect([noise.sign, zeros.sign, few.sign]).toEqual([Number.NaN, Number.NaN, Number.NaN])
  })

  it("of a yaw is learnt for any zero and direction", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, -1),
        fc.constantFrom(-2, -1, 0, 1, 2),
        fc.constantFrom(1, -1),
        (sign, quarter, turn) => {
          const sense = new YawSense()
          const zero = (quarter * Math.PI) / 2
          // The car's nose points a little off its way.
          const yawOf = (heading: number) => sign * (heading + 0.03 - zero)
          drive(turn, (path, heading) => sense.follow(yawOf(heading), path.heading))
          const ours = sense.sign * yawOf(0.7) + sense.zero
          expect(Math.cos(ours - 0.73)).toBeCloseTo(1, 6)
        }
      )
    )
  })

  it("of a yaw is not learnt on a straight", () => {
    const sense = new YawSense()
    for (let n = 0; n < 1000; n++) sense.follow(0.5, 0.5)
    expect(sense.sign).toBeNaN()
  })
})
