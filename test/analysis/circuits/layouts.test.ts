/** Kept numbers stay with their places, whichever lines are asked about. */
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { type CircuitFacts, numberCorners, type Numbering } from "../../../src/analysis/circuits/numbering.ts"
import type { FoundLine } from "../../../src/analysis/circuits/matchCircuit.ts"
import type { CircuitLayout } from "../../../src/domain/CircuitLayout.ts"
import { circuitNamed, corner, drivenLine, lineOf } from "./lines.ts"

const LENGTH = 4200
/** Apexes of a circuit that nobody knows; every third corner turns left. */
const apexes = [200, 520, 900, 1300, 1450, 2000, 2600, 3100, 3500, 3900]
const lineWith = (places: ReadonlyArray<number>, length = LENGTH) =>
  lineOf(
    length,
    places.map((place) => corner(place, apexes.indexOf(place) % 3 === 1 ? "left" : "right", length))
  )
const labels = ({ corners }: Numbering) => corners.map(({ label }) => label)
const facts = (...layouts: ReadonlyArray<CircuitLayout>): CircuitFacts => ({ layouts })
/** The one layout after a first line of these corners. */
const kept = (places: ReadonlyArray<number>, laps = 2) =>
  numberCorners(lineWith(places), undefined, laps).layouts![0]!

describe("the corners of an unknown circuit", () => {
  it("are numbered in order on the first line, and kept", () => {
    const first = numberCorners(lineWith(apexes), undefined, 2)
    expect(labels(first)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"])
    expect(first).toMatchObject({ circuit: null, official: null, numberedBy: "detected", others: [] })
    expect(first.layouts).toHaveLength(1)
    expect(first.layouts![0]).toMatchObject({ length: LENGTH, laps: 2, official: null })
    expect(first.layouts![0]!.corners.map(({ distance }) => distance)).toEqual(apexes)
  })

  it("keep their numbers on a line that misses some and has another", () => {
    const line = lineWith([200, 900, 1300, 1700, 2000, 3100, 3900])
    const later = numberCorners(line, facts(kept(apexes)), 2)
    expect(labels(later)).toEqual(["1", "3", "4", "between 5 and 6", "6", "8", "10"])
    expect(later.others.map(({ apex }) => apex)).toEqual([1700])
    expect(later.known).toHaveLength(10)
    // As many laps as before add nothing.
    expect(later.layouts).toBeUndefined()
  })

  it("get a letter where more laps show another, and move to the mean over the laps", () => {
    const layout = kept(apexes.filter((apex) => apex !== 520 && apex !== 3900))
    const line = lineWith([210, 520, 900, 1300, 1450, 2000, 2600, 3100, 3500, 3900])
    const refined = numberCorners(line, facts(layout), 6)
    const names = ["1", "1a", "2", "3", "4", "5", "6", "7", "8", "8a"]
    expect(labels(refined)).toEqual(names)
    expect(refined.corners.map(({ number }) => number)).toEqual([1, null, 2, 3, 4, 5, 6, 7, 8, null])
    const [next] = refined.layouts!
    expect(refined.layouts).toHaveLength(1)
    expect(next!.laps).toBe(6)
    expect(next!.corners.map(({ label }) => label)).toEqual(names)
    // 2 laps at 200 m and 6 at 210.
    expect(next!.corners[0]!.distance).toBeCloseTo(207.5, 9)
    // A second corner after the same number has the next letter.
    const again = numberCorners(lineWith([...apexes, 350].toSorted((a, b) => a - b)), facts(next!), 7)
    expect(labels(again).slice(0, 3)).toEqual(["1", "1b", "1a"])
  })

  it("have the same number at the same place whichever lines come, in any order", () => {
    const lines = fc.array(
      fc.record({
        missing: fc.array(fc.constantFrom(...apexes), { maxLength: 3 }),
        off: fc.array(fc.double({ min: -15, max: 15, noNaN: true }), { minLength: 10, maxLength: 10 }),
        laps: fc.integer({ min: 1, max: 20 })
      }),
      { minLength: 1, maxLength: 12 }
    )
    fc.assert(
      fc.property(lines, (driven) => {
        let layouts: ReadonlyArray<CircuitLayout> = []
        const named = new Map<number, string>()
        for (const { laps, missing, off } of driven) {
          const shown = apexes.filter((apex) => !missing.includes(apex))
          const line = lineOf(
            LENGTH,
            shown.map((apex) => {
              const i = apexes.indexOf(apex)
              return corner(apex + off[i]!, i % 3 === 1 ? "left" : "right", LENGTH)
            })
          )
          const found = numberCorners(line, { layouts }, laps)
          found.corners.forEach(({ label }, i) => {
            // Until more laps have shown a corner, it has only neighbours.
            if (label.startsWith("between")) return
            expect(label).toBe(named.get(shown[i]!) ?? label)
            named.set(shown[i]!, label)
          })
          layouts = found.layouts ?? layouts
          expect(layouts).toHaveLength(1)
        }
        expect(new Set(named.values()).size).toBe(named.size)
      }),
      { numRuns: 100 }
    )
  })

  it("have numbers of their own on another layout", () => {
    const short = [300, 700, 1100, 1900]
    const other = numberCorners(lineWith(short, 2500), facts(kept(apexes)), 2)
    expect(labels(other)).toEqual(["1", "2", "3", "4"])
    expect(other.layouts).toHaveLength(2)
    expect(
      labels(numberCorners(lineWith([520, 900, 1300, 1450, 2000, 2600, 3100]), { layouts: other.layouts! }))
    ).toEqual(["2", "3", "4", "5", "6", "7", "8"])
  })

  it("have them on a line without sides, too, and give them to one with sides", () => {
    const bySpeed = (places: ReadonlyArray<number>): FoundLine => ({
      length: LENGTH,
      corners: lineWith(places).corners.map((one) => ({
        ...one,
        direction: null,
        angle: null,
        radius: null,
        foundBy: "speed" as const
      }))
    })
    const slow = [200, 520, 1300, 2000, 2600, 3100, 3900]
    expect(labels(numberCorners(bySpeed(slow), facts(kept(apexes)), 3))).toEqual([
      "1",
      "2",
      "4",
      "6",
      "7",
      "8",
      "10"
    ])
    const first = numberCorners(bySpeed(slow), undefined, 2)
    expect(first.layouts![0]!.corners.every(({ direction }) => direction === null)).toBe(true)
    const later = numberCorners(lineWith(apexes), { layouts: first.layouts! }, 2)
    expect(labels(later).filter((label) => !label.startsWith("between"))).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
      "7"
    ])
  })

  it("are kept of laps that are examples only, and where there are some", () => {
    expect(numberCorners(lineWith(apexes)).layouts).toBeUndefined()
    expect(numberCorners({ length: LENGTH, corners: [] }, undefined, 3).layouts).toBeUndefined()
  })
})

describe("the corners of a known circuit", () => {
  const bahrain = circuitNamed("Bahrain")

  it("replace those found before it was recognized", () => {
    const line = drivenLine(bahrain)
    const before = numberCorners(
      lineOf(
        line.length,
        line.corners.filter((_, i) => i % 2 === 0)
      ),
      undefined,
      2
    )
    expect(before.numberedBy).toBe("detected")
    const after = numberCorners(line, { layouts: before.layouts! }, 2)
    expect(after).toMatchObject({ numberedBy: "official", official: { name: bahrain.name } })
    expect(after.layouts).toHaveLength(1)
    expect(after.layouts![0]).toMatchObject({ official: { name: bahrain.name } })
  })

  it("hold on a line that alone would not be recognized", () => {
    const line = drivenLine(bahrain)
    const poor = lineOf(
      line.length,
      line.corners.filter((_, i) => i % 2 === 0)
    )
    expect(numberCorners(poor).numberedBy).toBe("detected")
    const { layouts } = numberCorners(line, undefined, 2)
    const held = numberCorners(poor, { layouts: layouts! }, 5)
    expect(held).toMatchObject({ numberedBy: "official", circuit: { name: bahrain.name } })
    expect(held.corners.map(({ number }) => number)).toEqual([1, 3, 5, 7, 9, 11, 13, 15])
    expect(held.layouts).toBeUndefined()
  })
})
