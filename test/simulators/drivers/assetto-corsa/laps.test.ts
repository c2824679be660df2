/** Assetto Corsa: laps, restarts and stragglers. */
import { describe, expect, it } from "vitest"
import { encodeSpot } from "../../../../simulator/emulators/assetto-corsa/encode.ts"
import { answer, car, drive, link, names } from "./link.ts"
import { column, discarded, eventsOf, story } from "../suite/events.ts"
import { drive as driveEmulator } from "../suite/drive.ts"
import { kinds } from "./game.ts"

const lapsOf = (datagrams: ReadonlyArray<Buffer>) =>
  eventsOf(link().receive([answer(), ...datagrams]), "LapCompleted")

/** Three seconds and 15 ms, of which 3 s are seen. */
const LAP = 3015
const next = (lapCount: number, lastLap: number) => drive(lapCount, 5, 3000, { lastLap })

describe("laps", () => {
  it("have the simulator's time, and span it to the millisecond", () => {
    const events = link().receive([answer(), ...drive(0, 0, 3000), ...next(1, LAP), ...next(2, 3012)])
    const laps = eventsOf(events, "LapCompleted")
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
    const times = column(events, "timestamp")
    expect(times).toHaveLength(450)
    expect(times[150]! - laps[0]!.end!).toBeCloseTo(0.005, 9)
  })

  it("wait for a time that comes some packets later, as do the points behind them", () => {
    const { receive } = link()
    const stale = [car(1, 5, { lastLap: 0 }), car(1, 25, { lastLap: 0 })]
    const before = receive([answer(), ...drive(0, 0, 3000), ...stale])
    expect(story(before)).toEqual(["SessionStarted", 150])
    const after = receive([car(1, 45, { lastLap: LAP })])
    expect(story(after)).toEqual(["LapCompleted", 3])
    const [lap] = eventsOf(after, "LapCompleted")
    expect(lap!.lapTime).toBe(3.015)
    expect(column(after, "timestamp").map((time) => Math.round((time - lap!.end!) * 1e6))).toEqual([
      5000, 25_000, 45_000
    ])
  })

  it("with equal times are reported after a while, or at once if another packet reports the lap", () => {
    const alike = [...drive(0, 0, 3000), ...next(1, LAP), ...next(2, LAP)]
    const laps = lapsOf(alike)
    expect(laps.map(({ lapTime }) => lapTime)).toEqual([3.015, 3.015])
    expect(laps[1]!.end! - laps[1]!.start!).toBeCloseTo(3.015, 9)
    const { receive } = link()
    const spot = (driver: string) =>
      encodeSpot(driver, names.carName, { carIdentifierNumber: 0, lap: 2, time: LAP })
    receive([answer(), ...alike.slice(0, 300)])
    expect(story(receive([car(2, 5, { lastLap: LAP }), spot("Bea")]))).toEqual([])
    expect(story(receive([spot("Ana")]))).toEqual([1])
  })

  it("without a plausible time have none, and do not count", () => {
    const laps = lapsOf([...drive(0, 0, 3000), ...drive(1, 5, 3000)])
    expect(laps).toEqual([expect.objectContaining({ lapNumber: 1, lapTime: null, valid: false })])
    expect(laps[0]!.end! - laps[0]!.start!).toBeCloseTo(2.995, 9)
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
    const events = link().receive([answer(), ...straggling, ...drive(1, 25, 3000, { lastLap: LAP })])
    expect(story(events)).toEqual(["SessionStarted", 148, "LapCompleted", 150])
    expect(discarded(events, "late")).toBe(2)
  })

  it("go on if the lap time starts over a packet before the counter goes up, or after", () => {
    const early = [...drive(0, 0, 3000), car(0, 5), ...drive(1, 25, 3000, { lastLap: LAP })]
    expect(lapsOf(early).map(({ lapTime }) => lapTime)).toEqual([3.015])
    const after = [...drive(0, 0, 3000), car(1, 3010), ...drive(1, 5, 3000, { lastLap: LAP })]
    expect(lapsOf(after).map(({ lapTime }) => lapTime)).toEqual([3.015])
  })
})

describe("a restart", () => {
  it("of a lap, as after a visit to the garage, keeps the session, and the first try is no lap", () => {
    const events = link().receive([answer(), ...drive(0, 0, 2000), ...drive(0, 0, 3000), ...next(1, LAP)])
    expect(eventsOf(events, "SessionStarted")).toHaveLength(1)
    const [lap, ...more] = eventsOf(events, "LapCompleted")
    expect(more).toEqual([])
    expect(lap).toMatchObject({ lapNumber: 1, lapTime: LAP / 1000 })
    expect(lap!.end! - lap!.start!).toBeCloseTo(LAP / 1000, 6)
  })

  it("to a lap time that stands, as before the lights go out, begins a session", () => {
    const standing = Array.from({ length: 200 }, () => car(0, 0))
    const { receive } = link()
    const before = receive([answer(), ...drive(2, 1000, 2000), ...standing])
    expect(story(before)).toEqual(["SessionStarted", 50])
    expect(story(receive(drive(0, 20, 1000)))).toEqual(["SessionStarted", 50])
  })

  it("is not caused by a late packet of the session before", () => {
    const events = link().receive([
      answer(),
      ...drive(2, 1000, 2000),
      ...drive(0, 0, 100),
      car(2, 1980),
      ...drive(0, 100, 200)
    ])
    expect(eventsOf(events, "SessionStarted")).toHaveLength(2)
    expect(column(events, "timestamp")).toHaveLength(50 + 4 + 5)
  })
})

it("after unseen laps the time advances at least by the driven part of the current lap", () => {
  const events = link().receive([answer(), ...drive(0, 0, 1000), ...drive(3, 1000, 2000, { lastLap: LAP })])
  expect(story(events)).toEqual(["SessionStarted", 50, "LapCompleted", 49])
  expect(eventsOf(events, "LapCompleted")[0]).toMatchObject({ lapNumber: 1, lapTime: null, valid: false })
  const times = column(events, "timestamp")
  expect(times[50]! - times[49]!).toBeCloseTo(1.02, 6)
})

it("goes on if the lap's time leaps further than the arrivals, as after the service was held up", () => {
  const events = link().receive([answer(), ...drive(0, 0, 1000), ...drive(0, 3000, 3500)])
  const times = column(events, "timestamp")
  // The first one after a leap may belong to another session.
  expect(times[50]! - times[49]!).toBeCloseTo(2.04, 6)
})

it("finds the length of a silence over the line from the lap's time", () => {
  const after = drive(1, 2000, 3000, { lastLap: LAP })
  const events = link().receive([answer(), ...drive(0, 0, 1000), ...after])
  expect(eventsOf(events, "LapCompleted")).toEqual([
    expect.objectContaining({ lapNumber: 1, lapTime: LAP / 1000, valid: undefined })
  ])
  const times = column(events, "timestamp")
  expect(times[50]! - times[49]!).toBeCloseTo((LAP - 980 + 2020) / 1000, 6)
})

it("has each physics tick of a game at 333 Hz", () => {
  const { events, frames, laps } = driveEmulator(kinds[0]!, { laps: 1, rate: 333 })
  // The first frame comes before the subscription.
  expect(column(events, "timestamp")).toHaveLength(frames.length - 1)
  expect(eventsOf(events, "LapCompleted").map(({ lapTime }) => lapTime)).toEqual([
    expect.closeTo(laps[0]!.lapTime, 3)
  ])
})
