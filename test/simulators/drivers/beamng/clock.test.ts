/** BeamNG.drive's clock: the time of arrival, if datagrams arrive when they are sent. */
import { describe, expect, it } from "vitest"
import type { Moving } from "../../../../src/simulators/packets/Moving.ts"
import { MotionClock } from "../../../../src/simulators/drivers/beamng/MotionClock.ts"

const SPEED = 50
const HZ = 50
/** The place of a car after so many steps. */
const motion = (steps: number, speed = SPEED): Moving => ({
  x: (steps / HZ) * SPEED,
  y: 0,
  z: 0,
  velocityX: speed,
  velocityY: 0,
  velocityZ: 0
})

/** The clock's times of steps of the drive, each at its arrival. */
const times = (arrivals: ReadonlyArray<readonly [steps: number, arrival: number, speed?: number]>) => {
  const clock = new MotionClock()
  return arrivals.map(([steps, arrival, speed]) => clock.at(motion(steps, speed), arrival))
}

const steps = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)
const onTime = (from: number, to: number, delay = 0) =>
  steps(from, to).map((n) => [n, n / HZ + delay] as const)

describe("the clock of a car's motion", () => {
  it("follows the arrivals if datagrams arrive when they are sent, and some are lost", () => {
    const arrivals = onTime(0, 200).filter(([n]) => n % 7 !== 0)
    expect(times(arrivals)).toEqual(arrivals.map(([, arrival]) => arrival))
  })

  it("goes on while the service is held up", () => {
    const held = steps(100, 300).map((n) => [n, 6 + n * 1e-6] as const)
    const reported = times([...onTime(0, 100), ...held, ...onTime(300, 400)])
    reported.forEach((time, n) => expect(Math.abs(time - n / HZ)).toBeLessThan(0.021))
    expect(reported.slice(310)).toEqual(onTime(310, 400).map(([, arrival]) => arrival))
  })

  it("follows the arrivals again after a hold-up of more datagrams than the socket holds", () => {
    const held = steps(100, 150).map((n) => [n, 6 + n * 1e-6] as const)
    const reported = times([...onTime(0, 100), ...held, ...onTime(300, 400)])
    expect(reported[149]).toBeCloseTo(149 / HZ, 3)
    expect(reported.slice(150)).toEqual(onTime(300, 400).map(([, arrival]) => arrival))
  })

  it("stands in a short pause, whether the game goes on sending or not", () => {
    const again = steps(0, 40).map((n) => [99, (100 + n) / HZ] as const)
    for (const pause of [[], again]) {
      const reported = times([...onTime(0, 100), ...pause, ...onTime(100, 300, 0.8)])
      expect(reported.at(-1)! - reported[99]!).toBeCloseTo(4, 6)
    }
  })

  it("has a gap for a longer pause", () => {
    const reported = times([...onTime(0, 100), ...onTime(100, 300, 8)])
    expect(reported.at(-1)).toBeCloseTo(299 / HZ + 8, 6)
    const longest = Math.max(...reported.slice(1).map((time, n) => time - reported[n]!))
    expect(longest).toBeGreaterThan(8)
  })

  it("follows the arrivals for a car that stands", () => {
    const arrivals = steps(0, 100).map((n) => [0, n < 50 ? n / HZ : n / HZ + 3, 0] as const)
    expect(times(arrivals)).toEqual(arrivals.map(([, arrival]) => arrival))
  })

  it("gives its time to packets that come beside the motions", () => {
    const clock = new MotionClock()
    expect(clock.beside(3)).toBe(3)
    clock.at(motion(0), 4)
    expect(clock.beside(4.001)).toBeCloseTo(4.001, 9)
    // The packet was held up, and its own motion was lost.
    expect(clock.beside(9)).toBeCloseTo(4.03, 9)
    for (let n = 0; n < 10; n++) clock.beside(9 + n / HZ)
    // No motion comes any more.
    expect(clock.beside(10)).toBe(10)
  })
})
