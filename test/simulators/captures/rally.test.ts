/** Runs of both DiRT Rallies: the driver's events from real packets. */
import { describe, expect, it } from "vitest"
import { protocol as dirtRally } from "../../../src/simulators/drivers/dirt-rally/DirtRallyDriver.ts"
import { protocol } from "../../../src/simulators/drivers/dirt-rally-2/DirtRally2Driver.ts"
import { protocols as onPort } from "../../../src/simulators/drivers/codemasters/CodemastersDriver.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { linkOptions } from "../drivers/interpreting.ts"
import { samplesOf } from "../drivers/samples.ts"
import { discarded, eventsOf, recorded } from "../drivers/suite/events.ts"
import { timedLaps } from "../drivers/stages.ts"
import { type Captured, haveCaptures, eventsOfCapture, readCapture } from "./captures.ts"
import { rangeOf } from "./oracle.ts"
import { needing } from "../../support/needing.ts"
import { capturesHere } from "../../support/sharedData.ts"

/** The stage time of the last packet, and the first two sectors: by the README 202.2 s. */
const NOORINBEE = 202.209
const newInterpreter = () => protocol.interpreter(linkOptions())

const float = ({ bytes }: Captured, at: number) => bytes.readFloatLE(4 * at)

/** Its vectors point to the left and backwards, and z is up (dirt-rally-1-and-codemasters-264.md, section 3). */
const withAxesOfWrcGenerations = (bytes: Buffer): Buffer => {
  const other = Buffer.from(bytes)
  for (const at of [4, 8, 11, 14]) {
    const sign = at > 10 ? -1 : 1
    const [x, y, z] = [0, 1, 2].map((n) => bytes.readFloatLE(4 * (at + n)))
    ;[x!, -z!, y!].forEach((value, n) => other.writeFloatLE(sign * value, 4 * (at + n)))
  }
  return other
}

describe("a run of Noorinbee Ridge Descent in DiRT Rally 2.0", needing(capturesHere), () => {
  const captured = haveCaptures ? readCapture("dirt-rally-2-noorinbee") : []

  it.each(["silence", "the end of the link"] as const)("is complete with only %s after it", (what) => {
    const interpreter = newInterpreter()
    const events = eventsOfCapture(interpreter, captured)
    expect(eventsOf(events, "LapCompleted")).toEqual([])
    const buffer = new EventBuffer()
    if (what === "silence") for (let second = 1; second <= 3; second++) interpreter.silence?.(second, buffer)
    else interpreter.end?.(buffer)
    events.push(...buffer.take())
    const [session, ...more] = recorded(events)
    expect(more).toEqual([])
    expect(timedLaps(session!)).toEqual([[1, NOORINBEE, true]])
    expect(session!.laps).toHaveLength(1)
    expect(eventsOf(events, "LapCompleted")[0]!.sectors.map((time) => time?.toFixed(2))).toEqual([
      "52.23",
      "55.63",
      "94.34"
    ])
    expect(session!.batch.length + discarded(events)).toBe(12_130)
    expect(discarded(events)).toBe(0)
    expect(eventsOf(events, "Refused")).toEqual([])
    expect(rangeOf(session!.batch, "gear")).toEqual([1, 5])
  })

  it("three times in a row, with a packet of zeros after each, is one session with three laps", () => {
    const interpreter = newInterpreter()
    const zeros = { time: 203, bytes: Buffer.alloc(264) }
    const events = [0, 300, 600].flatMap((after) => eventsOfCapture(interpreter, [...captured, zeros], after))
    const [session, ...more] = recorded(events)
    expect(more).toEqual([])
    expect(timedLaps(session!)).toEqual([1, 2, 3].map((number) => [number, NOORINBEE, true]))
    expect(session!.laps).toHaveLength(3)
    const [x, y] = [session!.batch.column("position_x"), session!.batch.column("position_y")]
    expect(x.some((value, i) => value === 0 && y[i] === 0)).toBe(false)
  })
})

describe("a part of a stage of DiRT Rally (2015)", needing(capturesHere), () => {
  it("is a session of one run that was not finished", () => {
    const interpreter = dirtRally.interpreter(linkOptions())
    const events = eventsOfCapture(interpreter, readCapture("dirt-rally-1-stage"))
    expect(interpreter.simulator()).toBe("DiRT Rally")
    expect(eventsOf(events, "Refused")).toEqual([])
    const buffer = new EventBuffer()
    for (let second = 1; second <= 60; second++) interpreter.silence?.(second, buffer)
    interpreter.end?.(buffer)
    events.push(...buffer.take())
    const [session, ...more] = recorded(events)
    expect(more).toEqual([])
    expect(timedLaps(session!)).toEqual([])
    expect(session!.laps).toMatchObject([{ lapTime: null, valid: false }])
    expect(session!.batch.length).toBe(2627)
    expect(rangeOf(session!.batch, "speed")).toEqual([expect.closeTo(0, 0), expect.closeTo(181.5, 1)])
    expect(rangeOf(session!.batch, "rpm")[1]).toBeCloseTo(8000, 0)
    // The car starts 151.7 m before the line, where the stage's clock begins: there, it has no distance on the stage.
    const known = session!.lapDistance.filter((distance) => !Number.isNaN(distance))
    expect(known.length).toBeGreaterThan(2300)
    expect(Math.min(...known)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...known)).toBeCloseTo(1104.5, 0)
  })
})

/** The directions of a vector in a packet, in our axes: right-handed with z up. */
const ours = (one: Captured, at: number) => [float(one, at), -float(one, at + 2), float(one, at + 1)] as const

/** Packets after which a car turns as it was steered, at 60 Hz. */
const LATER = 12
/** m/s; m/s² to the side; the sine of a degree. */
const FAST = 15
const SIDEWAYS = 4
const STRAIGHT = Math.sin(Math.PI / 180)

/** The angle of a vector in a packet, rad, counter-clockwise. */
const direction = (at: number) => (one: Captured) => {
  const [x, y] = ours(one, at)
  return Math.atan2(y, x)
}
const velocity = direction(8)
const forward = direction(14)

/** The car's turn, rad/s to the right. */
const turnsOf = (captured: ReadonlyArray<Captured>, of: (one: Captured) => number) =>
  captured.map((_, i) => {
    const [before, after] = [captured[Math.max(0, i - 1)]!, captured[Math.min(captured.length - 1, i + 1)]!]
    return -Math.sin(of(after) - of(before)) / (float(after, 0) - float(before, 0))
  })

/** Pearson's correlation. */
const correlation = (pairs: ReadonlyArray<readonly [number, number]>): number => {
  const mean = (of: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[of], 0) / pairs.length
  const [a, b] = [mean(0), mean(1)]
  let [ab, aa, bb] = [0, 0, 0]
  for (const [one, other] of pairs) {
    ab += (one - a) * (other - b)
    aa += (one - a) ** 2
    bb += (other - b) ** 2
  }
  return ab / Math.sqrt(aa * bb)
}

describe.each(["dirt-rally-2-noorinbee", "dirt-rally-1-stage"])("%s", needing(capturesHere), (name) => {
  const captured = haveCaptures ? readCapture(name) : []

  it("is recognised by no other driver, and refused with the axes of WRC Generations", () => {
    const datagrams = captured.map(({ bytes }) => bytes)
    for (const bytes of datagrams) {
      expect(onPort.filter((one) => one.recognises(bytes)).map((one) => one.name)).toEqual(["dirt-rally-2"])
    }
    const other = captured.map(({ bytes, time }) => ({ time, bytes: withAxesOfWrcGenerations(bytes) }))
    const events = eventsOfCapture(newInterpreter(), other)
    const speeds = recorded(events).flatMap(({ batch }) => Array.from(batch.column("speed")))
    // Packets of the standing car at the start may be recorded; none of the driving car.
    expect(Math.max(...speeds)).toBeLessThan(18.1)
    const driving = captured.filter((one) => float(one, 7) > 5).length
    expect(driving).toBeGreaterThan(1000)
    const refused = eventsOf(events, "Refused")
    expect(refused.length).toBe(driving)
    expect(refused[0]!.reason).toContain("WRC Generations")
  })

  it("has a right-handed world: to the right is forward turned clockwise, seen from above", () => {
    for (const one of captured) {
      const [rightX, rightY] = ours(one, 11)
      const [forwardX, forwardY] = ours(one, 14)
      expect(forwardX * rightY - forwardY * rightX).toBeLessThan(0)
    }
  })

  it("has forces that follow its path: to the right in a turn to the right, forward where it gains speed", () => {
    const events = eventsOfCapture(newInterpreter(), captured)
    const { batch } = recorded(events)[0]!
    const samples = samplesOf(events, "motion")
    expect(samples.timestamps).toEqual(batch.timestamps)
    const speed = batch.column("speed")
    const times = batch.timestamps
    const courses = turnsOf(captured, velocity)
    const sideways: Array<readonly [number, number]> = []
    const along: Array<readonly [number, number]> = []
    for (let i = LATER; i + LATER < batch.length; i++) {
      if (speed[i]! < FAST * 3.6) continue
      sideways.push([samples.column("g_lateral")[i]!, (courses[i]! * speed[i]!) / 3.6])
      const gained = (speed[i + LATER]! - speed[i - LATER]!) / (times[i + LATER]! - times[i - LATER]!)
      along.push([samples.column("g_longitudinal")[i]!, gained])
    }
    expect(correlation(sideways)).toBeGreaterThan(0.8)
    expect(correlation(along)).toBeGreaterThan(0.5)
    // Along the car's own directions, and by its nose.
    const [vx, vy] = [samples.column("velocity_x"), samples.column("velocity_y")]
    for (let i = 0; i < batch.length; i += 50) {
      const squares = ["velocity_forward", "velocity_right"].map((name) => samples.column(name)[i]! ** 2)
      expect(Math.sqrt(squares[0]! + squares[1]!)).toBeLessThan(speed[i]! / 3.6 + 0.01)
      const yaw = (samples.column("yaw")[i]! * Math.PI) / 180
      const ahead = vx[i]! * Math.sin(yaw) + vy[i]! * Math.cos(yaw)
      expect(Math.abs(ahead - samples.column("velocity_forward")[i]!)).toBeLessThan(0.05 * speed[i]! + 0.1)
    }
  })

  it("is steered to where it turns a moment later, and to where it bends wherever it does not slide", () => {
    // Rally cars are steered against their slides, so most of a run does not show the sign.
    const steering = recorded(eventsOfCapture(newInterpreter(), captured))[0]!.batch.column("steering")
    const courses = turnsOf(captured, velocity)
    const headings = turnsOf(captured, forward)
    const later: Array<readonly [number, number]> = []
    let [agree, all] = [0, 0]
    for (let i = 0; i + LATER < captured.length; i++) {
      const one = captured[i]!
      const speed = float(one, 7)
      if (speed < FAST) continue
      later.push([steering[i]!, headings[i + LATER]!])
      const slide = Math.abs(Math.sin(velocity(one) - forward(one)))
      if (slide > STRAIGHT || Math.abs(speed * courses[i]!) < SIDEWAYS) continue
      all++
      if (courses[i]! * steering[i]! > 0) agree++
    }
    expect(correlation(later)).toBeGreaterThan(0.5)
    expect(all).toBeGreaterThan(10)
    expect(agree / all).toBeGreaterThan(0.95)
  })
})
