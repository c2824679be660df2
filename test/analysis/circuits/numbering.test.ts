import { describe, expect, it } from "vitest"
import { knownCircuits } from "../../../src/analysis/circuits/knownCircuits.ts"
import { type Numbering, numberCorners } from "../../../src/analysis/circuits/numbering.ts"
import type { CircuitDetails } from "../../../src/domain/Circuit.ts"
import { recordedLaps } from "../sessions.ts"
import { circuitNamed, corner, drivenLine, lineDriven, lineOf } from "./lines.ts"
import { needing } from "../../support/needing.ts"
import { lapsIn } from "../lapData.ts"
import { casesHere, recordingsHere, sharedFolder } from "../../support/sharedData.ts"

const labels = ({ corners }: Numbering) => corners.map(({ label }) => label)
const bahrain = circuitNamed("Bahrain")
const timed = (name: string) => recordedLaps(name).filter(({ lap }) => lap.valid && lap.lapTime !== null)

describe("corners of a known circuit", () => {
  it.each(knownCircuits.map((circuit) => [circuit.name, circuit] as const))(
    "%s: have its numbers",
    (_, circuit) => {
      const { circuit: reported, corners } = numberCorners(drivenLine(circuit, 0.99))
      expect(reported).toMatchObject({ name: circuit.name, numberedBy: "official" })
      expect(corners.map(({ number }) => number)).toEqual(circuit.corners.map(({ number }) => number))
      expect(corners.map(({ name }) => name)).toEqual(circuit.corners.map(({ name }) => name))
      expect(new Set(corners.map(({ numberedBy }) => numberedBy))).toEqual(new Set(["official"]))
    }
  )

  it("have its numbers wherever the line begins", () => {
    const rotated = labels(numberCorners(drivenLine(bahrain, 1, -1000)))
    expect(rotated.slice(0, 3)).toEqual(["4", "5", "6"])
    expect(rotated.at(-1)).toBe("3")
  })

  it("have several numbers if they were found as one, also across the line", () => {
    const line = drivenLine(bahrain)
    const merged = line.corners.flatMap((one, i) => {
      if (i === 9) return []
      return i === 8 ? [{ ...one, exit: line.corners[9]!.exit, apex: line.corners[9]!.apex - 40 }] : [one]
    })
    expect(labels(numberCorners(lineOf(line.length, merged)))[8]).toBe("9-10")
    const across = drivenLine(bahrain, 1, -4980)
    const [last, first] = [across.corners.at(-1)!, across.corners[0]!]
    const bend = { ...last, exit: first.exit, apex: 0 }
    const found = numberCorners(lineOf(across.length, [...across.corners.slice(1, -1), bend]))
    expect(found.corners.find(({ apex }) => apex === 0)).toMatchObject({ label: "14-15", number: 14 })
  })

  it("are marked if the circuit has no such corner", () => {
    const line = drivenLine(bahrain)
    const more = [corner(3100, "left", line.length), corner(100, "left", line.length)]
    const { corners } = numberCorners(lineOf(line.length, [...line.corners, ...more]))
    expect(corners.filter(({ numberedBy }) => numberedBy === "detected")).toMatchObject([
      { number: null, label: "between 15 and 1", name: null, apex: 100 },
      { number: null, label: "between 10 and 11", name: null, apex: 3100 }
    ])
    expect(corners).toHaveLength(17)
  })
})

describe("corners of another circuit", () => {
  it("are numbered in the order in which they were found", () => {
    const line = lineOf(3000, [corner(500, "left", 3000), corner(1500, "right", 3000)])
    const { circuit, corners } = numberCorners(line)
    expect(circuit).toBeNull()
    expect(corners).toMatchObject([
      { number: 1, label: "1", name: null, numberedBy: "detected" },
      { number: 2, label: "2", name: null, numberedBy: "detected" }
    ])
  })

  it("have the numbers and places that a user gave", () => {
    const line = lineOf(3000, [
      corner(500, "left", 3000),
      corner(1500, "right", 3000),
      corner(2000, "right", 3000)
    ])
    const edited: CircuitDetails = {
      displayName: "Club circuit",
      corners: [
        { number: 7, name: "Tower", direction: "right", distance: 1530 },
        { number: 2, name: null, direction: "left", distance: 480 },
        { number: 9, name: null, direction: "left", distance: 2010 }
      ]
    }
    const { circuit, corners } = numberCorners(line, { details: edited, layouts: [] })
    expect(circuit).toEqual({ name: "Club circuit", numberedBy: "edited", score: null, margin: null })
    expect(corners).toMatchObject([
      { number: 2, label: "2", name: null, numberedBy: "edited" },
      { number: 7, label: "7", name: "Tower", numberedBy: "edited" },
      { number: null, label: "between 7 and 9", numberedBy: "detected" }
    ])
  })
})

it("have a user's corners before a known circuit's; a name alone does not count", () => {
  const line = drivenLine(bahrain)
  const named = numberCorners(line, { details: { displayName: "Sakhir", corners: [] }, layouts: [] })
  expect(named.circuit).toMatchObject({ name: "Sakhir", numberedBy: "official" })
  expect(labels(named)).toHaveLength(15)
  const [first] = bahrain.corners
  const edited = numberCorners(line, {
    details: { displayName: "Sakhir", corners: [{ ...first!, number: 30 }] },
    layouts: []
  })
  expect(labels(edited)[0]).toBe("30")
})

describe("on laps of Monaco", needing(casesHere), () => {
  // By the map: Mirabeau Bas and Portier are one bend, Tabac and the swimming pool's first corner another, and so are
  // the pool's last one with the kink after it, and La Rascasse with Anthony Noghes.
  it.each(["race-monaco", "pitstop-monaco"])("%s: each corner has the number of the map", (name) => {
    const laps = lapsIn(sharedFolder(`data/cases/analysis/${name}.ndjson.gz`))
    const numberings = laps
      .map((lap) => numberCorners(lineDriven([lap])))
      .filter(({ circuit }) => circuit !== null)
    expect(numberings.length).toBeGreaterThanOrEqual(laps.length - 1)
    const expected = new Set(
      [
        "1, 2, 3, 4, 5, 6, 7-8, 9, 10, 11, 12-13, 14-15, 16-17, 18-19",
        "1, 2, 3, 4, 5, 6, 7-8, 9, 10, 11, 12-13, 14, 15, 16-17, 18-19",
        "1, 2, 3, 4, 5, 6, 7-8, 9, 10, 11, 12, 13, 14-15, 16-17, 18-19"
      ].map((numbers) => numbers.split(", ").join())
    )
    const found = numberings.map((one) =>
      labels({ ...one, corners: one.corners.filter(({ number }) => number !== null) }).join()
    )
    expect(found.filter((numbers) => !expected.has(numbers))).toEqual([])
  })
})

describe("on real laps", needing(recordingsHere), () => {
  // Numbers that experts on the tracks expect: Bahrain's 9 and 10 are one bend, and so are its last two.
  it("Bahrain and Road America have the numbers of their maps", () => {
    const at = timed("f1-bahrain-2026-ant").filter(({ lap }) => lap.lapNumber === 15)
    expect(labels(numberCorners(lineDriven(at)))).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
      "7",
      "8",
      "9-10",
      "11",
      "12",
      "13",
      "14-15"
    ])
    const america = timed("ams2-road-america").filter(({ lap }) => lap.lapNumber === 17)
    expect(labels(numberCorners(lineDriven(america)))).toEqual([
      "1",
      "3",
      "5",
      "6",
      "7",
      "8",
      "9-10",
      "11",
      "12",
      "between 12 and 13",
      "13",
      "14"
    ])
  })
})
