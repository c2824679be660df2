import { describe, expect, it } from "vitest"
import type { Channel } from "../../../src/domain/pointChannels.ts"
import type { Frame } from "../../../simulator/emulators/Emulator.ts"
import { emulator } from "../../../simulator/emulators/gt7/emulator.ts"
import type { Heartbeat } from "../../../src/simulators/drivers/gt7/layout.ts"
import { protocol } from "../../../src/simulators/drivers/gt7/Gt7Driver.ts"
import { Gt7Interpreter } from "../../../src/simulators/drivers/gt7/Gt7Interpreter.ts"
import type { Faults } from "../../../simulator/emulators/faults.ts"
import type { FramesOptions } from "../../../simulator/emulators/frames.ts"
import { wheels } from "../../../simulator/model/chassis.ts"
import { emulate, type Emulated, GAME_RATE, pausedAndRestarted, scene } from "./emulating.ts"
import { bytesOf, fuzz, goldenVectors, haveGolden, interpret, linkOptions, opened } from "./interpreting.ts"
import { discarded, eventsOf, recorded, signedArea } from "./recorded.ts"
import { channelsIn, expectDeclared } from "./telling.ts"

const newInterpreter = () => new Gt7Interpreter(900)
/** A console whose listener asks for one format, whatever the driver would. */
const asked = (heartbeat: Heartbeat) =>
  ({
    emulator: emulator(scene),
    interpreter: (send) => {
      const tick = () => send(Buffer.from(heartbeat, "latin1"))
      return Object.assign(newInterpreter(), {
        tick,
        sendDisconnect: () => {},
        state: () => ({ _tag: "Waiting" }) as const
      })
    }
  }) satisfies Parameters<typeof emulate>[0]

const offBy = (
  { batch }: ReturnType<typeof recorded>[number],
  frames: ReadonlyArray<Frame>,
  channel: Channel,
  of: (frame: Frame) => number
) => {
  const column = batch.column(channel)
  return frames.reduce((most, frame, i) => Math.max(most, Math.abs(column[i]! - of(frame))), 0)
}

/** The console numbers sixty frames a second, and a number is a time. */
const drive = (heartbeat: Heartbeat, frames: Partial<FramesOptions> = {}, faults: Partial<Faults> = {}) =>
  emulate({ ...asked(heartbeat), frames: { rate: GAME_RATE, ...frames }, faults })

const twoLaps = new Map<Heartbeat, Emulated>()
/** Two laps, driven once for all tests that use them. */
const drivenIn = (heartbeat: Heartbeat): Emulated => {
  const known = twoLaps.get(heartbeat) ?? drive(heartbeat, { laps: 2 })
  twoLaps.set(heartbeat, known)
  return known
}

const steeringAngle = ({ steering }: Frame) => steering * 450
const tarmac = () => 84
const zero = () => 0

describe("emulated", () => {
  it.each(["A", "B", "~", "C"] as const)("format %s: two laps", (heartbeat) => {
    const { driven, events, frames } = drivenIn(heartbeat)
    const [session, ...more] = recorded(events)
    expect(more).toEqual([])
    expect(session).toMatchObject({ circuit: "", vehicle: "GT7 car 9002", missing: 0 })
    for (const [n, lap] of driven[0]!.entries()) {
      const { endTime, startTime, ...recordedLap } = session!.laps[n]!
      expect(recordedLap).toMatchObject({
        lapNumber: n + 1,
        lapTime: Math.round(lap.lapTime * 1000) / 1000,
        valid: true
      })
      expect(Math.abs(endTime - startTime - lap.lapTime)).toBeLessThan(heartbeat === "C" ? 0.0011 : 0.034)
    }
    // Ten packets of loading come before, and no points after the flag.
    const racing = frames.slice(10).filter(({ finished }) => !finished)
    const { batch, lapNumber } = session!
    expect(batch.length).toBe(racing.length)
    const off = (channel: Channel, of: (frame: Frame) => number) => offBy(session!, racing, channel, of)
    const zero = batch.timestamps[0]! - racing[0]!.sessionTime
    expect(off("timestamp", ({ sessionTime }) => zero + sessionTime)).toBeLessThan(1e-6)
    expect(off("speed", ({ speed }) => speed)).toBeLessThan(0.0001)
    expect(off("rpm", ({ rpm }) => rpm)).toBeLessThan(0.01)
    expect(off("gear", ({ gear }) => gear)).toBe(0)
    expect(off("throttle", ({ throttle }) => throttle)).toBeLessThan(0.002)
    expect(off("brake", ({ brake }) => brake)).toBeLessThan(0.002)
    const isAbsent = batch.column("steering").every(Number.isNaN)
    expect(isAbsent ? "not reported" : off("steering", ({ steering }) => steering) < 1e-6).toBe(
      heartbeat === "A" ? "not reported" : true
    )
    expect(off("position_x", ({ x }) => x)).toBeLessThan(0.0001)
    expect(off("position_y", ({ y }) => y)).toBeLessThan(0.0001)
    expect(off("position_z", ({ z }) => z)).toBeLessThan(0.0001)
    expect(racing.every(({ lap }, i) => lap.lapNumber === lapNumber[i])).toBe(true)
    const lap2 = batch.pick(lapNumber.flatMap((number, i) => (number === 2 ? [i] : [])))
    const { x, y } = scene.circuit
    const area = signedArea(lap2.column("position_x"), lap2.column("position_y"))
    expect(area / signedArea(x, y)).toBeCloseTo(1, 1)
  })

  it.each([
    ["A", 48],
    ["B", 53],
    ["~", 55],
    ["C", 66]
  ] as const)("format %s: %i channels, each as it was driven", (heartbeat, count) => {
    const emulated = drivenIn(heartbeat)
    expect(channelsIn(emulated.events).size).toBe(count)
    const wheelAngle = (frame: Frame) => steeringAngle(frame) / scene.vehicle.steeringRatio
    const { shiftUp } = scene.vehicle
    expectDeclared(
      emulated,
      GAME_RATE,
      {
        steering_angle: steeringAngle,
        clutch: zero,
        handbrake: zero,
        tc_active: zero,
        boost: "absent",
        engine_speed_fraction: ({ rpm }) => Math.min(1, Math.max(0, (rpm / shiftUp - 0.95) / 0.05)),
        ...Object.fromEntries(wheels.map((wheel) => [`on_kerb_${wheel}`, zero])),
        ...Object.fromEntries(wheels.map((wheel) => [`surface_${wheel}`, tarmac])),
        ...Object.fromEntries(
          wheels.map((wheel) => [
            `suspension_travel_${wheel}`,
            ({ carValue }: Frame) => 250 + carValue(`suspension_travel_${wheel}`)
          ])
        ),
        current_lap: ({ lap }) => lap.lapNumber,
        lap_time_so_far: ({ lapTime }) => lapTime,
        time_of_day: zero,
        session_laps: "absent",
        rpm_max: () => shiftUp,
        fuel_capacity: ({ carValue }) => carValue("fuel") / carValue("fuel_fraction"),
        gt7_body_height: ({ carValue }) => (carValue("ride_height_front") + carValue("ride_height_rear")) / 2,
        gt7_clutch_engagement: () => 1,
        gt7_clutch_rpm: ({ rpm }) => rpm,
        gt7_suggested_gear: "absent",
        gt7_top_speed: "absent",
        gt7_rev_limiter: zero,
        gt7_asm_active: zero,
        gt7_lights: zero,
        gt7_steering_rate: ({ index }) =>
          (steeringAngle(emulated.frames[index]!) - steeringAngle(emulated.frames[index - 1]!)) * GAME_RATE,
        gt7_throttle_pressed: ({ throttle }) => throttle,
        gt7_brake_applied: ({ brake }) => brake,
        gt7_wheel_angle_fl: wheelAngle,
        gt7_wheel_angle_fr: wheelAngle
      },
      { engine_speed_fraction: 0.01, gt7_throttle_pressed: 0.002, gt7_brake_applied: 0.002, rpm_max: 0.5 }
    )
  })

  it("asks for format B by itself, and goes on asking", () => {
    const beats: Array<string> = []
    const { events, frames } = emulate({
      emulator: emulator(scene),
      interpreter: (send) =>
        opened(protocol.conversation(linkOptions()), (bytes) => {
          beats.push(Buffer.from(bytes).toString("latin1"))
          send(bytes)
        }),
      frames: { laps: 1, rate: GAME_RATE }
    })
    expect(new Set(beats)).toEqual(new Set(["B"]))
    expect(beats.length).toBeGreaterThan(frames.length / GAME_RATE / 6)
    expect(recorded(events)[0]!.missing).toBe(0)
    expect(recorded(events)[0]!.laps[0]).toMatchObject({ lapNumber: 1, valid: true })
  })

  it("loses, reorders and repeats datagrams: the laps stay right, and lost ones are counted", () => {
    const faults = { loss: 0.02, reorder: 0.02, duplicate: 0.02, garbage: 0.01 }
    const { driven, events, frames } = drive("B", {}, faults)
    const sessions = recorded(events)
    expect(sessions).toHaveLength(1)
    const { batch, laps, missing } = sessions[0]!
    for (const [n, lap] of driven[0]!.entries()) {
      expect(laps[n]).toMatchObject({
        lapNumber: n + 1,
        lapTime: Math.round(lap.lapTime * 1000) / 1000,
        valid: true
      })
    }
    const racing = frames.slice(10).filter(({ finished }) => !finished).length
    // A packet that was overtaken counts as missing, and as late when it comes.
    expect(Math.abs(batch.length + missing - racing)).toBeLessThan(10)
    expect(missing).toBeGreaterThan(racing * 0.02)
    expect(discarded(events)).toBeGreaterThan(racing * 0.03)
    expect(eventsOf(events, "Refused").length).toBeGreaterThan(racing * 0.005)
  })

  it("pauses without a gap, and restarts with another session", () => {
    const { driven, events } = drive("B", pausedAndRestarted)
    const sessions = recorded(events)
    expect(sessions).toHaveLength(2)
    expect(driven[0]!.length).toBeGreaterThan(0)
    for (const [s, session] of sessions.entries()) {
      const timed = session.laps.filter((lap) => lap.lapTime !== null)
      expect(timed).toHaveLength(driven[s]!.length)
      for (const [n, lap] of driven[s]!.entries()) {
        expect(timed[n]).toMatchObject({ lapNumber: n + 1, valid: true })
        expect(timed[n]!.lapTime).toBeCloseTo(lap.lapTime, 3)
      }
      expect(session.missing).toBe(0)
      const times = session.batch.timestamps
      expect(times.every((time, i) => i === 0 || time - times[i - 1]! < 0.017)).toBe(true)
    }
    expect(sessions[1]!.batch.timestamps[0]).toBeGreaterThan(sessions[0]!.batch.timestamps.at(-1)!)
  })
})

it("never throws, whatever the bytes, encrypted or not", () => {
  const sent: Array<Buffer> = []
  for (const heartbeat of ["A", "B", "~", "C"] as const) {
    const { arrived } = drive(heartbeat, { laps: 1, rate: 10 })
    sent.push(...arrived.slice(0, 100).map(({ bytes }) => bytes))
  }
  const golden = haveGolden ? goldenVectors("gt7.json").map(bytesOf) : []
  fuzz(newInterpreter, [...sent, ...golden], 14_000)
  expect(eventsOf(interpret(newInterpreter(), [Buffer.alloc(7)]), "Refused")).toHaveLength(1)
})
