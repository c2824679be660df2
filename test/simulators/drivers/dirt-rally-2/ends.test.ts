/** How runs of DiRT Rally 2.0 end, which no packet tells: just before the line, with any packet or none after it. */
import { describe, expect, it } from "vitest"
import { FastCheck as fc } from "effect"
import { protocol } from "../../../../src/simulators/drivers/dirt-rally-2/DirtRally2Driver.ts"
import { packet as layout } from "../../../../src/simulators/drivers/dirt-rally-2/layout.ts"
import { linkOptions } from "../interpreting.ts"
import { eventsOf, pointAt, recorded } from "../recorded.ts"
import { stageLink } from "../stages.ts"

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

const link = () => stageLink(protocol.interpreter(linkOptions()))

/** Real runs stop here. */
const SHORT = [0.999_96, 0.999_99] as const

describe("a run that stops just before the line", () => {
  it.each(SHORT)("at %d is a lap after some seconds of silence, and only one", (share) => {
    const whole = link().receives(...run(share))
    expect(whole.laps).toEqual([[]])
    whole.waits(2)
    expect(whole.laps).toEqual([[]])
    whole.waits(60).ends()
    expect(whole.laps).toEqual([[[1, timeOf(share), true]]])
    expect(whole.counts).toEqual([1])
  })

  it.each(SHORT)("at %d is a lap at once when the link ends", (share) => {
    const whole = link()
      .receives(...run(share))
      .ends()
    expect(whole.laps).toEqual([[[1, timeOf(share), true]]])
    expect(whole.ends().laps).toEqual([[[1, timeOf(share), true]]])
  })

  it.each(SHORT)("at %d is a lap at once when zeros follow", (share) => {
    expect(link().receives(...run(share), zeros, zeros, zeros).laps).toEqual([[[1, timeOf(share), true]]])
  })

  it("is a lap, too, where the finish lies before the stage's length: when zeros come, the next run, or the end", () => {
    const lap = [1, timeOf(0.9993), true]
    expect(link().receives(...run(0.9993), zeros).laps).toEqual([[lap]])
    expect(
      link()
        .receives(...run(0.9993))
        .ends().laps
    ).toEqual([[lap]])
    expect(link().receives(...run(0.9993), ...run(0.1, 300)).laps).toEqual([[lap]])
    // It may be a pause so far.
    expect(
      link()
        .receives(...run(0.9993))
        .waits(59).laps
    ).toEqual([[]])
  })

  it("has the game's own time and is over where the game says that the lap is completed", () => {
    const over = packet({ lapTime: 0, totalTime: 100, distance: 999.8, lapsCompleted: 1, lastLap: 50.017 })
    expect(link().receives(...run(0.9996), over).laps).toEqual([[[1, 50.017, true]]])
  })

  it("has its sectors; the third is the rest of the time", () => {
    const sectors = { sector1: 12.25, sector2: 13.5 }
    const { events } = link()
      .receives(...run(0.999_97, 50, sectors))
      .ends()
    expect(eventsOf(events, "LapCompleted")[0]!.sectors).toEqual([
      12.25,
      13.5,
      expect.closeTo(timeOf(0.999_97) - 25.75, 6)
    ])
  })
})

describe("a run that is not finished is none, and none is made up", () => {
  const never = [[]]

  it("when it is given up near the line, whatever follows", () => {
    for (const share of [0.5, 0.99, 0.998]) {
      expect(
        link()
          .receives(...run(share))
          .waits(60)
          .ends().laps
      ).toEqual(never)
      expect(
        link()
          .receives(...run(share), zeros, zeros)
          .waits(60)
          .ends().laps
      ).toEqual(never)
      expect(link().receives(...run(share), ...run(0.1, 300)).laps).toEqual([[], []])
    }
  })

  it("when the car stands within a metre of the line, and is given up", () => {
    const drive = run(0.9995)
    const standing = Array.from({ length: HZ }, (_, n) => {
      const lapTime = timeOf(0.9995) + n / HZ
      return packet({ lapTime, totalTime: 50 + lapTime, distance: 999.5, speed: 0 })
    })
    expect(
      link()
        .receives(...drive, ...standing, zeros)
        .ends().laps
    ).toEqual(never)
  })

  it("when the game calls the lap of a driver who retires midway completed", () => {
    const out = packet({ lapTime: 20, totalTime: 70, distance: 400, lapsCompleted: 1, lastLap: 20 })
    expect(
      link()
        .receives(...run(0.4), out, out, zeros)
        .ends().laps
    ).toEqual(never)
  })

  it("while it is paused, however near the line; it goes on, and is reported once", () => {
    const whole = run(1.0001)
    const at = Math.floor(0.9993 * whole.length)
    const paused = link()
      .receives(...whole.slice(0, at))
      .waits(50)
    expect(paused.laps).toEqual(never)
    paused.receives(...whole.slice(at)).ends()
    expect(paused.laps).toEqual([[[1, 50, true]]])
  })
})

describe("packets of zeros", () => {
  it("are no session, and no points", () => {
    const { events } = link().receives(zeros, zeros).waits(60).ends()
    expect(events).toEqual([])
  })

  it("in the engine's rates alone, of a moving car, are refused: its runs could not be distinguished", () => {
    const { events } = link().receives(...run(0.1, 50, { maxRate: 0, idleRate: 0 }).slice(1))
    expect(new Set(events.map(({ _tag }) => _tag))).toEqual(new Set(["Refused"]))
  })

  it("between runs and in them leave no point behind, and end nothing", () => {
    const [drive, next] = [run(0.999_97), run(0.5, 100.03)]
    const { events, laps } = link().receives(
      zeros,
      ...drive,
      zeros,
      zeros,
      ...next.slice(0, 300),
      zeros,
      ...next.slice(300)
    )
    const [session, ...more] = recorded(events)
    expect(more).toEqual([])
    expect(laps).toHaveLength(1)
    expect(session!.batch.length).toBe(drive.length + next.length)
    for (let i = 0; i < session!.batch.length; i++) expect(pointAt(session!.batch, i)["position_x"]).toBe(1)
  })
})

describe("three runs in a row", () => {
  it.each([
    ["at once", []],
    ["after zeros", [zeros, zeros]]
  ] as const)("%s are one session with three laps", (_, between) => {
    const three = link()
    for (const began of [50, 200, 300]) three.receives(...run(0.999_97, began), ...between).waits(5)
    expect(three.ends().counts).toEqual([3])
    expect(three.laps).toEqual([[1, 2, 3].map((number) => [number, timeOf(0.999_97), true])])
  })

  it("of which the second was given up: the third is another session", () => {
    const three = link()
      .receives(...run(0.999_97), ...run(0.6, 200), ...run(0.999_97, 300))
      .ends()
    expect(three.laps).toEqual([[[1, timeOf(0.999_97), true]], [[1, timeOf(0.999_97), true]]])
  })
})

it("a penalty for being put back on the road is a part of the time, and no gap", () => {
  const drive = run(0.999_97)
  const at = 900
  const put = drive.map((bytes, n) => {
    if (n < at) return bytes
    const copy = Buffer.from(bytes)
    layout.write(copy, 0, { lapTime: n / HZ + 15 })
    return copy
  })
  const { events } = link()
    .receives(...put)
    .ends()
  const [lap] = eventsOf(events, "LapCompleted")
  expect(lap).toMatchObject({ valid: true, lapTime: expect.closeTo(timeOf(0.999_97) + 15, 2) })
  // It began where it was driven from, not 15 s before.
  expect(lap!.start).toBeCloseTo(recorded(events)[0]!.batch.timestamps[0]!, 3)
})

it("any run that is cut off anywhere is reported at most once, and only from a thousandth before the line on", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.99, max: 1, noNaN: true }),
      fc.constantFrom("silence", "zeros", "end", "next"),
      (share, what) => {
        // Joined shortly before, so it does not count.
        const one = link().receives(...run(share).slice(-100))
        if (what === "silence") one.waits(60)
        else if (what === "zeros") one.receives(zeros)
        else if (what === "next") one.receives(...run(0.05, 300))
        one.ends()
        const driven = (Math.floor((share * LENGTH * HZ) / SPEED) * SPEED) / HZ / LENGTH
        const isReported = Math.fround(driven) >= Math.fround(0.999)
        expect(one.laps[0]).toEqual(isReported ? [[1, timeOf(share), false]] : [])
      }
    ),
    { numRuns: 60 }
  )
})
