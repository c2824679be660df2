import { describe, expect, it } from "vitest"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { Laps } from "../../../src/simulators/timekeeping/Laps.ts"
import type { Moment } from "../../../src/simulators/timekeeping/Moment.ts"

const reading = (time: number, more: Partial<Moment> = {}): Moment => ({
  time,
  lapNumber: 1,
  clock: Number.NaN,
  lastLap: null,
  ...more
})

/** A lap that the game keeps, as its first one. */
const keeps =
  (lapTime: number, valid = true) =>
  (lapNumber: number) =>
    lapNumber === 1 ? ({ lapTime, sectors: [30, 31, 29], valid } as const) : undefined
const keepsNone = () => undefined

const reported = (readings: ReadonlyArray<Moment>) => {
  const laps = new Laps()
  const events = new EventBuffer()
  for (const one of readings) laps.read(one, events)
  return events.take()
}

/** A lap of 90 s at an even pace. */
const even = (from: number, more: Partial<Moment> = {}) =>
  Array.from({ length: 180 }, (_, n) => reading(from + n / 2, { clock: n / 2, place: n / 180, ...more }))

const next = (time: number, lapNumber: number, lastLap: number, more: Partial<Moment> = {}) =>
  reading(time, { lapNumber, clock: 0, lastLap, place: 0, ...more })

/** A lap of 90 s of a game that keeps laps. */
const driven = (completed: NonNullable<Moment["completed"]>, more: Partial<Moment> = {}) => [
  reading(10, { clock: 0, valid: true, completed }),
  reading(99, { clock: 89, valid: true, completed, ...more }),
  reading(100, { lapNumber: 2, clock: 0, lastLap: 90, completed })
]

const after = (time: number, lapNumber: number, lastLap: number | null) =>
  reading(time, { lapNumber, lastLap })

const line = (time: number, ended: number, lastLap: number | null, more: Partial<Moment> = {}) =>
  reading(time, { lapNumber: ended + 1, ended, lastLap, ...more })

describe("counted laps", () => {
  it("end when the counter goes up, with the time that comes with it", () => {
    expect(
      reported([
        reading(10, { clock: 0 }),
        reading(99, { clock: 89, sector1: 30, sector2: 31, valid: true }),
        reading(100.5, { lapNumber: 2, clock: 0.4, lastLap: 90.1 })
      ])
    ).toEqual([
      expect.objectContaining({
        _tag: "LapCompleted",
        lapNumber: 1,
        lapTime: 90.1,
        sectors: [30, 31, 29.1],
        valid: true,
        start: 100.1 - 90.1,
        end: 100.1
      })
    ])
  })

  it("have no third sector if their time is less than the first two", () => {
    const lap = reported([
      reading(10, { clock: 0 }),
      reading(99, { clock: 89, sector1: 30, sector2: 31 }),
      reading(100.5, { lapNumber: 2, clock: 0.4, lastLap: 60 })
    ])
    expect(lap).toEqual([expect.objectContaining({ lapTime: 60, sectors: [30, 31, null] })])
  })

  it("wait for a time that comes some packets later", () => {
    const before = [reading(10, { clock: 0, lastLap: 88 }), reading(99, { clock: 89, lastLap: 88 })]
    const at = reading(100.2, { lapNumber: 2, clock: 0.2, lastLap: 88 })
    expect(reported([...before, at])).toEqual([])
    const later = reading(100.3, { lapNumber: 2, clock: 0.3, lastLap: 90 })
    expect(reported([...before, at, later])).toEqual([
      expect.objectContaining({ lapTime: 90, start: 10, end: 100 })
    ])
  })

  it("take an unchanged time if it fits: two laps with the same time", () => {
    expect(
      reported([
        reading(10, { clock: 0, lastLap: 90 }),
        reading(99, { clock: 89, lastLap: 90 }),
        reading(100.02, { lapNumber: 2, clock: 0.02, lastLap: 90 }),
        reading(100.27, { lapNumber: 2, clock: 0.27, lastLap: 90 })
      ])
    ).toEqual([expect.objectContaining({ lapTime: 90 })])
  })

  it("do not take the time of the lap before because it is close", () => {
    expect(
      reported([
        reading(10, { clock: 0, lastLap: 90.05 }),
        reading(99, { clock: 89, lastLap: 90.05 }),
        reading(100.02, { lapNumber: 2, clock: 0.02, lastLap: 90.05 }),
        reading(100.04, { lapNumber: 2, clock: 0.04, lastLap: 90 })
      ])
    ).toEqual([expect.objectContaining({ lapTime: 90 })])
  })

  it("have the sectors and the validity that the simulator keeps of the last lap", () => {
    const lastLapWas = { sectors: [30, 31, 29.5], valid: false } as const
    expect(
      reported([
        reading(10, { clock: 0 }),
        reading(99, { clock: 89, sector1: 30, sector2: 30, valid: true }),
        reading(100.4, { lapNumber: 2, clock: 0.4, lastLap: 90.5, lastLapWas })
      ])
    ).toEqual([expect.objectContaining({ lapTime: 90.5, sectors: [30, 31, 29.5], valid: false })])
  })

  it("have no time when none comes, and do not count", () => {
    expect(
      reported([
        reading(10, { clock: 0, lastLap: 70, valid: true }),
        reading(100, { lapNumber: 2, clock: 0, lastLap: 70 }),
        reading(103, { lapNumber: 2, clock: 3, lastLap: 70 })
      ])
    ).toEqual([expect.objectContaining({ lapNumber: 1, lapTime: null, valid: false, start: 10, end: 100 })])
  })

  it("that were joined midway begin at the time that follows from their lap time", () => {
    expect(
      reported([reading(50), reading(99), reading(100, { lapNumber: 2, clock: 0, lastLap: 95 })])
    ).toEqual([expect.objectContaining({ lapTime: 95, start: 5, end: 100 })])
  })

  it("with a flashback in them span more than their time", () => {
    expect(
      reported([reading(10, { clock: 0 }), reading(120, { lapNumber: 2, clock: 0, lastLap: 95 })])
    ).toEqual([expect.objectContaining({ lapTime: 95, start: 10, end: 120 })])
  })

  it("are not reported when the counter goes back; the next one begins there", () => {
    expect(
      reported([
        reading(10, { lapNumber: 3, clock: 0 }),
        reading(50, { lapNumber: 1, clock: 0 }),
        reading(141, { lapNumber: 2, clock: 1, lastLap: 90 })
      ])
    ).toEqual([expect.objectContaining({ lapNumber: 1, lapTime: 90, start: 50, end: 140 })])
  })

  it("have no time if the next one ended unseen: the shown time is that one's", () => {
    expect(
      reported([
        reading(10, { clock: 0, valid: true }),
        reading(60, { clock: 50, valid: true }),
        reading(200, { lapNumber: 3, clock: 5, lastLap: 92, valid: true }),
        reading(290, { lapNumber: 4, clock: 5, lastLap: 90, valid: true })
      ])
    ).toEqual([
      expect.objectContaining({ lapNumber: 1, lapTime: null, valid: false, start: 10, end: 60 }),
      expect.objectContaining({ lapNumber: 3, lapTime: 90, valid: true, start: 195, end: 285 })
    ])
  })

  it("that wait for their time get none once the counter goes back, whatever the simulator shows then", () => {
    expect(
      reported([
        reading(10, { lapNumber: 3, clock: 0, lastLap: 91, valid: true }),
        reading(100, { lapNumber: 4, clock: 0, lastLap: 91, valid: true }),
        reading(100.5, { lapNumber: 1, clock: 0, lastLap: 88, valid: true })
      ])
    ).toEqual([
      expect.objectContaining({ lapNumber: 3, lapTime: null, valid: false }),
      { _tag: "LapChanged", ref: 1, change: { valid: false, withdrawn: true } }
    ])
  })

  it("get a time that comes after they were reported without one, unless the next one has ended", () => {
    const driven = [
      reading(10, { clock: 0, valid: true }),
      reading(99, { clock: 89, valid: true }),
      reading(100, { lapNumber: 2, clock: 0, valid: true }),
      reading(103, { lapNumber: 2, clock: 3, valid: true })
    ]
    const late = reported([...driven, reading(130, { lapNumber: 2, clock: 30, lastLap: 90, valid: true })])
    expect(late).toEqual([
      expect.objectContaining({ lapNumber: 1, lapTime: null, valid: false, ref: 1 }),
      { _tag: "LapChanged", ref: 1, change: { lapTime: 90, valid: true } }
    ])
    const tooLate = reported([...driven, reading(191, { lapNumber: 3, clock: 1, lastLap: 90, valid: true })])
    expect(tooLate).toEqual([
      expect.objectContaining({ lapNumber: 1, lapTime: null }),
      expect.objectContaining({ lapNumber: 2, lapTime: 90, ref: 2 })
    ])
  })

  it("end at the packet where the counter rises and the clock stays, as a race's last lap", () => {
    expect(
      reported([
        reading(10, { clock: 0 }),
        reading(99.95, { clock: 89.95 }),
        reading(100, { lapNumber: 2, clock: 90, lastLap: 90 }),
        reading(100.05, { lapNumber: 2, clock: 90, lastLap: 90 })
      ])
    ).toEqual([expect.objectContaining({ lapNumber: 1, lapTime: 90, start: 10, end: 100 })])
  })

  it("do not take a time that was shown before, until it could have changed", () => {
    const before = [reading(10, { clock: 0, lastLap: 90 }), reading(99, { clock: 89, lastLap: 90 })]
    const at = reading(100.02, { lapNumber: 2, clock: 0.02, lastLap: 90 })
    const next = reading(100.1, { lapNumber: 3, clock: 0, lastLap: 90 })
    expect(reported([...before, at, next])).toEqual([
      expect.objectContaining({ lapNumber: 1, lapTime: null })
    ])
  })

  it("may end without the counter going up", () => {
    const laps = new Laps()
    const events = new EventBuffer()
    laps.read(reading(10, { clock: 0, sector1: 30, sector2: 30, valid: true }), events)
    laps.finish(100, events)
    laps.read(reading(100.1, { lastLap: 90 }), events)
    expect(events.take()).toEqual([expect.objectContaining({ lapTime: 90, end: 100 })])
  })

  describe("whose end a packet reports, with their number and time", () => {
    it("are reported at once, also those of equal time and those without", () => {
      const whole = { sectors: [30, 31, 29], valid: true } as const
      const readings = [
        reading(10),
        line(100, 1, 90, { lastLapWas: whole }),
        after(100.1, 2, 90),
        line(190, 2, 90, { lastLapWas: { ...whole, valid: false } }),
        after(190.1, 3, 90),
        line(280, 3, null, { lastLapWas: { sectors: [30, null, null], valid: true } })
      ]
      expect(reported(readings)).toEqual([
        expect.objectContaining({ lapNumber: 1, lapTime: 90, ...whole, start: 10, end: 100 }),
        expect.objectContaining({ lapNumber: 2, lapTime: 90, valid: false, start: 100, end: 190 }),
        expect.objectContaining({ lapNumber: 3, lapTime: null, sectors: [30, null, null], valid: false })
      ])
    })

    it("may have no number before; their begin is unknown without a time", () => {
      const joined = [reading(50, { lapNumber: Number.NaN }), line(100, 4, 90)]
      expect(reported(joined)).toEqual([expect.objectContaining({ lapNumber: 4, start: 10, end: 100 })])
      const untimed = [reading(50, { lapNumber: Number.NaN }), line(100, 4, null)]
      expect(reported(untimed)).toEqual([expect.objectContaining({ lapNumber: 4, start: undefined })])
      expect(reported([line(100, 4, 90), after(100.1, 5, 90)])).toEqual([])
    })

    it("are none behind the flag", () => {
      expect(reported([reading(10), line(100, 1, 90, { laps: 1 }), line(190, 2, 90, { laps: 1 })])).toEqual([
        expect.objectContaining({ lapNumber: 1, end: 100 })
      ])
    })
  })

  describe("of a simulator that reports places and no sectors", () => {
    it("have sectors at places, which add up to their time", () => {
      const readings = [...even(10), next(100, 2, 90.5)]
      expect(reported(readings)).toEqual([
        expect.objectContaining({ lapTime: 90.5, sectors: [30, 30, 30.5], sectorSource: "derived" })
      ])
      // Unknown sectors are "derived" too, so that no later stage cuts them in another way.
      const joined = [...even(10).slice(90), next(100, 2, 90.5)]
      expect(reported(joined)).toEqual([
        expect.objectContaining({ sectors: [null, null, null], sectorSource: "derived" })
      ])
    })

    it("have the simulator's sectors if there are some", () => {
      const [lap] = reported([...even(10, { sector1: 31 }), next(100, 2, 90.5)])
      expect(lap).toMatchObject({ sectors: [31, null, null] })
      expect(lap).not.toHaveProperty("sectorSource")
    })

    it("have the sectors of the last attempt after a restart of the lap, and after a flashback", () => {
      const again = [...even(10).slice(0, 150), ...even(90), next(180, 2, 90)]
      expect(reported(again)).toEqual([expect.objectContaining({ sectors: [30, 30, 30] })])
      // From 70 s of the lap back to 50 s, and then at half the pace for 60 s.
      const slow = Array.from({ length: 121 }, (_, n) =>
        reading(90 + n / 2, { clock: 50 + n / 2, place: 5 / 9 + n / 360 })
      )
      const [lap] = reported([...even(10).slice(0, 141), ...slow, next(160, 2, 120)])
      expect(lap).toMatchObject({ lapTime: 120, sectors: [30, expect.closeTo(40, 6), expect.closeTo(50, 6)] })
    })

    it("have none if a flashback leads into the lap before", () => {
      const back = reading(105, { clock: 85, place: 85 / 90 })
      const laps = reported([...even(10), next(100, 2, 90), back, next(110, 2, 91)])
      expect(laps.map((lap) => (lap._tag === "LapCompleted" ? [lap.lapTime, lap.sectors] : []))).toEqual([
        [90, [30, 30, 30]],
        [],
        [91, [null, null, null]]
      ])
    })
  })

  it("with the pits in them do not count, whatever the simulator reports: into them and out of them", () => {
    const lastLapWas = { sectors: [30, 31, 29], valid: true } as const
    const laps = reported([
      reading(10, { clock: 0, valid: true }),
      reading(95, { clock: 85, valid: true, isInPit: true }),
      reading(100, { lapNumber: 2, clock: 0, lastLap: 90, valid: true, isInPit: true, lastLapWas }),
      reading(101, { lapNumber: 2, clock: 1, lastLap: 90, valid: true }),
      reading(190, { lapNumber: 3, clock: 0, lastLap: 91, valid: true }),
      reading(280, { lapNumber: 4, clock: 0, lastLap: 92, valid: true })
    ])
    expect(laps.map((lap) => (lap._tag === "LapCompleted" ? lap.valid : undefined))).toEqual([
      false,
      false,
      true
    ])
  })

  it("have the sectors that were reported, also if these are gone before the count rises", () => {
    expect(
      reported([
        reading(10, { clock: 0 }),
        reading(98, { clock: 88, sector1: 30, sector2: 31 }),
        reading(99.9, { clock: 89.9, sector1: null, sector2: null }),
        next(100, 2, 90)
      ])
    ).toEqual([expect.objectContaining({ sectors: [30, 31, 29] })])
  })

  it("end where the clock starts that comes after their number, while they wait", () => {
    expect(
      reported([
        reading(10, { clock: 0, lastLap: 80 }),
        reading(99.9, { clock: 89.9, lastLap: 80 }),
        reading(100, { lapNumber: 2, clock: 90, lastLap: 80 }),
        reading(100.1, { lapNumber: 2, clock: 0.05, lastLap: 90.05 }),
        reading(150, { lapNumber: 3, clock: 0, lastLap: 49.95 })
      ])
    ).toEqual([
      expect.objectContaining({ lapNumber: 1, start: 10, end: 100.05 }),
      expect.objectContaining({ lapNumber: 2, start: 100.05, end: 150 })
    ])
  })

  it("have nothing of the way while the clock stood: neither pits nor sectors", () => {
    expect(
      reported([
        reading(10, { clock: 0, valid: true, isInPit: true, sector1: 20 }),
        reading(20, { clock: 0, valid: true }),
        reading(30, { clock: 5, valid: true }),
        next(115, 2, 90)
      ])
    ).toEqual([expect.objectContaining({ start: 25, valid: true, sectors: [null, null, null] })])
  })

  it("go on under the flag while their clock does, and end by their time", () => {
    const flagged = [
      reading(10, { clock: 0 }),
      reading(50, { clock: 40 }),
      ...[50.1, 60, 99.9, 100.1].map((time) => reading(time, { clock: time - 10, isOver: true }))
    ]
    expect(reported(flagged)).toEqual([])
    const timed = reading(100.2, { clock: 90.2, isOver: true, lastLap: 90 })
    expect(reported([...flagged, timed])).toEqual([
      expect.objectContaining({ lapTime: 90, start: 10, end: 100 })
    ])
  })

  it("that wait go on after a rewind over the line, as they began", () => {
    expect(
      reported([
        reading(10, { clock: 0, lastLap: 80 }),
        reading(95, { clock: 85, lastLap: 80, isInPit: true }),
        reading(100, { lapNumber: 2, clock: 0, lastLap: 80, valid: true }),
        reading(100.1, { clock: 88, lastLap: 80, isRewound: true }),
        reading(103, { lapNumber: 2, clock: 0.9, lastLap: 90, valid: true })
      ])
    ).toEqual([expect.objectContaining({ lapNumber: 1, lapTime: 90, valid: false, start: 10 })])
  })

  describe("of a game that keeps them by their numbers", () => {
    it("wait for the kept one, even if their time is known", () => {
      expect(reported(driven(keepsNone))).toEqual([])
      const [...laps] = reported([
        ...driven(keepsNone),
        reading(101, { lapNumber: 2, clock: 1, lastLap: 90, completed: keeps(90.001, false) })
      ])
      expect(laps).toEqual([
        expect.objectContaining({ lapTime: 90.001, sectors: [30, 31, 29], valid: false })
      ])
    })

    it("take no time that was shown before as long as another may come", () => {
      const before = { lastLap: 90, completed: keepsNone }
      const laps = reported([
        reading(10, { clock: 0, ...before }),
        reading(99.9, { clock: 89.9, ...before }),
        reading(100, { lapNumber: 2, clock: 0, ...before }),
        reading(100.5, { lapNumber: 2, clock: 0.5, ...before }),
        reading(101, { lapNumber: 2, clock: 1, ...before, lastLap: 90.05 }),
        reading(102, { lapNumber: 2, clock: 2, ...before, lastLap: 90.05 })
      ])
      expect(laps).toEqual([expect.objectContaining({ lapTime: 90.05 })])
    })

    it("do not count if either source excludes them, and take nothing that is kept of another try", () => {
      expect(reported(driven(keeps(90), { valid: false }))).toEqual([
        expect.objectContaining({ valid: false })
      ])
      expect(reported(driven(keeps(88)))).toEqual([])
    })

    it("are reported after a while without it, and corrected once it comes", () => {
      const laps = new Laps()
      const events = new EventBuffer()
      for (const one of driven(keepsNone, { sector1: 31, sector2: 31 })) laps.read(one, events)
      laps.read(reading(101.9, { lapNumber: 2, clock: 1.9, lastLap: 90, completed: keepsNone }), events)
      expect(events.take()).toEqual([])
      laps.read(reading(102, { lapNumber: 2, clock: 2, lastLap: 90, completed: keepsNone }), events)
      expect(events.take()).toEqual([
        expect.objectContaining({ ref: 1, lapTime: 90, sectors: [31, 31, 28], valid: true })
      ])
      laps.learn(events)
      expect(events.take()).toEqual([])
      laps.read(reading(103, { lapNumber: 2, clock: 3, lastLap: 90, completed: keeps(90, false) }), events)
      laps.learn(events)
      laps.learn(events)
      expect(events.take()).toEqual([
        {
          _tag: "LapChanged",
          ref: 1,
          change: { lapTime: 90, sectors: [30, 31, 29], valid: false }
        }
      ])
    })

    it("have the time of a lap whose end was not received", () => {
      const [first, ...rest] = reported([
        reading(10, { clock: 0, valid: true }),
        reading(60, { clock: 50, valid: true }),
        reading(200, { lapNumber: 3, clock: 5, lastLap: 92, completed: keeps(90) })
      ])
      expect(first).toMatchObject({ lapNumber: 1, lapTime: 90, start: 10, end: 100 })
      expect(rest).toEqual([])
    })

    it("end under the flag by that alone", () => {
      const laps = new Laps()
      const events = new EventBuffer()
      const completed = keeps(90)
      laps.read(reading(10, { clock: 0, completed: keepsNone }), events)
      laps.read(reading(99.9, { clock: 89.9, completed: keepsNone }), events)
      laps.read(reading(100.1, { clock: 90.1, isOver: true, completed }), events)
      laps.learn(events)
      expect(events.take()).toEqual([expect.objectContaining({ lapTime: 90, start: 10, end: 100 })])
      expect(laps.lapNumber).toBe(Number.NaN)
    })
  })
})
