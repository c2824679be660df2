import { describe, expect, it } from "vitest"
import { CountedLaps, type LapReading } from "../../src/simulators/CountedLaps.ts"
import { EventBuffer } from "../../src/simulators/EventBuffer.ts"

const reading = (time: number, more: Partial<LapReading> = {}): LapReading => ({
  time,
  lapNumber: 1,
  sinceLine: Number.NaN,
  lastLap: null,
  sector1: null,
  sector2: null,
  valid: undefined,
  ...more
})

const told = (readings: ReadonlyArray<LapReading>) => {
  const laps = new CountedLaps()
  const events = new EventBuffer()
  for (const one of readings) laps.read(one, events)
  return events.take()
}

describe("counted laps", () => {
  it("end when the counter goes up, with the time that comes with it", () => {
    expect(
      told([
        reading(10, { sinceLine: 0 }),
        reading(99, { sinceLine: 89, sector1: 30, sector2: 31, valid: true }),
        reading(100.5, { lapNumber: 2, sinceLine: 0.4, lastLap: 90.1 })
      ])
    ).toEqual([
      expect.objectContaining({
        _tag: "LapCompleted",
        lapNumber: 1,
        lapTime: 90.1,
        sectors: [30, 31, 90.1 - 30 - 31],
        valid: true,
        start: 100.1 - 90.1,
        end: 100.1
      })
    ])
  })

  it("wait for a time that comes some packets later", () => {
    const before = [reading(10, { sinceLine: 0, lastLap: 88 }), reading(99, { sinceLine: 89, lastLap: 88 })]
    const at = reading(100.2, { lapNumber: 2, sinceLine: 0.2, lastLap: 88 })
    expect(told([...before, at])).toEqual([])
    const later = reading(100.3, { lapNumber: 2, sinceLine: 0.3, lastLap: 90 })
    expect(told([...before, at, later])).toEqual([
      expect.objectContaining({ lapTime: 90, start: 10, end: 100 })
    ])
  })

  it("take a time that did not change for theirs where it fits: two laps alike", () => {
    expect(
      told([
        reading(10, { sinceLine: 0, lastLap: 90 }),
        reading(99, { sinceLine: 89, lastLap: 90 }),
        reading(100.02, { lapNumber: 2, sinceLine: 0.02, lastLap: 90 }),
        reading(100.27, { lapNumber: 2, sinceLine: 0.27, lastLap: 90 })
      ])
    ).toEqual([expect.objectContaining({ lapTime: 90 })])
  })

  it("do not take the time of the lap before for theirs because it is close", () => {
    expect(
      told([
        reading(10, { sinceLine: 0, lastLap: 90.05 }),
        reading(99, { sinceLine: 89, lastLap: 90.05 }),
        reading(100.02, { lapNumber: 2, sinceLine: 0.02, lastLap: 90.05 }),
        reading(100.04, { lapNumber: 2, sinceLine: 0.04, lastLap: 90 })
      ])
    ).toEqual([expect.objectContaining({ lapTime: 90 })])
  })

  it("have the sectors and the validity that the simulator keeps of the last lap", () => {
    const lastLapWas = { sectors: [30, 31, 29.5], valid: false } as const
    expect(
      told([
        reading(10, { sinceLine: 0 }),
        reading(99, { sinceLine: 89, sector1: 30, sector2: 30, valid: true }),
        reading(100.4, { lapNumber: 2, sinceLine: 0.4, lastLap: 90.5, lastLapWas })
      ])
    ).toEqual([expect.objectContaining({ lapTime: 90.5, sectors: [30, 31, 29.5], valid: false })])
  })

  it("have no time when none comes, and do not count", () => {
    expect(
      told([
        reading(10, { sinceLine: 0, lastLap: 70, valid: true }),
        reading(100, { lapNumber: 2, sinceLine: 0, lastLap: 70 }),
        reading(103, { lapNumber: 2, sinceLine: 3, lastLap: 70 })
      ])
    ).toEqual([expect.objectContaining({ lapNumber: 1, lapTime: null, valid: false, start: 10, end: 100 })])
  })

  it("that were joined midway begin where their time says", () => {
    expect(
      told([reading(50), reading(99), reading(100, { lapNumber: 2, sinceLine: 0, lastLap: 95 })])
    ).toEqual([expect.objectContaining({ lapTime: 95, start: 5, end: 100 })])
  })

  it("with a flashback in them span more than their time", () => {
    expect(
      told([reading(10, { sinceLine: 0 }), reading(120, { lapNumber: 2, sinceLine: 0, lastLap: 95 })])
    ).toEqual([expect.objectContaining({ lapTime: 95, start: 10, end: 120 })])
  })

  it("are not told of when the counter goes back; the next one begins there", () => {
    expect(
      told([
        reading(10, { lapNumber: 3, sinceLine: 0 }),
        reading(50, { lapNumber: 1, sinceLine: 0 }),
        reading(141, { lapNumber: 2, sinceLine: 1, lastLap: 90 })
      ])
    ).toEqual([expect.objectContaining({ lapNumber: 1, lapTime: 90, start: 50, end: 140 })])
  })

  it("have no time where the next one ended unseen: what is shown is that one's", () => {
    expect(
      told([
        reading(10, { sinceLine: 0, valid: true }),
        reading(60, { sinceLine: 50, valid: true }),
        reading(200, { lapNumber: 3, sinceLine: 5, lastLap: 92, valid: true }),
        reading(290, { lapNumber: 4, sinceLine: 5, lastLap: 90, valid: true })
      ])
    ).toEqual([
      expect.objectContaining({ lapNumber: 1, lapTime: null, valid: false, start: 10, end: 60 }),
      expect.objectContaining({ lapNumber: 3, lapTime: 90, valid: true, start: 195, end: 285 })
    ])
  })

  it("that wait for their time get none once the counter goes back, whatever is shown then", () => {
    expect(
      told([
        reading(10, { lapNumber: 3, sinceLine: 0, lastLap: 91, valid: true }),
        reading(100, { lapNumber: 4, sinceLine: 0, lastLap: 91, valid: true }),
        reading(100.5, { lapNumber: 1, sinceLine: 0, lastLap: 88, valid: true })
      ])
    ).toEqual([expect.objectContaining({ lapNumber: 3, lapTime: null, valid: false })])
  })

  it("do not take a time that was there before for theirs until it could have changed", () => {
    const before = [reading(10, { sinceLine: 0, lastLap: 90 }), reading(99, { sinceLine: 89, lastLap: 90 })]
    const at = reading(100.02, { lapNumber: 2, sinceLine: 0.02, lastLap: 90 })
    const next = reading(100.1, { lapNumber: 3, sinceLine: 0, lastLap: 90 })
    expect(told([...before, at, next])).toEqual([expect.objectContaining({ lapNumber: 1, lapTime: null })])
  })

  it("may end without the counter going up", () => {
    const laps = new CountedLaps()
    const events = new EventBuffer()
    laps.read(reading(10, { sinceLine: 0, sector1: 30, sector2: 30, valid: true }), events)
    laps.finish(100, events)
    laps.read(reading(100.1, { lastLap: 90 }), events)
    expect(events.take()).toEqual([expect.objectContaining({ lapTime: 90, end: 100 })])
  })
})
