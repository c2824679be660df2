/** Causes that a pedal, a gear or a blow shows: on laps whose fault is known, on the cases, and held to the traces on real laps. */
import { describe, expect, it } from "vitest"
import { compare, compareTraced } from "../../src/analysis/compare/comparison.ts"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import type { Loss, Trace } from "../../src/domain/analysis/comparison.ts"
import { circuitNames } from "../../simulator/model/Circuit.ts"
import { needing } from "../support/needing.ts"
import { casesHere, recordingsHere, sharedFolder } from "../support/sharedData.ts"
import { changed } from "./faults.ts"
import { drive, lapsIn } from "./lapData.ts"
import { atPace, recording } from "./pairs.ts"
import { brakingsOf, driven, lapOf, profileOf, timesOf } from "./syntheticLap.ts"

/** Nodes after the slowest one until the car accelerates freely, and at least until the next braking. */
const OUT = 50
const FREE = 180
/** Of the throttle's model (syntheticLap.ts), m/s^2: half open. */
const OPEN = 1.5

const cases = circuitNames.flatMap((name) => {
  const profile = profileOf(drive(name), 3)
  const { speed, step } = profile
  const opens = (n: number) => (speed[n + 10]! ** 2 - speed[n]! ** 2) / (20 * step[n]!) > OPEN
  return brakingsOf(profile).flatMap(({ slowest }) => {
    const leaves = speed.subarray(slowest, slowest + FREE)
    const isFree = leaves.length === FREE && leaves.every((v, n) => n === 0 || v >= leaves[n - 1]!)
    return isFree && opens(slowest + OUT - 20) && opens(slowest + OUT + 20)
      ? [{ name, profile, slowest }]
      : []
  })
})

const open = (lap: LapData) => changed(lap, [-1, 1e4], "throttle", () => 1)

const lossesOf = (name: string, numbers: ReadonlyArray<number>) => {
  const laps = lapsIn(sharedFolder(`data/cases/analysis/${name}.ndjson.gz`))
  return compare(laps.filter(({ lap }) => numbers.includes(lap.lapNumber))).losses
}

const worst = (good: LapData, worse: LapData): Loss => compare([good, worse]).losses[0]!

describe("the cause of a loss after a corner", () => {
  it("has enough corners", () => expect(cases.length).toBeGreaterThan(10))

  it.each(cases)("is a second lift, $slowest m, $name", ({ profile, slowest }) => {
    const worse = driven(profile, slowest + OUT, slowest + OUT + 30, -1)
    const loss = worst(lapOf(profile, 1), lapOf(worse, 2))
    expect([loss.cause, loss.sentence]).toEqual([
      "second lift",
      expect.stringMatching(/lifts again to \d+ % between/)
    ])
    const lifts = profile.step.subarray(0, slowest + OUT).reduce((way, step) => way + step, 0)
    expect(Math.abs(loss.causeAt![0] - lifts)).toBeLessThan(15)
    expect(loss.from).toBeLessThan(loss.causeAt![0])
    expect(loss.to).toBeGreaterThan(loss.causeAt![1])
  })

  it.each(cases.slice(0, 3))(
    "is no lift if the gear is changed, $slowest m, $name",
    ({ profile, slowest }) => {
      const [from, to] = [slowest + OUT, slowest + OUT + 15]
      const worse = lapOf(driven(profile, from, to, -1), 2)
      const at = worse.lap.startTime + timesOf(profile)[from + 5]!
      const shifted = (lap: LapData) =>
        changed(lap, [-1, 1e4], "gear", (_, i) => (lap.points.timestamps[i]! < at ? 3 : 4))
      expect(worst(lapOf(profile, 1), worse).cause).toBe("second lift")
      expect(worst(shifted(lapOf(profile, 1)), shifted(worse)).cause).toBe(null)
    }
  )

  it.each(cases)("is a contact, $slowest m, $name", ({ profile, slowest }) => {
    const worse = driven(profile, slowest + OUT, slowest + OUT, 0, 20 / 3.6)
    const loss = worst(lapOf(profile, 1), lapOf(worse, 2))
    expect([loss.cause, loss.sentence]).toEqual([
      "contact",
      expect.stringMatching(/slows by \d+ km\/h within/)
    ])
  })

  it.each(cases)("is a longer gear, $slowest m, $name", ({ profile, slowest }) => {
    const worse = driven(profile, slowest + OUT, slowest + OUT + 80, 0)
    const slow = changed(open(lapOf(worse, 2)), [-1, 1e4], "gear", () => 5)
    expect(worst(open(lapOf(profile, 1)), slow).cause).toBe("gear")
  })
})

describe("on recordings of laps that went wrong", needing(casesHere), () => {
  it("names the second lift, and no throttle that was 5 m late", () => {
    const loss = lossesOf("throttle-okayama", [3, 5]).find(({ corner }) => corner === 2)!
    expect(loss.cause).toBe("second lift")
    expect(Math.abs(loss.causeAt![0] - 580)).toBeLessThan(15)
    expect(Math.abs(loss.causeAt![1] - 640)).toBeLessThan(15)
  })

  it("names the wall, and no throttle that was 62 m late", () => {
    const [loss] = lossesOf("throttle-oval-contact", [4, 5])
    expect(loss!.cause).toBe("contact")
    expect(loss!.sentence).toMatch(/slows by \d+ km\/h within \d m at 15\d\d m/)
  })

  // The lap was 9 km/h slower where it began the straight, whose top speed of 225 km/h is the faster lap's to 2 km/h.
  it("names no lower top speed by the speeds at a straight's begin", () => {
    const loss = lossesOf("race-monaco", [36, 78]).find(({ from }) => Math.abs(from - 2084) < 5)!
    expect(loss).toMatchObject({ corner: null, cause: null })
  })

  // The lift costs 0.04 of 0.169 s: both laps brake to the same hairpin after it.
  it("names no lift whose cost the braking after it took off", () => {
    const loss = lossesOf("race-monaco", [36, 65]).find(({ cornerLabel }) => cornerLabel === "6")!
    expect(loss.cause).toBe(null)
  })
})

/** The values of a trace between two places. */
const between = (trace: Trace, values: Float64Array, [from, to]: readonly [number, number]) =>
  values.filter((_, n) => trace.distance[n]! >= from - 1 && trace.distance[n]! <= to + 1)

const mean = (values: Float64Array) => values.reduce((a, b) => a + b, 0) / values.length

describe("on real laps", needing(recordingsHere), () => {
  // Of each recording the best lap with every other one.
  const names =
    recordingsHere.missing === undefined
      ? (["f1-bahrain-2026-ant", "ams2-road-america", "ac-lime-rock"] as const)
      : []
  const compared = names.flatMap((name) => {
    const laps = atPace(recording(name)).toSorted((a, b) => a.lap.lapTime! - b.lap.lapTime!)
    return laps.slice(1).map((lap) => ({ name, pair: [laps[0]!, lap] as const }))
  })

  it("no sentence says of a pedal what the traces refute", () => {
    const named = new Set<string | null>()
    const refuted: Array<string> = []
    for (const { name, pair } of compared) {
      const { fastestLapId, losses, traces } = compareTraced([...pair])
      for (const { cause, causeAt, lapId, sentence } of losses) {
        named.add(cause)
        if (causeAt === null) continue
        const lap = traces.find((trace) => trace.lapId === lapId)!
        const faster = traces.find((trace) => trace.lapId === fastestLapId)!
        const own = between(lap, lap.throttle, causeAt)
        const lifted =
          Math.max(...between(lap, lap.throttle, [causeAt[0] - 20, causeAt[0]])) - Math.min(...own)
        const less = mean(between(faster, faster.throttle, causeAt)) - mean(own)
        const isTrue = {
          lift: lifted >= 0.15 && less >= 0.05,
          "second lift": lifted >= 0.15 && less >= 0.05,
          throttle: less >= 0.05,
          "partial throttle": less >= 0.05,
          coasting: less >= 0.05 && mean(own) < 0.1,
          // Where the faster lap turns in, this one's wheel is still straighter.
          "late turn-in":
            Math.abs(mean(between(lap, lap.steering, causeAt))) <
            Math.abs(mean(between(faster, faster.steering, causeAt)))
        }
        if (Object.hasOwn(isTrue, cause!) && !isTrue[cause as keyof typeof isTrue])
          refuted.push(`${name}: ${sentence}`)
      }
    }
    expect(refuted).toEqual([])
    // No car hit anything: hard brakings of Bahrain, whose speed comes in steps, passed for contacts.
    expect([...named]).not.toContain("contact")
    // Kinds that these laps show.
    expect([...named]).toEqual(
      expect.arrayContaining(["late turn-in", "lift", "minimum speed", "partial throttle", "second lift"])
    )
  })

  // Guards against "arrives 2 km/h slower" for a tenth: a braking ends at the same speed, whatever it began with.
  it("no corner that the faster lap brakes for is lost by arriving slower", () => {
    let arrivals = 0
    for (const { pair } of compared) {
      const { corners, fastestLapId, losses } = compare([...pair])
      for (const { cause, cornerLabel } of losses) {
        if (cause !== "entry speed") continue
        arrivals++
        const { passes } = corners.find(({ label }) => label === cornerLabel)!
        expect(passes.find(({ lapId }) => lapId === fastestLapId)!.brakingPoint).toBe(null)
      }
    }
    expect(arrivals).toBeGreaterThan(10)
  })

  it("a throttle that was open all along has no throttle point", () => {
    let open = 0
    for (const { pair } of compared.filter((_, n) => n % 4 === 0)) {
      const { corners, traces } = compareTraced([...pair])
      for (const { entry, exit, passes } of corners) {
        if (exit < entry) continue
        for (const { lapId, throttlePoint } of passes) {
          const lap = traces.find((trace) => trace.lapId === lapId)!
          const throttle = between(lap, lap.throttle, [entry, exit])
          if (!throttle.every((value) => value >= 0.5)) continue
          open++
          expect(throttlePoint).toBe(null)
        }
      }
    }
    expect(open).toBeGreaterThan(10)
  })
})
