/** How runs of DiRT Rally 2.0 end, which no packet states: just before the line, with any packet or none after it. */
import { describe, expect, it } from "vitest"
import { FastCheck as fc } from "effect"
import { protocol } from "../../../../src/simulators/drivers/dirt-rally-2/DirtRally2Driver.ts"
import { packet as layout } from "../../../../src/simulators/drivers/dirt-rally-2/layout.ts"
import { linkOptions } from "../interpreting.ts"
import { eventsOf, recorded } from "../suite/events.ts"
import { countsIn, eventsAfter, lapsIn, type Part } from "../stages.ts"

type Values = Partial<Record<keyof typeof layout.read, number>>

const LENGTH = 1000
/** m/s. */
const SPEED = 20
const HZ = 60

const packet = (values: Values): Buffer => {
  const bytes = Buffer.alloc(264)
  const { distance = 0 } = values
  const car = { maxGears: 5, maxRate: 800, idleRate: 150, positionX: 1, positionY: 1, positionZ: 1 }
  const stage = { totalLaps: 1, trackLength: LENGTH, progress: distance / LENGTH }
  layout.write(bytes, 0, { ...car, ...stage, ...values })
  return bytes
}

/** A packet that the game sends outside runs. */
const zeros = Buffer.alloc(264)

/** A run at a steady pace up to `until`, a share of the stage, as the game shows it at 60 Hz; its clock begins at `began`. */
const run = (until: number, began = 50, more: Values = {}): ReadonlyArray<Buffer> => {
  const frames = Math.floor((until * LENGTH * HZ) / SPEED)
  return Array.from({ length: frames + 1 }, (_, n) => {
    const lapTime = n / HZ
    return packet({ lapTime, totalTime: began + lapTime, distance: SPEED * lapTime, speed: SPEED, ...more })
  })
}

/** The stage time of the last packet of such a run, in s to the millisecond. */
const timeOf = (until: number) =>
  Math.round(Math.fround(Math.floor((until * LENGTH * HZ) / SPEED) / HZ) * 1000) / 1000

const after = (...parts: ReadonlyArray<Part>) => eventsAfter(protocol.interpreter(linkOptions()), parts)
const lapsAfter = (...parts: ReadonlyArray<Part>) => lapsIn(after(...parts))

/** The finished run of a session, up to this share of the stage. */
const lap = (until: number, number = 1) => [number, timeOf(until), true]

describe("a run that stops just before the line", () => {
  // Real runs stop here.
  describe.each([0.999_96, 0.999_99])("at %d", (share) => {
    it.each<[what: string, parts: ReadonlyArray<Part>, laps: ReadonlyArray<unknown>]>([
      ["no lap yet without anything after it", [], []],
      ["no lap yet after two seconds of silence", [2], []],
      ["one lap after more silence, and the end", [2, 60, "end"], [lap(share)]],
      ["one lap when the link ends, once or twice", ["end", "end"], [lap(share)]],
      ["one lap when zeros follow", [[zeros, zeros, zeros]], [lap(share)]]
    ])("is %s", (_, parts, laps) => {
      const events = after(run(share), ...parts)
      expect(lapsIn(events)).toEqual([laps])
      expect(countsIn(events)).toEqual([1])
    })
  })

  it.each<[what: string, part: Part, laps: ReadonlyArray<unknown>]>([
    ["zeros come", [zeros], [lap(0.9993)]],
    ["the link ends", "end", [lap(0.9993)]],
    ["the next run begins", run(0.1, 300), [lap(0.9993)]],
    ["only a silence comes, which may be a pause (no lap yet)", 59, []]
  ])("that finishes before the stage's length is a lap as soon as it is over: %s", (_, part, laps) => {
    expect(lapsAfter(run(0.9993), part)).toEqual([laps])
  })

  it("has the game's own time, and is over when the game reports the lap as completed", () => {
    const over = packet({ lapTime: 0, totalTime: 100, distance: 999.8, lapsCompleted: 1, lastLap: 50.017 })
    expect(lapsAfter(run(0.9996), [over])).toEqual([[[1, 50.017, true]]])
  })

  it("has its sectors; the third is the rest of the time", () => {
    const events = after(run(0.999_97, 50, { sector1: 12.25, sector2: 13.5 }), "end")
    const rest = expect.closeTo(timeOf(0.999_97) - 25.75, 6)
    expect(eventsOf(events, "LapCompleted")[0]!.sectors).toEqual([12.25, 13.5, rest])
  })
})

describe("a run that is not finished gives no lap", () => {
  it.each([0.5, 0.99, 0.998])("when it is given up at %d, whatever follows", (share) => {
    expect(lapsAfter(run(share), 60, "end")).toEqual([[]])
    expect(lapsAfter(run(share), [zeros, zeros], 60, "end")).toEqual([[]])
    expect(lapsAfter(run(share), run(0.1, 300))).toEqual([[], []])
  })

  it("when the car stands within a metre of the line, and is given up", () => {
    const standing = Array.from({ length: HZ }, (_, n) => {
      const lapTime = timeOf(0.9995) + n / HZ
      return packet({ lapTime, totalTime: 50 + lapTime, distance: 999.5, speed: 0 })
    })
    expect(lapsAfter(run(0.9995), standing, [zeros], "end")).toEqual([[]])
  })

  it("when the game reports the lap of a driver who retires midway as completed", () => {
    const out = packet({ lapTime: 20, totalTime: 70, distance: 400, lapsCompleted: 1, lastLap: 20 })
    expect(lapsAfter(run(0.4), [out, out, zeros], "end")).toEqual([[]])
  })

  it("while it is paused, however near the line; it goes on, and is reported once", () => {
    const whole = run(1.0001)
    const at = Math.floor(0.9993 * whole.length)
    expect(lapsAfter(whole.slice(0, at), 50)).toEqual([[]])
    expect(lapsAfter(whole.slice(0, at), 50, whole.slice(at), "end")).toEqual([[[1, 50, true]]])
  })
})

describe("packets of zeros", () => {
  it("are no session, and no points", () => {
    expect(after([zeros, zeros], 60, "end")).toEqual([])
  })

  it("in the engine's rates alone, of a moving car, are refused, because its runs could not be distinguished", () => {
    const events = after(run(0.1, 50, { maxRate: 0, idleRate: 0 }).slice(1))
    expect(new Set(events.map(({ _tag }) => _tag))).toEqual(new Set(["Refused"]))
  })

  it("between runs and in them leave no point behind, and end nothing", () => {
    const [drive, next] = [run(0.999_97), run(0.5, 100.03)]
    const around = [zeros, ...drive, zeros, zeros, ...next.slice(0, 300), zeros, ...next.slice(300)]
    const [session, ...more] = recorded(after(around))
    expect(more).toEqual([])
    const xs = session!.batch.column("position_x")
    expect(xs).toHaveLength(drive.length + next.length)
    expect(new Set(xs)).toEqual(new Set([1]))
  })
})

describe("three runs in a row", () => {
  it.each([
    ["at once", []],
    ["after zeros", [zeros, zeros]]
  ])("%s are one session with three laps", (_, between) => {
    const events = after(
      ...[50, 200, 300].flatMap((began) => [[...run(0.999_97, began), ...between], 5]),
      "end"
    )
    expect(countsIn(events)).toEqual([3])
    expect(lapsIn(events)).toEqual([[1, 2, 3].map((number) => lap(0.999_97, number))])
  })

  it("of which the second was given up end in another session", () => {
    const laps = lapsAfter(run(0.999_97), run(0.6, 200), run(0.999_97, 300), "end")
    expect(laps).toEqual([[lap(0.999_97)], [lap(0.999_97)]])
  })
})

it("have a penalty for being put back on the road in their time, and no gap", () => {
  const put = run(0.999_97).map((bytes, n) => {
    if (n >= 900) layout.write(bytes, 0, { lapTime: n / HZ + 15 })
    return bytes
  })
  const events = after(put, "end")
  const [penalised] = eventsOf(events, "LapCompleted")
  expect(penalised).toMatchObject({ valid: true, lapTime: expect.closeTo(timeOf(0.999_97) + 15, 2) })
  // It began where it was driven from, not 15 s before.
  expect(penalised!.start).toBeCloseTo(recorded(events)[0]!.batch.timestamps[0]!, 3)
})

it("are reported at most once if they are cut off anywhere, and only from a thousandth before the line on", () => {
  const ends: Readonly<Record<string, Part>> = {
    silence: 60,
    zeros: [zeros],
    end: "end",
    next: run(0.05, 300)
  }
  fc.assert(
    fc.property(
      fc.double({ min: 0.99, max: 1, noNaN: true }),
      fc.constantFrom(...Object.keys(ends)),
      (share, what) => {
        // Joined shortly before, so it does not count.
        const [laps] = lapsAfter(run(share).slice(-100), ends[what]!, "end")
        const driven = (Math.floor((share * LENGTH * HZ) / SPEED) * SPEED) / HZ / LENGTH
        const isReported = Math.fround(driven) >= Math.fround(0.999)
        expect(laps).toEqual(isReported ? [[1, timeOf(share), false]] : [])
      }
    ),
    { numRuns: 60 }
  )
})
