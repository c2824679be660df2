/** Rules 1, 2, 4, 5, 6 and 12 of the timekeeper, by moments. */
import { describe, expect, it } from "vitest"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { EventBuffer, newSample } from "../../../src/simulators/EventBuffer.ts"
import type { Moment } from "../../../src/simulators/timekeeping/Moment.ts"
import { Timekeeper } from "../../../src/simulators/timekeeping/Timekeeper.ts"
import { isPoints, isSamples } from "../rows.ts"

const STEP_S = 0.5

/** A drive of 40 s from `clock` on: a moment every half second. */
const lap = (from: number, lapNumber: number, more: Partial<Moment> = {}, seconds = 40) =>
  Array.from({ length: seconds / STEP_S }, (_, n): Moment => {
    const clock = (more.clock ?? 0) + n * STEP_S
    return { lastLap: null, bestLap: null, ...more, time: from + n * STEP_S, lapNumber, clock }
  })

/** The events that the recorder gets for these moments, each with a point; and the number of the lap of each. */
const keep = (moments: ReadonlyArray<Moment>, isOver = false) => {
  const events = new EventBuffer()
  const timekeeper = new Timekeeper(
    () => ({ circuit: "", vehicle: "", driver: "", circuitLength: undefined }),
    () => {}
  )
  const numbers: Array<number> = []
  const sample = newSample()
  for (const moment of moments) {
    timekeeper.read(moment, moment.time, events)
    sample.time = moment.time
    sample.lapNumber = timekeeper.lapNumber
    numbers.push(timekeeper.lapNumber)
    events.point(sample)
  }
  if (isOver) timekeeper.end(events)
  else timekeeper.linkLost(events)
  return { events: events.take(), numbers }
}

/** The number of points of each session. */
const pointsOf = (events: ReadonlyArray<SimulatorEvent>) => {
  const sessions: Array<number> = []
  for (const event of events) {
    if (event._tag === "SessionStarted") sessions.push(0)
    if (isPoints(event)) sessions[sessions.length - 1]! += event.batch.length
  }
  return sessions
}

const vehiclesOf = (events: ReadonlyArray<SimulatorEvent>) =>
  events.flatMap((event) => (event._tag === "SessionStarted" ? [event.vehicle] : []))

const lapsOf = (events: ReadonlyArray<SimulatorEvent>) =>
  events.flatMap((event) =>
    event._tag === "LapCompleted"
      ? [`${event.lapNumber}: ${event.lapTime} from ${event.start} to ${event.end}${event.driver ?? ""}`]
      : event._tag === "LapChanged"
        ? [`ref ${event.ref}: ${JSON.stringify(event.change)}`]
        : []
  )

/** A game that keeps laps of these times. */
const keeping =
  (...times: ReadonlyArray<number>) =>
  (lapNumber: number) => {
    const lapTime = times[lapNumber - 1]
    return lapTime === undefined ? undefined : { lapTime, sectors: [10, 10, 19.5] as const, valid: true }
  }

const twoLaps = [...lap(100, 1), ...lap(140, 2, { lastLap: 40, bestLap: 40 })]

describe("a session goes on", () => {
  it("over a silence of any length, without a gap in the lap's clock", () => {
    const paused = [
      ...lap(100, 1, {}, 20),
      ...lap(120, 1, { clock: 20 }, 20),
      ...lap(140, 2, { lastLap: 40 })
    ]
    const { events } = keep(paused)
    expect(pointsOf(events)).toEqual([160])
    expect(lapsOf(events)).toEqual(["1: 40 from 100 to 140"])
  })

  it("through a flicker of any one moment, which costs no point", () => {
    for (const flicker of [
      { lapNumber: 1, clock: 0 },
      { car: "other" },
      { course: "other" },
      { kind: "race" },
      { bestLap: null },
      { bestLap: 50 },
      { lastLap: null }
    ]) {
      const reported = { car: "one", course: "one", kind: "practice" }
      const moments = [...lap(100, 1, reported), ...lap(140, 2, { ...reported, lastLap: 40, bestLap: 40 })]
      moments[100] = { ...moments[100]!, ...flicker }
      const { events } = keep([...moments, ...lap(180, 3, { ...reported, lastLap: 40.1, bestLap: 40 })])
      expect(pointsOf(events)).toEqual([240])
      expect(lapsOf(events)).toEqual(["1: 40 from 100 to 140", "2: 40.1 from 140 to 180"])
    }
  })

  it("if a rewind leads over the line: the lap that it took back is withdrawn", () => {
    const again = lap(150, 1, { clock: 35, isRewound: true }, 6)
    const moments = [...twoLaps.slice(0, 100), ...again, ...lap(156, 2, { lastLap: 41 })]
    for (const isRace of [undefined, false, true]) {
      const { events } = keep(inRace(isRace, moments))
      expect(pointsOf(events)).toHaveLength(1)
      expect(lapsOf(events)).toEqual([
        "1: 40 from 100 to 140",
        'ref 1: {"valid":false,"withdrawn":true}',
        // Its clock started at 115, but laps do not overlap.
        "1: 41 from 140 to 156"
      ])
    }
  })
})

describe("another session begins, dated back to the first moment", () => {
  it.each<readonly [string, Partial<Moment>]>([
    ["if the count falls", { lapNumber: 1 }],
    ["if the session's clock falls", { sessionClock: 0 }],
    ["of another car", { car: "other" }],
    ["of another course", { course: "other" }],
    ["of another kind", { kind: "other" }],
    ["if a last lap is gone", { lapNumber: 2, bestLap: 40, lastLap: null }],
    ["if the best lap is gone", { lapNumber: 2, bestLap: null, lastLap: 40 }],
    ["if the best lap got worse", { lapNumber: 2, bestLap: 41, lastLap: 40 }]
  ])("%s", (_, more) => {
    const reported = { car: "one", course: "one", kind: "one", sessionClock: 1000 }
    const before = twoLaps.map((moment) => ({ ...moment, ...reported }))
    const anew = lap(180, 1, { ...reported, ...more }, 5).map((moment) => ({ ...moment, ...more }))
    expect(pointsOf(keep([...before, ...anew]).events)).toEqual([160, 10])
  })
})

const inRace = (isRace: boolean | undefined, moments: ReadonlyArray<Moment>) =>
  moments.map((moment): Moment => ({ ...moment, isRace }))

/** Rule 3. */
describe("a count or a clock that falls", () => {
  const again = lap(200, 3, { lastLap: 40, bestLap: 40 })
  const half = lap(180, 3, { lastLap: 40, bestLap: 40 }, 20)

  it("in practice begins another run, whose laps are the session's as those before", () => {
    const run = [
      ...lap(180, 1, { lastLap: 40, bestLap: 40 }),
      ...lap(220, 2, { lastLap: 39, bestLap: 39 }, 5)
    ]
    const { events } = keep(inRace(false, [...twoLaps, ...run]))
    expect(pointsOf(events)).toEqual([250])
    // The lap under way was given up.
    expect(lapsOf(events)).toEqual(["1: 40 from 100 to 140", "1: 39 from 180 to 220"])
    const garage = lap(180, 0, { lastLap: 40, bestLap: 40 }, 5)
    const { events: out, numbers } = keep(inRace(false, [...twoLaps, ...garage]))
    expect(pointsOf(out)).toEqual([170])
    expect(numbers.slice(161)).toEqual(Array.from({ length: 9 }, () => Number.NaN))
  })

  it("begins a race again, in its first lap or a later one, and no other lap", () => {
    const moments = [...twoLaps, ...half, ...again]
    expect(pointsOf(keep(inRace(true, moments)).events)).toEqual([200, 80])
    expect(pointsOf(keep(inRace(false, moments)).events)).toEqual([280])
    expect(pointsOf(keep(inRace(undefined, moments)).events)).toEqual([280])
  })

  it("in one moment is not believed", () => {
    const moments = inRace(true, [...twoLaps, ...lap(180, 3, { lastLap: 40, bestLap: 40 })])
    moments[200] = { ...moments[200]!, clock: 0 }
    const { events } = keep(moments)
    expect(pointsOf(events)).toEqual([240])
  })
})

describe("a session's first moment", () => {
  const reported = { car: "one", course: "one", kind: "one", sessionClock: 1000 }
  const right = lap(100, 2, { ...reported, lastLap: 40, bestLap: 40 }, 10)
  const nameless = { circuit: "", vehicle: "", driver: "", circuitLength: undefined }
  it.each<readonly [string, Partial<Moment>]>([
    ["a later lap", { lapNumber: 5 }],
    ["another car", { car: "other" }],
    ["another course", { course: "other" }],
    ["another kind", { kind: "other" }],
    ["a better best lap", { bestLap: 30 }],
    ["a later session clock", { sessionClock: 2000 }]
  ])("that is a false one, of %s, makes no session and costs its own point", (_, more) => {
    const { events } = keep([{ ...right[0]!, ...more, time: 99.5 }, ...right])
    expect(pointsOf(events)).toEqual([20])
    expect(events.filter(({ _tag }) => _tag === "Discarded")).toEqual([
      { _tag: "Discarded", reason: "late", points: 1 }
    ])
  })

  it("waits for the second, even if the names are known", () => {
    const events = new EventBuffer()
    const timekeeper = new Timekeeper(
      () => ({ ...nameless, vehicle: "one" }),
      () => {}
    )
    timekeeper.read(right[0]!, 100, events)
    events.point({ ...newSample(), time: 100 })
    timekeeper.settle(105, events)
    expect(events.take()).toEqual([])
    timekeeper.read(right[1]!, 100.5, events)
    expect(vehiclesOf(events.take())).toEqual(["one"])
  })

  it.each(["leave", "end", "linkLost"] as const)("is a session by itself if %s follows it", (how) => {
    const events = new EventBuffer()
    const timekeeper = new Timekeeper(
      () => nameless,
      () => {}
    )
    timekeeper.read(right[0]!, 100, events)
    events.point({ ...newSample(), time: 100 })
    timekeeper[how](events)
    expect(pointsOf(events.take())).toEqual([1])
  })

  it("that is a false one loses nothing that was reported meanwhile for the link", () => {
    const events = new EventBuffer()
    let car = ""
    const timekeeper = new Timekeeper(
      () => ({ ...nameless, vehicle: car }),
      () => {}
    )
    const groups = [{ name: "tyres", channels: [{ name: "tyre_wear_fl" }] }]
    const sample = (time: number) =>
      events.sample({ name: "tyres", columns: ["timestamp", "tyre_wear_fl"] }, Float64Array.of(time, 0.5))
    const read = (moment: Moment, vehicle: string) => {
      car = vehicle
      timekeeper.read(moment, moment.time, events)
      if (vehicle === "other") events.declare(groups)
      events.point({ ...newSample(), time: moment.time })
      sample(moment.time)
    }
    read({ ...right[0]!, car: "other", time: 99.5 }, "other")
    events.refuse("cut short")
    for (const moment of right) read(moment, "one")
    const taken = events.take()
    expect(vehiclesOf(taken)).toEqual(["one"])
    expect(taken.slice(0, 3)).toMatchObject([
      { _tag: "ChannelsDeclared", groups },
      { _tag: "Refused", reason: "cut short" },
      { _tag: "SessionStarted" }
    ])
    const rows = taken.flatMap((event) => (isSamples(event) ? [...event.batch.timestamps] : []))
    expect(rows).toEqual(right.map(({ time }) => time))
    expect(pointsOf(taken)).toEqual([20])
  })
})

describe("the game's own name of a session decides alone", () => {
  const reported = { session: 7n, car: "one", course: "one", kind: "one", sessionClock: 1000 }
  const before = twoLaps.map((moment) => ({ ...moment, ...reported }))
  const of = (more: Partial<Moment>, from = 180) =>
    lap(from, 3, { ...reported, lastLap: 40, bestLap: 40, ...more }, 5).map((moment) => ({
      ...moment,
      ...more
    }))

  it.each<readonly [string, Partial<Moment>]>([
    ["count", { lapNumber: 1 }],
    ["count, as in a menu", { lapNumber: 0, clock: 0 }],
    ["clock", { sessionClock: 0 }],
    ["car", { car: "other" }],
    ["course", { course: "other" }],
    ["kind", { kind: "other" }],
    ["last lap", { lapNumber: 2, lastLap: null }],
    ["best lap", { lapNumber: 2, bestLap: 41 }]
  ])("over another %s, and any silence", (_, more) => {
    expect(pointsOf(keep([...before, ...of(more, 1000)]).events)).toEqual([170])
  })

  it("if nothing else changes: dated back to the first moment", () => {
    const { events, numbers } = keep([...before, ...of({ session: 8n })])
    expect(pointsOf(events)).toEqual([160, 10])
    expect(numbers.slice(160)).toEqual(Array.from({ length: 10 }, () => 3))
    expect(keep([...before, ...of({ session: 8n, lapNumber: 0 })]).numbers.slice(160)).toEqual(
      Array.from({ length: 10 }, () => Number.NaN)
    )
  })

  it("also if it was joined behind the flag", () => {
    const behind = lap(100, 5, { ...reported, isOver: true }, 5)
    expect(pointsOf(keep([...behind, ...of({ session: 8n })]).events)).toEqual([10, 10])
  })

  it("but not by one moment against all others", () => {
    const moments = [...before, ...of({})]
    moments[100] = { ...moments[100]!, session: 8n }
    const { events } = keep(moments)
    expect(pointsOf(events)).toEqual([170])
    expect(lapsOf(events)).toEqual(["1: 40 from 100 to 140", "2: 40 from 140 to 180"])
  })

  it("if names are missing: its points are no points of the next one", () => {
    const events = new EventBuffer()
    const names = { circuit: "", vehicle: "", driver: "", circuitLength: undefined }
    const timekeeper = new Timekeeper(
      () => names,
      () => {},
      () => false
    )
    for (const moment of [...before.slice(0, 10), ...of({ session: 8n }, 105)]) {
      timekeeper.read(moment, moment.time, events)
      events.point({ ...newSample(), time: moment.time })
    }
    timekeeper.linkLost(events)
    expect(pointsOf(events.take())).toEqual([10, 10])
  })

  it("over a save that was loaded: the laps after it are withdrawn", () => {
    const loaded = lap(1000, 1, { ...reported, clock: 20, isRewound: true }, 20)
    const again = [...before, ...loaded, ...lap(1020, 2, { ...reported, lastLap: 42 }, 5)]
    const { events } = keep(again)
    expect(pointsOf(events)).toEqual([210])
    expect(lapsOf(events)).toEqual([
      "1: 40 from 100 to 140",
      'ref 1: {"valid":false,"withdrawn":true}',
      "1: 42 from 978 to 1020"
    ])
  })
})

describe("laps that the game keeps by their numbers", () => {
  it("are reported before another session begins, and at the end of a session", () => {
    const completed = keeping(40, 39.5)
    const one = { session: 7n, completed }
    const driven = [...lap(100, 1, one), ...lap(140, 2, { ...one, lastLap: 40 }, 39)]
    const right = ["1: 40 from 100 to 140", "2: 39.5 from 140 to 179.5"]
    const { events } = keep([...driven, ...lap(179, 1, { session: 8n, completed: keeping() }, 5)])
    expect(lapsOf(events)).toEqual(right)
    expect(pointsOf(events)).toEqual([158, 10])
    const reported = events.flatMap(({ _tag }) =>
      _tag === "Rows" || _tag === "ChannelsDeclared" ? [] : [_tag]
    )
    expect(reported).toEqual(["SessionStarted", "LapCompleted", "LapCompleted", "SessionStarted"])
    const over = keep(driven, true).events
    expect(lapsOf(over)).toEqual(right)
    expect(over.at(-1)?._tag).toBe("SessionEnded")
  })

  it("end no lap that is longer already: it is of another try", () => {
    const driven = lap(100, 1, { completed: keeping(30) }, 35)
    expect(lapsOf(keep(driven, true).events)).toEqual([])
  })
})

describe("laps", () => {
  it("begin where their clock starts, whatever their number; the way before is in no lap", () => {
    const way = lap(100, 3, { clock: 0 }, 10).map((moment) => ({ ...moment, clock: 0 }))
    const { events, numbers } = keep([...way, ...lap(110, 3), ...lap(150, 4, { lastLap: 40 })])
    expect(lapsOf(events)).toEqual(["3: 40 from 110 to 150"])
    expect(numbers.slice(1, 20)).toEqual(Array.from({ length: 19 }, () => Number.NaN))
    expect(numbers.slice(21, 100)).toEqual(Array.from({ length: 79 }, () => 3))
    const givenUp = keep([...lap(100, 2, {}, 20), ...lap(120, 2), ...lap(160, 3, { lastLap: 40 })])
    expect(lapsOf(givenUp.events)).toEqual(["2: 40 from 120 to 160"])
  })

  it("end behind the flag, and the way after it is in none", () => {
    const after = lap(180, 2, { lastLap: 39.7, bestLap: 39.7, isOver: true }, 5)
    const { events, numbers } = keep([...twoLaps, ...after])
    expect(lapsOf(events)).toEqual(["1: 40 from 100 to 140", "2: 39.7 from 140 to 179.7"])
    expect(numbers.slice(-10)).toEqual(Array.from({ length: 10 }, () => Number.NaN))
    const counted = lap(180, 3, { lastLap: 39.7, bestLap: 39.7, laps: 2 }, 5)
    expect(keep([...twoLaps, ...counted]).numbers.slice(-10)).toEqual(
      after.slice(0, 10).map(() => Number.NaN)
    )
  })

  it("end when their time is reported, even if the count stays", () => {
    const stays = lap(180, 2, { clock: 40, lastLap: 39.9, bestLap: 39.9 }, 5)
    expect(lapsOf(keep([...twoLaps, ...stays]).events)).toEqual([
      "1: 40 from 100 to 140",
      "2: 39.9 from 140 to 179.9"
    ])
  })

  it("are those of their drivers", () => {
    const { events } = keep([
      ...lap(100, 1, { driver: "A" }),
      ...lap(140, 2, { driver: "B", lastLap: 40 }),
      ...lap(180, 3, { driver: "B", lastLap: 41 })
    ])
    expect(lapsOf(events)).toEqual(["1: 40 from 100 to 140", "2: 41 from 140 to 180B"])
  })
})
