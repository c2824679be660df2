/** Assetto Corsa: laps, restarts and stragglers; and whole drives with the emulator. */
import { describe, expect, it } from "vitest"
import { assettoCorsaEmulator } from "../../../simulator/emulators/assetto-corsa/AssettoCorsaEmulator.ts"
import { encodeSpot } from "../../../simulator/emulators/assetto-corsa/encode.ts"
import type { Frame } from "../../../simulator/emulators/Emulator.ts"
import type { Faults } from "../../../simulator/emulators/faults.ts"
import type { FramesOptions } from "../../../simulator/emulators/frames.ts"
import { AssettoCorsaInterpreter } from "../../../src/simulators/drivers/assetto-corsa/AssettoCorsaInterpreter.ts"
import { answer, car, drive, link, names } from "./assettoCorsaLink.ts"
import { emulate, scene } from "./emulating.ts"
import { linkOptions, opened } from "./interpreting.ts"
import { column, falls, late, only, story, turning } from "./said.ts"

const lapsOf = (datagrams: ReadonlyArray<Buffer>) =>
  only(link().hears([answer(), ...datagrams]), "LapCompleted")

/** Three seconds and 15 ms, of which 3 s are seen. */
const LAP = 3015
const next = (lapCount: number, lastLap: number) => drive(lapCount, 5, 3000, { lastLap })

describe("laps", () => {
  it("have the simulator's time, and span it to the millisecond", () => {
    const said = link().hears([answer(), ...drive(0, 0, 3000), ...next(1, LAP), ...next(2, 3012)])
    const laps = only(said, "LapCompleted")
    expect(laps.map(({ lapNumber, lapTime }) => [lapNumber, lapTime])).toEqual([
      [1, 3.015],
      [2, 3.012]
    ])
    for (const { end, lapTime, sectors, start, valid } of laps) {
      expect(end! - start!).toBeCloseTo(lapTime!, 9)
      expect(sectors).toEqual([null, null, null])
      expect(valid).toBeUndefined()
    }
    expect(laps[1]!.start).toBeCloseTo(laps[0]!.end!, 9)
    const times = column(said, "timestamp")
    expect(times).toHaveLength(450)
    expect(times[150]! - laps[0]!.end!).toBeCloseTo(0.005, 9)
  })

  it("wait for a time that comes some packets later, and so do the points behind them", () => {
    const { hears } = link()
    const stale = [car(1, 5, { lastLap: 0 }), car(1, 25, { lastLap: 0 })]
    const before = hears([answer(), ...drive(0, 0, 3000), ...stale])
    expect(story(before)).toEqual(["SessionStarted", 150])
    const after = hears([car(1, 45, { lastLap: LAP })])
    expect(story(after)).toEqual(["LapCompleted", 3])
    const [lap] = only(after, "LapCompleted")
    expect(lap!.lapTime).toBe(3.015)
    expect(column(after, "timestamp").map((time) => Math.round((time - lap!.end!) * 1e6))).toEqual([
      5000, 25_000, 45_000
    ])
  })

  it("do not take the time of the lap before for theirs, however close", () => {
    const stale = [car(2, 5, { lastLap: LAP }), ...drive(2, 25, 3000, { lastLap: 3016 })]
    const laps = lapsOf([...drive(0, 0, 3000), ...next(1, LAP), ...stale])
    expect(laps.map(({ lapTime }) => lapTime)).toEqual([3.015, 3.016])
  })

  it("with equal times are reported after a while, or at once where another packet tells the lap", () => {
    const alike = [...drive(0, 0, 3000), ...next(1, LAP), ...next(2, LAP)]
    const laps = lapsOf(alike)
    expect(laps.map(({ lapTime }) => lapTime)).toEqual([3.015, 3.015])
    expect(laps[1]!.end! - laps[1]!.start!).toBeCloseTo(3.015, 9)
    const { hears } = link()
    const spot = (driver: string) =>
      encodeSpot(driver, names.carName, { carIdentifierNumber: 0, lap: 2, time: LAP })
    hears([answer(), ...alike.slice(0, 300)])
    expect(story(hears([car(2, 5, { lastLap: LAP }), spot("Bea")]))).toEqual([])
    expect(story(hears([spot("Ana")]))).toEqual([1])
  })

  it("without a time that could be theirs have none, and do not count", () => {
    const laps = lapsOf([...drive(0, 0, 3000), ...drive(1, 5, 3000)])
    expect(laps).toEqual([expect.objectContaining({ lapNumber: 1, lapTime: null, valid: false })])
    expect(laps[0]!.end! - laps[0]!.start!).toBeCloseTo(2.995, 9)
  })

  it("joined midway have their time too", () => {
    const { hears } = link()
    const [lap] = only(hears([answer(), ...drive(4, 2000, 3000), ...next(5, LAP)]), "LapCompleted")
    expect(lap).toMatchObject({ lapNumber: 5, lapTime: 3.015 })
    expect(lap!.end! - lap!.start!).toBeCloseTo(3.015, 9)
  })

  it("through the pits do not count", () => {
    const pit = drive(1, 1000, 1100, { isInPit: true, lastLap: LAP })
    const laps = lapsOf([
      ...drive(0, 0, 3000),
      ...next(1, LAP).slice(0, 50),
      ...pit,
      ...next(1, LAP).slice(55),
      ...next(2, 3012),
      ...next(3, 3013)
    ])
    expect(laps.map(({ valid }) => valid)).toEqual([undefined, false, undefined])
  })

  it("are not disturbed by packets from before the line that arrive after it", () => {
    const stragglers = [car(0, 2960), car(0, 2980)]
    const straggling = [...drive(0, 0, 2960), car(1, 5, { lastLap: LAP }), ...stragglers]
    const said = link().hears([answer(), ...straggling, ...drive(1, 25, 3000, { lastLap: LAP })])
    expect(story(said)).toEqual(["SessionStarted", 148, "LapCompleted", 150])
    expect(late(said)).toBe(2)
  })

  it("go on where the lap time starts over a packet before the counter goes up, or after", () => {
    const early = [...drive(0, 0, 3000), car(0, 5), ...drive(1, 25, 3000, { lastLap: LAP })]
    expect(lapsOf(early).map(({ lapTime }) => lapTime)).toEqual([3.015])
    const after = [...drive(0, 0, 3000), car(1, 3010), ...drive(1, 5, 3000, { lastLap: LAP })]
    expect(lapsOf(after).map(({ lapTime }) => lapTime)).toEqual([3.015])
  })
})

describe("a restart", () => {
  it("of a race: laps count from the start", () => {
    const before = [...drive(0, 0, 3000), ...next(1, LAP)]
    const said = link().hears([answer(), ...before, ...drive(0, 0, 3000), ...next(1, LAP)])
    const begins = said.findLastIndex(({ _tag }) => _tag === "SessionStarted")
    expect(only(said, "SessionStarted")).toHaveLength(2)
    // The first packet of the new session may have been a straggler of an older one.
    expect(story(said.slice(begins))).toEqual(["SessionStarted", 149, "LapCompleted", 150])
    expect(falls(column(said, "timestamp"))).toBe(0)
  })

  it("of a lap, as after a visit to the garage: the session goes on, and the first try is no lap", () => {
    const said = link().hears([answer(), ...drive(0, 0, 2000), ...drive(0, 0, 3000), ...next(1, LAP)])
    expect(only(said, "SessionStarted")).toHaveLength(1)
    const [lap, ...more] = only(said, "LapCompleted")
    expect(more).toEqual([])
    expect(lap).toMatchObject({ lapNumber: 1, lapTime: LAP / 1000 })
    expect(lap!.end! - lap!.start!).toBeCloseTo(LAP / 1000, 6)
  })

  it("to a lap time that stands, as before the lights go out", () => {
    const standing = Array.from({ length: 200 }, () => car(0, 0))
    const { hears } = link()
    const before = hears([answer(), ...drive(2, 1000, 2000), ...standing])
    expect(story(before)).toEqual(["SessionStarted", 50])
    expect(story(hears(drive(0, 20, 1000)))).toEqual(["SessionStarted", 50])
  })

  it("is not caused by a late packet of the session before", () => {
    const said = link().hears([
      answer(),
      ...drive(2, 1000, 2000),
      ...drive(0, 0, 100),
      car(2, 1980),
      ...drive(0, 100, 200)
    ])
    expect(only(said, "SessionStarted")).toHaveLength(2)
    expect(column(said, "timestamp")).toHaveLength(50 + 4 + 5)
  })
})

it("goes on where packets were lost", () => {
  const { hears, wait } = link()
  const before = hears([answer(), ...drive(0, 0, 1000)])
  wait(2)
  const after = hears(drive(0, 3000, 3500))
  expect(story([...before, ...after])).toEqual(["SessionStarted", 75])
  const times = column([...before, ...after], "timestamp")
  expect(times[50]! - times[49]!).toBeCloseTo(2.02, 9)
})

it("after unseen laps the time advances at least by the driven part of the current lap", () => {
  const said = link().hears([answer(), ...drive(0, 0, 1000), ...drive(3, 1000, 2000, { lastLap: LAP })])
  expect(story(said)).toEqual(["SessionStarted", 50, "LapCompleted", 49])
  expect(only(said, "LapCompleted")[0]).toMatchObject({ lapNumber: 1, lapTime: null, valid: false })
  const times = column(said, "timestamp")
  expect(times[50]! - times[49]!).toBeCloseTo(1.02, 6)
})

it("goes on where the lap's time leaps further than the arrivals, as after the service was held up", () => {
  const said = link().hears([answer(), ...drive(0, 0, 1000), ...drive(0, 3000, 3500)])
  const times = column(said, "timestamp")
  // The first one that leapt may have been another session's.
  expect(times[50]! - times[49]!).toBeCloseTo(2.04, 6)
})

it("tells from the lap's time how long the silence over the line was", () => {
  const after = drive(1, 2000, 3000, { lastLap: LAP })
  const said = link().hears([answer(), ...drive(0, 0, 1000), ...after])
  expect(only(said, "LapCompleted")).toEqual([
    expect.objectContaining({ lapNumber: 1, lapTime: LAP / 1000, valid: undefined })
  ])
  const times = column(said, "timestamp")
  expect(times[50]! - times[49]!).toBeCloseTo((LAP - 980 + 2020) / 1000, 6)
})

const driven = (faults: Partial<Faults>, frames: Partial<FramesOptions> = {}) =>
  emulate({
    emulator: assettoCorsaEmulator(scene),
    interpreter: (send) => opened(new AssettoCorsaInterpreter(linkOptions()), send),
    faults,
    frames
  })

const timesOf = (laps: ReadonlyArray<{ readonly lapTime: number | null }>) =>
  laps.map(({ lapTime }) => Math.round(lapTime! * 1000))

describe("a drive of three laps", () => {
  it("is recorded as it was driven", () => {
    const { driven: sessions, events, frames } = driven({})
    expect(only(events, "SessionStarted")).toEqual([
      expect.objectContaining({
        circuit: scene.circuit.name,
        vehicle: scene.vehicle.name,
        driver: scene.driver
      })
    ])
    const laps = only(events, "LapCompleted")
    expect(timesOf(laps)).toEqual(timesOf(sessions[0]!))
    for (const { end, lapTime, start } of laps) expect(end! - start!).toBeCloseTo(lapTime!, 9)
    const [first = 0, ...rest] = column(events, "timestamp")
    expect(rest).toHaveLength(frames.length - 1)
    const worst = (values: ReadonlyArray<number>, of: (frame: Frame) => number) =>
      values.reduce((most, value, n) => Math.max(most, Math.abs(value - of(frames[n]!))), 0)
    const times = column(events, "timestamp").map((time) => time - first)
    expect(worst(times, ({ sessionTime }) => sessionTime - frames[0]!.sessionTime)).toBeLessThan(0.005)
    expect(worst(column(events, "speed"), ({ speed }) => speed)).toBeLessThan(0.0005)
    expect(worst(column(events, "steering"), ({ steering }) => steering)).toBeLessThan(5e-6)
    expect(worst(column(events, "position_z"), ({ z }) => z)).toBeLessThan(0.0005)
    expect(column(events, "gear")).toEqual(frames.map(({ gear }) => gear))
    const lap = frames.flatMap((frame, n) => (frame.lap.lapNumber === 2 ? [n] : []))
    const [xs, ys] = [column(events, "position_x"), column(events, "position_y")]
    const recorded = turning(
      lap.map((n) => xs[n]!),
      lap.map((n) => ys[n]!)
    )
    const truth = turning(
      lap.map((n) => frames[n]!.x),
      lap.map((n) => frames[n]!.y)
    )
    expect(recorded / truth).toBeCloseTo(1, 5)
  })

  it.each([
    { laps: 3, rate: 60 },
    { laps: 1, rate: 333 },
    { laps: 3, rate: 20 }
  ])("has its times at $rate Hz with loss, reordering and duplicates", (drive) => {
    const faults = { loss: 0.02, reorder: 0.02, duplicate: 0.02, garbage: 0.01 }
    const { driven: sessions, events, frames } = driven(faults, drive)
    expect(only(events, "SessionStarted")).toHaveLength(1)
    const laps = only(events, "LapCompleted")
    expect(timesOf(laps)).toEqual(timesOf(sessions[0]!))
    for (const { end, lapTime, start } of laps) expect(end! - start!).toBeCloseTo(lapTime!, 9)
    const share = column(events, "timestamp").length / frames.length
    expect(share).toBeGreaterThan(0.94)
    expect(share).toBeLessThan(0.99)
  })

  it("has its times with a pause and a restart in the middle", () => {
    const { driven: sessions, events } = driven(
      { loss: 0.02, reorder: 0.02 },
      { pauses: [{ at: 20, seconds: 8 }], restarts: [110] }
    )
    expect(only(events, "SessionStarted")).toHaveLength(2)
    expect(sessions[0]!.length).toBeGreaterThan(0)
    expect(sessions[1]).toHaveLength(3)
    expect(timesOf(only(events, "LapCompleted"))).toEqual(timesOf(sessions.flat()))
    expect(falls(column(events, "timestamp"))).toBe(0)
  })
})
