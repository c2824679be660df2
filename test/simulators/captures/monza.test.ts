/** A lap of Monza in Assetto Corsa: the driver's events from real packets, compared with the circuit itself. */
import { describe, expect, it } from "vitest"
import { wheels } from "../../../simulator/model/chassis.ts"
import { encodeAnswer } from "../../../simulator/emulators/assetto-corsa/encode.ts"
import { AssettoCorsaInterpreter } from "../../../src/simulators/drivers/assetto-corsa/AssettoCorsaInterpreter.ts"
import { linkOptions, opened } from "../drivers/interpreting.ts"
import { discarded, eventsOf, recorded } from "../drivers/suite/events.ts"
import { channelsIn } from "../drivers/suite/channels.ts"
import { differenceOf, meanOf, namesWith, spanOf, together, valuesOf } from "./statistics.ts"
import { eventsOfCapture, readCapture } from "./captures.ts"
import { expectOnCircuit, lapOf, rangeOf, steeredOf } from "./oracle.ts"
import { needing } from "../../support/needing.ts"
import { capturesHere } from "../../support/sharedData.ts"

const played = () => {
  const interpreter = opened(new AssettoCorsaInterpreter(linkOptions()))
  const names = { carName: "ks_audi_r8_lms", driverName: "Ana", trackName: "monza", trackConfig: "" }
  const captured = readCapture("assetto-corsa-monza")
  return eventsOfCapture(interpreter, [{ time: 0, bytes: encodeAnswer(names) }, ...captured])
}

describe("a lap of Monza in Assetto Corsa", needing(capturesHere), () => {
  it("is one session with the lap's official time, and the driven part of the next lap", () => {
    const events = played()
    const [session, ...more] = recorded(events)
    expect(more).toEqual([])
    expect(eventsOf(events, "Refused")).toEqual([])
    expect(session!.reported.map(({ lapNumber, lapTime }) => [lapNumber, lapTime])).toEqual([[1, 344.684]])
    expect(session!.laps.map(({ lapNumber, lapTime, valid }) => [lapNumber, lapTime, valid])).toEqual([
      // Recorded from 212 s on.
      [1, 344.684, false],
      [2, null, false]
    ])
    // Where straight lines between packets meet thirds of carPositionNormalized: computed from the file by other code.
    expect(session!.reported[0]!.sectors).toEqual([259.874973, 42.935538, expect.closeTo(41.873489, 6)])
    expect(session!.laps[0]!.sectorSource).toBe("derived")
    const { batch } = session!
    expect(rangeOf(batch, "speed")).toEqual([expect.closeTo(0, 2), expect.closeTo(252.2, 1)])
    expect(rangeOf(batch, "rpm")).toEqual([expect.closeTo(1700, -1), expect.closeTo(7959, 0)])
    expect(rangeOf(batch, "gear")).toEqual([0, 5])
    expect(rangeOf(batch, "throttle")).toEqual([0, 1])
    // The packets of the pause of 12 s at the end, which are all equal, are neither points nor a gap.
    expect(batch.length + discarded(events)).toBeLessThanOrEqual(8641)
    const steps = batch.timestamps.slice(1).map((time, i) => time - batch.timestamps[i]!)
    expect(Math.max(...steps)).toBeLessThan(0.3)
  })

  it("lies on Monza, and is steered to where it bends", () => {
    const lap = lapOf(recorded(played())[0]!, 1)
    expectOnCircuit(lap, "Monza")
    const { left, right, share } = steeredOf(lap)
    expect(share).toBeGreaterThan(0.95)
    expect(Math.min(left, right)).toBeGreaterThan(500)
  })

  describe("has channels", () => {
    const events = capturesHere.missing === undefined ? played() : []
    const reported = channelsIn(events)
    const points = recorded(events)[0]?.batch
    const speed = points === undefined ? [] : Array.from(points.column("speed"))
    const times = points === undefined ? [] : Array.from(points.timestamps)
    /** Rows of a car that drives. */
    const driving = speed.flatMap((kmh, i) => (kmh > 54 ? [i] : []))
    const all = (name: string) => valuesOf(reported, name)
    const of = (name: string) => driving.map((i) => all(name)[i]!)
    it("in every packet that is a point", () => {
      expect(reported.size).toBe(65)
      expect([...reported.values()].every(({ values }) => values.length === points!.length)).toBe(true)
      // Two lap times, and four slip angles.
      expect(namesWith(reported, Number.isFinite)).toHaveLength(65 - 6)
      const isAbsent = all("slip_angle_fl").map(Number.isNaN)
      expect(isAbsent).toEqual(speed.map((kmh) => kmh / 3.6 < 2))
    })

    it("with forces that follow the driven path", () => {
      const x = Array.from(points!.column("position_x"))
      const y = Array.from(points!.column("position_y"))
      const along = driving.map((i) => {
        const [before, after] = [Math.max(0, i - 8), Math.min(speed.length - 1, i + 8)]
        return (speed[after]! - speed[before]!) / 3.6 / (times[after]! - times[before]!) / 9.80665
      })
      const forward = together(along, of("g_longitudinal"))
      expect(forward.r).toBeGreaterThan(0.9)
      expect(forward.slope).toBeCloseTo(1, 0)
      const across = driving.map((i) => {
        const [a, b] = [Math.max(0, i - 20), Math.min(speed.length - 1, i + 20)]
        const [before, after] = [
          Math.atan2(x[i]! - x[a]!, y[i]! - y[a]!),
          Math.atan2(x[b]! - x[i]!, y[b]! - y[i]!)
        ]
        const turned = ((after - before + 3 * Math.PI) % (2 * Math.PI)) - Math.PI
        return (turned * speed[i]!) / 3.6 / ((times[b]! - times[a]!) / 2) / 9.80665
      })
      const sideways = together(across, of("g_lateral"))
      expect(sideways.r).toBeGreaterThan(0.85)
      expect(sideways.slope).toBeCloseTo(1, 0)
      const load = driving.map((i) => wheels.reduce((sum, wheel) => sum + all(`wheel_load_${wheel}`)[i]!, 0))
      expect(together(of("g_vertical"), load).r).toBeGreaterThan(0.5)
      expect(Math.abs(meanOf(of("g_vertical")))).toBeLessThan(0.1)
    })

    it("with wheels in their order: outer ones loaded in bends, front ones under braking", () => {
      const load = (wheel: string) => of(`wheel_load_${wheel}`)
      expect(together(of("g_lateral"), differenceOf(load("fl"), load("fr"))).r).toBeGreaterThan(0.8)
      expect(together(of("g_lateral"), differenceOf(load("rl"), load("rr"))).r).toBeGreaterThan(0.8)
      expect(together(of("g_longitudinal"), differenceOf(load("fl"), load("rl"))).r).toBeLessThan(-0.3)
      for (const wheel of wheels) {
        const ratio = of(`wheel_speed_${wheel}`).map((tread, i) => tread / speed[driving[i]!]!)
        expect(meanOf(ratio)).toBeCloseTo(1, 1)
        expect(together(of(`wheel_load_${wheel}`), of(`suspension_travel_${wheel}`)).r).toBeGreaterThan(0.5)
        // To the left of where it points, in right-hand bends.
        expect(together(of("g_lateral"), of(`slip_angle_${wheel}`)).r).toBeLessThan(-0.5)
        const [locked, spinning] = spanOf(reported, `slip_ratio_${wheel}`)
        expect([locked >= -1.01, locked < 0, spinning > 0]).toEqual([true, true, true])
        expect(meanOf(of(`camber_${wheel}`))).toBeCloseTo(-3.4, -1)
        const [clean, dirty] = spanOf(reported, `tyre_dirt_${wheel}`)
        expect([clean >= 0, dirty <= 1]).toEqual([true, true])
      }
    })

    it("with a wheel, pedals and laps", () => {
      expect(together(of("g_lateral"), of("steering_angle")).r).toBeGreaterThan(0.5)
      expect(spanOf(reported, "clutch")).toEqual([0, 1])
      for (const name of ["abs_active", "tc_active", "in_pit"])
        expect(new Set(all(name))).toEqual(new Set([0, 1]))
      expect([...new Set(all("laps_completed"))]).toEqual([0, 1])
      expect([...new Set(all("current_lap"))]).toEqual([1, 2])
      expect([...new Set(all("last_lap_time"))].at(-1)).toBe(344.684)
      const [first, last] = spanOf(reported, "lap_fraction")
      expect([first >= 0, last <= 1, last > 0.99]).toEqual([true, true, true])
    })
  })
})
