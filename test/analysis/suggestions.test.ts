import { describe, expect, it } from "vitest"
import { compare } from "../../src/analysis/compare/comparison.ts"
import { circuitNames } from "../../simulator/model/Circuit.ts"
import { changed } from "./faults.ts"
import { drive, drivenLap } from "./lapData.ts"
import {
  brakedEarly,
  brakingsOf,
  carriedLess,
  lapOf,
  profileOf,
  timesOf,
  type Profile
} from "./syntheticLap.ts"

const durationOf = (profile: Profile) => timesOf(profile).at(-1)!

describe("suggestions", () => {
  // Every heavy braking of every circuit, at a game's rate and at a slow logger's.
  const cases = circuitNames.flatMap((name) => {
    const profile = profileOf(drive(name), 3)
    return brakingsOf(profile).flatMap((braking) =>
      [60, 10].map((rate) => ({ name, profile, braking, rate, place: braking.slowest }))
    )
  })

  it.each(cases)("explain braking 20 m early before $place m of $name at $rate Hz", (given) => {
    const { braking, profile, rate } = given
    const worse = brakedEarly(profile, braking, 20)
    const lost = durationOf(worse) - durationOf(profile)
    const { corners, losses } = compare([lapOf(profile, 1, rate), lapOf(worse, 2, rate)])
    const [first] = losses
    const corner = corners.toSorted(
      (a, b) => Math.abs(a.apex - braking.slowest) - Math.abs(b.apex - braking.slowest)
    )[0]!
    expect(first).toMatchObject({ lapId: 2, cause: "braking", corner: corner.number })
    expect(Math.abs(first!.seconds / lost - 1)).toBeLessThan(0.15)
    expect(first!.sentence).toMatch(
      /^Corner \d+ \(unofficial number, \d+ m\): Lap 2 brakes \d+ m earlier and loses \d\.\d{3} s\.$/
    )
    const [own, other] = corner.passes
    const early = own!.brakingPoint! - other!.brakingPoint!
    expect(early).toBeGreaterThan(12)
    expect(early).toBeLessThan(24)
  })

  it.each(cases)("explain a corner 8 km/h slow at $place m of $name at $rate Hz", (given) => {
    const { braking, name, profile, rate } = given
    const worse = carriedLess(profile, braking, 8 / 3.6)
    const lost = durationOf(worse) - durationOf(profile)
    const { corners, losses } = compare([lapOf(profile, 1, rate), lapOf(worse, 2, rate)])
    const [first] = losses
    const corner = corners.toSorted(
      (a, b) => Math.abs(a.apex - braking.slowest) - Math.abs(b.apex - braking.slowest)
    )[0]!
    expect(first).toMatchObject({ lapId: 2, corner: corner.number })
    expect(Math.abs(first!.seconds / lost - 1)).toBeLessThan(0.15)
    // In one corner, which is left slowly, the throttle explains more.
    const isLeftSlowly = name === "Larkspur Park" && braking.slowest === 524
    expect(first!.cause).toBe(isLeftSlowly ? "partial throttle" : "minimum speed")
    expect(first!.sentence).toMatch(
      isLeftSlowly
        ? /has \d+ % throttle from/
        : /carries \d+ km\/h less minimum speed \(\d+ against \d+ km\/h\)/
    )
  })

  it("explain a straight with less speed", () => {
    const profile = profileOf(drive("Hollin Moor"), 3)
    // No faster than 225 km/h, as if a long gear were missing.
    const worse = { ...profile, speed: profile.speed.map((v) => Math.min(v, 225 / 3.6)) }
    const { losses } = compare([lapOf(profile, 1), lapOf(worse, 2)])
    expect(losses.some(({ cause, corner }) => cause === "top speed" && corner === null)).toBe(true)
    expect(losses.find(({ cause }) => cause === "top speed")!.sentence).toMatch(
      /has \d+ km\/h lower top speed \(225 against \d+ km\/h\)/
    )
    const lost = durationOf(worse) - durationOf(profile)
    expect(Math.abs(losses.reduce((sum, { seconds }) => sum + seconds, 0) / lost - 1)).toBeLessThan(0.05)
  })

  // Guards against an order of unresolved events: at 4 Hz, a brake was put on somewhere within 15 to 20 m.
  it("do not name who braked first if the points cannot show it", () => {
    const profile = profileOf(drive("Hollin Moor"), 3)
    let overlapping = 0
    for (const braking of brakingsOf(profile)) {
      const worse = brakedEarly(profile, braking, 8)
      const { corners, losses } = compare([lapOf(profile, 1, 4), lapOf(worse, 2, 4)])
      for (const { passes } of corners) {
        for (const { brakingInterval, brakingPoint } of passes) {
          expect(brakingInterval === null).toBe(brakingPoint === null)
          expect((brakingInterval?.[0] ?? 0) <= (brakingPoint ?? 0)).toBe(true)
          expect((brakingInterval?.[1] ?? 0) >= (brakingPoint ?? 0)).toBe(true)
        }
      }
      for (const { cause, corner } of losses.filter((loss) => loss.cause === "braking")) {
        const [own, other] = corners.find(({ number }) => number === corner)!.passes
        const [a, b] = [own!.brakingInterval!, other!.brakingInterval!]
        expect([cause, a[0] > b[1]]).toEqual(["braking", true])
      }
      overlapping += losses.filter(({ cause }) => cause !== "braking").length
    }
    expect(overlapping).toBeGreaterThan(0)
  })

  it.each([
    ["stops", 0.2, /^.+: Lap 2 stops at \d+ m and loses \d+\.\d{3} s\.$/],
    ["spins", 12 / 3.6, /^.+: Lap 2 spins or is off, down to 1\d km\/h at \d+ m \(\d+ km\/h\) and loses \d/]
  ])("report that a car %s, not that it is slower", (_what, least, wanted) => {
    const profile = profileOf(drive("Hollin Moor"), 3)
    const middle = profile.speed.length >> 1
    const speed = profile.speed.map((v, n) => Math.min(v, least + Math.abs(n - middle) * 0.4))
    const { losses } = compare([lapOf(profile, 1), lapOf({ ...profile, speed }, 2)])
    expect(losses[0]!.cause).toBe("spin or stop")
    expect(losses[0]!.sentence).toMatch(wanted)
  })

  // Guards against a cause for want of another: a longer line was named for paths that differ by millimetres.
  it("name a line only if it was longer, and no cause if nothing explains most of the loss", () => {
    const profile = profileOf(drive("Port Averno"), 3)
    // A speedometer that reads 3 % more than the car drives: no reported channel was slower.
    const worse = lapOf({ ...profile, speed: profile.speed.map((v) => v * 0.97) }, 2)
    const reported = changed(worse, [-1, 1e4], "speed", (v) => v / 0.97)
    const { losses } = compare([
      changed(lapOf(profile, 1), [-1, 1e4], "brake", () => 0),
      changed(reported, [-1, 1e4], "brake", () => 0)
    ])
    expect(losses).not.toEqual([])
    for (const { cause, sentence } of losses) {
      expect(cause).toBe(null)
      expect(sentence).toMatch(/: Lap 2 loses \d\.\d{3} s\.$/)
    }
  })

  it("are empty if nothing was lost", () => {
    const profile = profileOf(drive("Hollin Moor"), 3)
    expect(compare([lapOf(profile, 1), lapOf(profile, 2)]).suggestions).toEqual([])
  })

  it("come largest first, at most one for each corner and lap", () => {
    const from = drive("Port Averno")
    const { losses, suggestions } = compare([2, 3, 4, 5].map((lap) => drivenLap(from, lap)))
    expect(suggestions).toEqual(losses.map(({ sentence }) => sentence))
    const places = losses
      .filter(({ corner }) => corner !== null)
      .map(({ corner, lapId }) => `${lapId} ${corner}`)
    expect(new Set(places).size).toBe(places.length)
    expect(losses.map(({ seconds }) => seconds)).toEqual(
      losses.map(({ seconds }) => seconds).toSorted((a, b) => b - a)
    )
  })
})
