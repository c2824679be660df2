import { describe, expect, it } from "vitest"
import { compare } from "../../src/analysis/comparison.ts"
import { circuitNames } from "../../src/simulate/model/Circuit.ts"
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
    expect(first).toMatchObject({ lap_id: 2, cause: "braking", corner: corner.number })
    expect(Math.abs(first!.seconds / lost - 1)).toBeLessThan(0.15)
    expect(first!.sentence).toMatch(
      /^Corner \d+ \(\d+ m\): Lap 2 brakes \d+ m earlier and loses \d\.\d{3} s\.$/
    )
    const [own, other] = corner.passes
    const early = own!.braking_point! - other!.braking_point!
    expect(early).toBeGreaterThan(12)
    expect(early).toBeLessThan(24)
  })

  it.each(cases)("explain a corner 8 km/h slow at $place m of $name at $rate Hz", (given) => {
    const { braking, profile, rate } = given
    const worse = carriedLess(profile, braking, 8 / 3.6)
    const lost = durationOf(worse) - durationOf(profile)
    const { corners, losses } = compare([lapOf(profile, 1, rate), lapOf(worse, 2, rate)])
    const [first] = losses
    const corner = corners.toSorted(
      (a, b) => Math.abs(a.apex - braking.slowest) - Math.abs(b.apex - braking.slowest)
    )[0]!
    expect(first).toMatchObject({ lap_id: 2, cause: "minimum speed", corner: corner.number })
    expect(Math.abs(first!.seconds / lost - 1)).toBeLessThan(0.15)
    expect(first!.sentence).toMatch(/carries \d+ km\/h less minimum speed \(\d+ against \d+ km\/h\)/)
  })

  it("explain a straight with less speed", () => {
    const profile = profileOf(drive("Hollin Moor"), 3)
    // No faster than 225 km/h: as with a long gear missing.
    const worse = { ...profile, speed: profile.speed.map((v) => Math.min(v, 225 / 3.6)) }
    const { losses } = compare([lapOf(profile, 1), lapOf(worse, 2)])
    expect(losses.some(({ cause, corner }) => cause === "top speed" && corner === null)).toBe(true)
    expect(losses.find(({ cause }) => cause === "top speed")!.sentence).toMatch(
      /has \d+ km\/h lower top speed \(225 against \d+ km\/h\)/
    )
    const lost = durationOf(worse) - durationOf(profile)
    expect(Math.abs(losses.reduce((sum, { seconds }) => sum + seconds, 0) / lost - 1)).toBeLessThan(0.05)
  })

  it("are none where nothing was lost", () => {
    const profile = profileOf(drive("Hollin Moor"), 3)
    expect(compare([lapOf(profile, 1), lapOf(profile, 2)]).suggestions).toEqual([])
  })

  it("come largest first, at most one a corner and lap", () => {
    const from = drive("Port Averno")
    const { losses, suggestions } = compare([2, 3, 4, 5].map((lap) => drivenLap(from, lap)))
    expect(suggestions).toEqual(losses.map(({ sentence }) => sentence))
    const places = losses
      .filter(({ corner }) => corner !== null)
      .map(({ corner, lap_id }) => `${lap_id} ${corner}`)
    expect(new Set(places).size).toBe(places.length)
    expect(losses.map(({ seconds }) => seconds)).toEqual(
      losses.map(({ seconds }) => seconds).toSorted((a, b) => b - a)
    )
  })
})
