/** Assetto Corsa Competizione: laps, and whole drives with the emulator. */
import { describe, expect, it } from "vitest"
import { accEmulator, type AccOptions } from "../../../simulator/emulators/acc/AccEmulator.ts"
import type { Faults } from "../../../simulator/emulators/faults.ts"
import type { FramesOptions } from "../../../simulator/emulators/frames.ts"
import { AccInterpreter } from "../../../src/simulators/drivers/acc/AccInterpreter.ts"
import { answers, car, drive, lap, link, timed, update } from "./accLink.ts"
import { emulate, RATE, scene } from "./emulating.ts"
import { linkOptions, opened } from "./interpreting.ts"
import { column, falls, late, only, story, turning } from "./said.ts"

const lapsOf = (datagrams: ReadonlyArray<Buffer>) =>
  only(link().hears([...answers, ...datagrams]), "LapCompleted")

/** A first lap of 4 s, and a part of the second. */
const first = drive(0, 0, 4000, 0)
const second = (more: Parameters<typeof drive>[4]) => drive(1, 20, 3000, 4000, more)

describe("laps", () => {
  it("have the simulator's times, sectors and validity", () => {
    const [reported, ...more] = lapsOf([...first, ...second({ lastLap: timed(4003) })])
    expect(more).toEqual([])
    expect(reported).toMatchObject({ lapNumber: 1, lapTime: 4.003, sectors: [1, 1, 2.003], valid: true })
    expect(reported!.end! - reported!.start!).toBeCloseTo(4.003, 6)
  })

  it.each([{ isInvalid: true }, { isOutlap: true }, { isInlap: true }])("do not count with %j", (flag) => {
    expect(lapsOf([...first, ...second({ lastLap: timed(4003, flag) })])[0]).toMatchObject({
      lapTime: 4.003,
      valid: false
    })
  })

  it("wait for a time that is reported some packets later", () => {
    const stale = [update(4020), car(1, 20, { lastLap: timed(4100) })]
    const before = drive(0, 0, 4000, 0, { lastLap: timed(4100) })
    expect(lapsOf([...before, ...stale])).toEqual([])
    const laps = lapsOf([...before, ...stale, ...drive(1, 40, 100, 4000, { lastLap: timed(4003) })])
    expect(laps.map(({ lapTime }) => lapTime)).toEqual([4.003])
  })

  it("have no time where none is reported, nor sectors that do not exist", () => {
    expect(lapsOf([...first, ...second({})])).toEqual([
      expect.objectContaining({ lapTime: null, sectors: [null, null, null], valid: false })
    ])
    const two = lap({ laptimeMs: 4003, splits: [1500, 2503] })
    expect(lapsOf([...first, ...second({ lastLap: two })])[0]).toMatchObject({ sectors: [1.5, 2.503, null] })
  })

  it("end in time where the current lap's time comes a packet later", () => {
    const crossing = [update(4020), car(1, 4020, { lastLap: timed(4003) })]
    const [reported] = lapsOf([...first, ...crossing, ...drive(1, 40, 100, 4000, { lastLap: timed(4003) })])
    expect(reported!.lapTime).toBe(4.003)
    expect(reported!.end! - reported!.start!).toBeCloseTo(4.003, 6)
    expect(reported!.end! - 100).toBeCloseTo(4.02, 0)
  })

  it("are not disturbed by updates from before the line that arrive after it", () => {
    const said = link().hears([
      ...answers,
      ...first.slice(0, -4),
      update(4020),
      car(1, 20, { lastLap: timed(4003) }),
      update(4040),
      car(0, 3960),
      car(0, 3980),
      car(1, 40, { lastLap: timed(4003) }),
      ...drive(1, 60, 200, 4000, { lastLap: timed(4003) })
    ])
    expect(story(said)).toEqual(["SessionStarted", 198, "LapCompleted", 9])
    expect(column(said, "position_x").slice(198)).toEqual([20, 40, 60, 80, 100, 120, 140, 160, 180])
    expect(late(said)).toBe(2)
  })
})

const driven = (
  faults: Partial<Faults>,
  frames: Partial<FramesOptions> = {},
  options: Partial<AccOptions> = {}
) =>
  emulate({
    emulator: accEmulator(scene, options),
    interpreter: (send) => opened(new AccInterpreter(linkOptions({ options: { password: "asd" } })), send),
    faults,
    frames
  })

const ms = (seconds: number | null) => Math.round(seconds! * 1000)

/** The times, sectors and validity of the driven laps. */
const truths = (laps: ReturnType<typeof driven>["driven"][number]) =>
  laps.map(({ lapTime, sectors: [one, two], valid }) => {
    const thirds = [ms(one), ms(two), ms(lapTime) - ms(one) - ms(two)]
    return [ms(lapTime), ...thirds, valid]
  })

const reported = (events: ReturnType<typeof driven>["events"]) =>
  only(events, "LapCompleted").map(({ lapTime, sectors, valid }) => [ms(lapTime), ...sectors.map(ms), valid])

describe("a drive of three laps", () => {
  it("is recorded as it was driven", () => {
    const { driven: sessions, events, frames } = driven({})
    expect(only(events, "SessionStarted")).toEqual([
      expect.objectContaining({
        circuit: scene.circuit.name,
        vehicle: "Ferrari 296 GT3",
        driver: scene.driver,
        circuitLength: Math.round(scene.circuit.length)
      })
    ])
    expect(reported(events)).toEqual(truths(sessions[0]!))
    for (const { end, lapTime, start } of only(events, "LapCompleted").slice(1)) {
      expect(end! - start!).toBeCloseTo(lapTime!, 3)
    }
    // The driver asks for an update every 16 ms: it gets every frame at 60 Hz until all cars have finished.
    const [speeds, xs, ys] = [
      column(events, "speed"),
      column(events, "position_x"),
      column(events, "position_y")
    ]
    expect(speeds.length).toBeGreaterThan(frames.length - 60)
    const begin = frames.findIndex(({ x }) => Math.abs(x - xs[0]!) < 1e-3)
    speeds.forEach((speed, n) => {
      expect(Math.abs(speed - frames[begin + n]!.speed)).toBeLessThanOrEqual(0.5)
      expect(xs[n]).toBeCloseTo(frames[begin + n]!.x, 3)
      expect(ys[n]).toBeCloseTo(frames[begin + n]!.y, 3)
    })
    const lapTwo = frames.flatMap((frame, n) => (frame.lap.lapNumber === 2 ? [n] : []))
    const recorded = turning(
      lapTwo.map((n) => xs[n - begin]!),
      lapTwo.map((n) => ys[n - begin]!)
    )
    const truth = turning(
      lapTwo.map((n) => frames[n]!.x),
      lapTwo.map((n) => frames[n]!.y)
    )
    expect(recorded / truth).toBeCloseTo(1, 5)
    expect(only(events, "Refused")).toEqual([])
  })

  it.each([60, 20])("has its laps at %d Hz with loss, reordering and duplicates", (rate) => {
    const faults = { loss: 0.02, reorder: 0.02, duplicate: 0.02, garbage: 0.01 }
    const { driven: sessions, events, frames } = driven(faults, { rate })
    expect(only(events, "SessionStarted")).toHaveLength(1)
    expect(reported(events)).toEqual(truths(sessions[0]!))
    expect(falls(column(events, "timestamp"))).toBe(0)
    expect(column(events, "timestamp").length / frames.length).toBeGreaterThan(0.9)
  })

  it("has its laps with a pause and a restart in the middle", () => {
    const interrupted = { pauses: [{ at: 20, seconds: 8 }], restarts: [110] }
    const { driven: sessions, events } = driven({ loss: 0.02, reorder: 0.02 }, interrupted)
    expect(only(events, "SessionStarted")).toHaveLength(2)
    expect(sessions.map((laps) => laps.length > 0)).toEqual([true, true])
    expect(reported(events)).toEqual(truths(sessions.flat()))
    expect(falls(column(events, "timestamp"))).toBe(0)
  })

  it("waits for a game that is loading", () => {
    const { events, frames } = driven({}, { laps: 1 }, { deaf: 3 })
    expect(only(events, "SessionStarted")).toHaveLength(1)
    expect(column(events, "timestamp").length).toBeGreaterThan(frames.length - 300)
  })

  it("sends each at the interval that was asked for", () => {
    const emulated = emulate({
      emulator: accEmulator(scene),
      interpreter: (send) =>
        opened(new AccInterpreter(linkOptions({ rate: 10, options: { password: "asd" } })), send),
      frames: { laps: 1 }
    })
    const { frames, events } = emulated
    expect(column(events, "timestamp").length / frames.length).toBeCloseTo(10 / RATE, 1)
    expect(reported(events)).toEqual(truths(emulated.driven[0]!))
  })

  it("is not begun with a wrong password", () => {
    const { arrived, events } = driven({}, { laps: 1 }, { password: "other" })
    expect(events).toEqual([])
    expect(arrived).toHaveLength(1)
    expect(arrived[0]!.bytes.toString("latin1")).toContain("Wrong password")
  })
})
