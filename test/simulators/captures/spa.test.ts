/** A replay of a lap of Spa in Gran Turismo 7: the driver's events from real packets, compared with the circuit. */
import { describe, expect, it } from "vitest"
import type { Channel } from "../../../src/domain/pointChannels.ts"
import { wheels } from "../../../simulator/model/chassis.ts"
import { encrypt } from "../../../simulator/emulators/gt7/packets.ts"
import { protocol as gt7 } from "../../../src/simulators/drivers/gt7/Gt7Driver.ts"
import { linkOptions, opened } from "../drivers/interpreting.ts"
import { eventsOf, recorded } from "../drivers/suite/events.ts"
import { channelsIn } from "../drivers/suite/channels.ts"
import { meanOf, namesWith, rateOf, spanOf, together, valuesOf } from "./statistics.ts"
import { eventsOfCapture, readCapture } from "./captures.ts"
import { expectOnCircuit, lapOf, rangeOf, steeredOf } from "./oracle.ts"
import { needing } from "../../support/needing.ts"
import { capturesHere } from "../../support/sharedData.ts"

const captured = () =>
  readCapture("gt7-spa-format-c-plain").map(({ bytes, time }) => ({ time, bytes: encrypt(bytes, "C") }))
const played = (replays?: boolean) => {
  const options = replays === undefined ? {} : { replays }
  return eventsOfCapture(opened(gt7.conversation(linkOptions({ options }))), captured())
}

describe("a lap of Spa in Gran Turismo 7", needing(capturesHere), () => {
  it("is not recorded unless the user asks for replays", () => {
    for (const events of [played(), played(false)]) expect(events).toEqual([])
  })

  it("is one session with the lap's time", () => {
    const events = played(true)
    const [session, ...more] = recorded(events)
    expect(more).toEqual([])
    expect(eventsOf(events, "SessionStarted")).toHaveLength(1)
    expect(eventsOf(events, "LapCompleted")).toHaveLength(1)
    expect(eventsOf(events, "SessionEnded")).toEqual([])
    expect(session!.vehicle).toBe("GT7 car 3582")
    expect(session!.laps.map(({ lapNumber, lapTime }) => [lapNumber, lapTime])).toEqual([
      [1, 115.244],
      [2, null]
    ])
    expect(session!.batch.length).toBe(6914)
    expect(session!.missing).toBe(0)
    expect(rangeOf(session!.batch, "speed")).toEqual([expect.closeTo(65, 0), expect.closeTo(318, 0)])
  })

  it("lies on Spa, and is steered to where it bends", () => {
    const lap = lapOf(recorded(played(true))[0]!, 1)
    expectOnCircuit(lap, "Spa")
    const { left, right, share } = steeredOf(lap)
    expect(share).toBeGreaterThan(0.95)
    expect(Math.min(left, right)).toBeGreaterThan(500)
  })

  describe("has channels", () => {
    const HZ = 60
    const events = capturesHere.missing === undefined ? played(true) : []
    const reported = channelsIn(events)
    const of = (name: string) => valuesOf(reported, name)
    const points = recorded(events)[0]?.batch
    const point = (channel: Channel) => Array.from(points!.column(channel))
    const speed = points === undefined ? [] : point("speed")
    const difference = (a: string, b: string) => of(a).map((value, i) => value - of(b)[i]!)

    it("in every packet", () => {
      expect(reported.size).toBe(66)
      expect([...reported.values()].every(({ values }) => values.length === 6914)).toBe(true)
      expect(namesWith(reported, Number.isNaN)).toEqual([
        "best_lap_time",
        "gt7_suggested_gear",
        "session_laps"
      ])
      expect(namesWith(reported, Number.isFinite)).toHaveLength(66 - 3 - 1)
      expect(new Set(of("last_lap_time"))).toEqual(new Set([Number.NaN, 115.244]))
    })

    it("with velocities and an attitude that follow the driven path", () => {
      for (const axis of ["x", "y", "z"] as const) {
        const { r, slope } = together(of(`velocity_${axis}`), rateOf(point(`position_${axis}`), HZ, 1))
        expect(r).toBeGreaterThan(0.999)
        expect(slope).toBeCloseTo(1, 1)
      }
      // A car slides by some degrees at most.
      const heading = of("velocity_x").map((x, i) => (Math.atan2(x, of("velocity_y")[i]!) * 180) / Math.PI)
      const drifts = of("yaw").map((yaw, i) => ((yaw - heading[i]! + 900) % 360) - 180)
      expect(Math.max(...drifts.map(Math.abs))).toBeLessThan(15)
      const slope = of("velocity_z").map((up, i) => (Math.asin((up * 3.6) / speed[i]!) * 180) / Math.PI)
      expect(together(slope, of("pitch")).r).toBeGreaterThan(0.99)
      // The body leans with the road, and out of the bends.
      expect(
        together(of("g_lateral"), difference("suspension_travel_fl", "suspension_travel_fr")).r
      ).toBeGreaterThan(0.85)
    })

    it("with forces and rates that follow the velocities and the attitude", () => {
      const lateral = of("yaw_rate").map((rate, i) => ((rate * Math.PI) / 180) * (speed[i]! / 3.6))
      expect(together(of("g_lateral"), lateral)).toMatchObject({ r: expect.closeTo(1, 1) })
      expect(together(of("g_lateral"), lateral).slope).toBeCloseTo(9.8, 0)
      const along = rateOf(speed, HZ).map((kmh) => kmh / 3.6 / 9.80665)
      expect(together(of("g_longitudinal"), along).r).toBeGreaterThan(0.98)
      // Where a crest lets the car fall, it is driven downwards.
      expect(together(of("g_vertical"), rateOf(of("velocity_z"), HZ)).r).toBeGreaterThan(0.8)
      const yaw = of("yaw").reduce<Array<number>>((all, value) => {
        const last = all.at(-1) ?? value
        return [...all.slice(-1), last + ((((value - last) % 360) + 540) % 360) - 180]
      }, [])
      // A full turn to the right, clockwise.
      expect(yaw.at(-1)! - of("yaw")[0]!).toBeCloseTo(360, -1)
      for (const name of ["pitch", "roll"]) {
        expect(together(of(`${name}_rate`), rateOf(of(name), HZ, 2)).r).toBeGreaterThan(0.75)
      }
    })

    it("with wheels in their order: larger behind, outer ones faster, front ones that brake", () => {
      for (const wheel of wheels) {
        const ratio = of(`wheel_speed_${wheel}`).map((tread, i) => tread / speed[i]!)
        expect(ratio.reduce((a, b) => a + b) / ratio.length).toBeCloseTo(1, 1)
        const radius = of(`wheel_speed_${wheel}`)[0]! / 3.6 / of(`wheel_rotation_${wheel}`)[0]!
        expect(radius).toBeCloseTo(wheel.startsWith("f") ? 0.355 : 0.3775, 5)
        const [least, most] = spanOf(reported, `tyre_surface_temperature_${wheel}`)
        expect([least > 60, most < 120]).toEqual([true, true])
      }
      // Outer front wheels are faster where the car does not brake; its rear wheels turn together.
      const rolling = of("g_longitudinal").flatMap((g, i) => (g > -0.2 ? [i] : []))
      const faster = difference("wheel_speed_fl", "wheel_speed_fr")
      for (const side of [1, -1]) {
        const bend = rolling.filter((i) => of("yaw_rate")[i]! * side > 15).map((i) => faster[i]! * side)
        expect(meanOf(bend)).toBeGreaterThan(0.1)
      }
      const dive = of("suspension_travel_fl").map((travel, i) => travel - of("suspension_travel_rl")[i]!)
      expect(together(of("g_longitudinal"), dive).r).toBeLessThan(-0.5)
    })

    it("with a wheel, pedals, an engine and kerbs", () => {
      expect(together(of("steering_angle"), point("steering")).r).toBeGreaterThan(0.999)
      expect(together(of("steering_angle"), of("gt7_wheel_angle_fl")).r).toBeGreaterThan(0.8)
      expect(together(rateOf(of("steering_angle"), HZ, 1), of("gt7_steering_rate")).r).toBeGreaterThan(0.95)
      expect(together(point("throttle"), of("gt7_throttle_pressed")).r).toBeGreaterThan(0.85)
      expect(together(point("brake"), of("gt7_brake_applied")).r).toBeGreaterThan(0.9)
      expect(together(of("clutch"), of("gt7_clutch_engagement")).r).toBeLessThan(-0.99)
      // A turbo's vacuum and boost, bar above a vacuum in the packets.
      const [vacuum, boost] = spanOf(reported, "boost")
      expect([Math.round(vacuum), Math.round(boost)]).toEqual([-94, 390])
      expect(spanOf(reported, "oil_pressure").map(Math.round)).toEqual([649, 800])
      expect(spanOf(reported, "fuel_fraction")).toEqual([1, 1])
      for (const wheel of wheels) {
        expect(new Set(of(`surface_${wheel}`))).toEqual(new Set([84, 67, 71]))
        expect(of(`on_kerb_${wheel}`)).toEqual(of(`surface_${wheel}`).map((code) => (code === 67 ? 1 : 0)))
      }
      expect(of("lap_time_so_far")[6000]).toBeCloseTo(100, 0)
      expect(of("time_of_day")[0]).toBe(18.25 * 3600)
      expect(of("last_lap_time").at(-1)).toBe(115.244)
    })
  })
})
