/** Assetto Corsa Competizione: its laps, and options of its emulator. */
import { describe, expect, it } from "vitest"
import { answers, car, drive, lap, link, timed, update } from "./link.ts"
import { RATE, scene } from "../emulating.ts"
import { column, discarded, eventsOf, story } from "../suite/events.ts"
import { drive as driveEmulator } from "../suite/drive.ts"
import { kindOf } from "./game.ts"

const lapsOf = (datagrams: ReadonlyArray<Buffer>) =>
  eventsOf(link().receive([...answers, ...datagrams]), "LapCompleted")

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

  it("do not count through the pit lane, even if the game counts them", () => {
    const pit = drive(0, 2000, 2100, 0, { carLocation: 2 })
    const through = [...drive(0, 0, 2000, 0), ...pit, ...drive(0, 2100, 4000, 0)]
    expect(lapsOf([...through, ...second({ lastLap: timed(4003) })])[0]).toMatchObject({
      lapTime: 4.003,
      valid: false
    })
  })

  it("have no time if none is reported, and no sectors that do not exist", () => {
    expect(lapsOf([...first, ...second({})])).toEqual([
      expect.objectContaining({ lapTime: null, sectors: [null, null, null], valid: false })
    ])
    const two = lap({ laptimeMs: 4003, splits: [1500, 2503] })
    expect(lapsOf([...first, ...second({ lastLap: two })])[0]).toMatchObject({ sectors: [1.5, 2.503, null] })
  })

  it("end in time if the current lap's time comes a packet later", () => {
    const crossing = [update(4020), car(1, 4020, { lastLap: timed(4003) })]
    const [reported] = lapsOf([...first, ...crossing, ...drive(1, 40, 100, 4000, { lastLap: timed(4003) })])
    expect(reported!.lapTime).toBe(4.003)
    expect(reported!.end! - reported!.start!).toBeCloseTo(4.003, 6)
    expect(reported!.end! - 100).toBeCloseTo(4.02, 0)
  })

  it("are not disturbed by updates from before the line that arrive after it", () => {
    const events = link().receive([
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
    expect(story(events)).toEqual(["SessionStarted", 198, "LapCompleted", 9])
    expect(column(events, "position_x").slice(198)).toEqual([20, 40, 60, 80, 100, 120, 140, 160, 180])
    expect(discarded(events, "late")).toBe(2)
  })
})

describe("the emulator", () => {
  it("is recorded once it has loaded, with its driver and length", () => {
    const { events, frames } = driveEmulator(kindOf({ deaf: 3 }), { laps: 1 })
    expect(eventsOf(events, "SessionStarted")).toEqual([
      expect.objectContaining({ driver: scene.driver, circuitLength: Math.round(scene.circuit.length) })
    ])
    expect(column(events, "timestamp").length).toBeGreaterThan(frames.length - 300)
  })

  it("sends at the interval that the driver requests", () => {
    const { events, frames, laps } = driveEmulator(kindOf({}, 10), { laps: 1 })
    expect(column(events, "timestamp").length / frames.length).toBeCloseTo(10 / RATE, 1)
    expect(eventsOf(events, "LapCompleted").map(({ lapTime }) => lapTime)).toEqual([
      expect.closeTo(laps[0]!.lapTime, 3)
    ])
  })

  it("sends nothing for a wrong password", () => {
    const { datagrams, events } = driveEmulator(kindOf({ password: "other" }), { laps: 1 })
    expect(events).toEqual([])
    expect(datagrams.map((bytes) => bytes.toString("latin1"))).toEqual([
      expect.stringContaining("Wrong password")
    ])
  })
})
