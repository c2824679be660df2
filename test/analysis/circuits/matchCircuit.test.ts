import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import type { KnownCircuit } from "../../../src/analysis/circuits/known/KnownCircuit.ts"
import { knownCircuits } from "../../../src/analysis/circuits/knownCircuits.ts"
import { type CornerLine, matchCircuit } from "../../../src/analysis/circuits/matchCircuit.ts"
import { findCorners } from "../../../src/analysis/corners/corners.ts"
import { circuitNamed as simulated, circuitNames } from "../../../simulator/model/Circuit.ts"
import { lapsIn } from "../lapData.ts"
import { portlandLaps } from "../portland.ts"
import { recordedLaps } from "../sessions.ts"
import {
  backwards,
  captured,
  centreLine,
  circuitNamed,
  corner,
  drivenLine,
  lineDriven,
  lineOf,
  mirrored
} from "./lines.ts"
import { needing } from "../../support/needing.ts"
import {
  casesHere,
  tracksHere,
  capturesHere,
  recordingsHere,
  sharedFolder
} from "../../support/sharedData.ts"

const nameOf = (line: CornerLine) => matchCircuit(line)?.circuit.name

/** The circuit's line, on which one corner was not found. */
const without = (circuit: KnownCircuit, lost: number): CornerLine => {
  const { corners, length } = drivenLine(circuit)
  return lineOf(
    length,
    corners.filter(({ number }) => number !== lost)
  )
}

describe("the known circuits", () => {
  it.each(knownCircuits.map((circuit) => [circuit.name, circuit] as const))(
    "%s has a source, and its corners in order",
    (_, circuit) => {
      expect(circuit.source).toMatch(/^Numbers and directions: .+; distances: .+/)
      expect(circuit.corners.map(({ number }) => number)).toEqual(circuit.corners.map((_, i) => i + 1))
      const distances = circuit.corners.map(({ distance }) => distance)
      expect(distances).toEqual(distances.toSorted((a, b) => a - b))
      expect(distances.at(-1)).toBeLessThan(circuit.length)
    }
  )

  // As on the circuits' maps, with how many of them turn left; these are not counted here.
  it.each([
    ["Bahrain", 15, 6],
    ["Suzuka", 18, 8],
    ["Red Bull Ring", 10, 3],
    ["Silverstone", 18, 8],
    ["Monza", 11, 4],
    ["Spa", 19, 10],
    ["Monaco", 19, 7],
    ["Imola", 19, 10],
    ["Barcelona", 14, 6],
    ["the chicane", 16, 7],
    ["Hungaroring", 14, 6],
    ["Zandvoort", 14, 4],
    ["Albert Park", 14, 5],
    ["Albert Park Circuit, 1996 to 2020", 16, 6],
    ["Shanghai", 16, 7],
    ["Jeddah", 27, 16],
    ["Baku", 20, 12],
    ["Marina Bay", 19, 12],
    ["Marina Bay Street Circuit, 2015 to 2022", 23, 14],
    ["Lusail", 16, 6],
    ["Yas Marina", 16, 9],
    ["Yas Marina Circuit, 2009 to 2020", 21, 12],
    ["Miami", 19, 12],
    ["Gilles-Villeneuve", 14, 6],
    ["Americas", 20, 11],
    ["Hermanos Rodríguez", 17, 7],
    ["Interlagos", 15, 10],
    ["Las Vegas", 17, 11],
    ["Hockenheim", 17, 6],
    ["Nürburgring", 15, 6],
    ["Paul Ricard", 15, 6],
    ["Algarve", 15, 6],
    ["Mugello", 15, 6],
    ["Istanbul", 14, 8],
    ["Sochi", 18, 6],
    ["Road America", 14, 4],
    ["Portland", 12, 4]
  ])("%s has %d corners, %d of them to the left", (name, count, left) => {
    const { corners } = circuitNamed(name)
    expect(corners).toHaveLength(count)
    expect(corners.filter(({ direction }) => direction === "left")).toHaveLength(left)
  })
})

describe("a line", () => {
  it("is the circuit whose corners it has, wherever it begins, and however exactly they were found", () => {
    const jitter = fc.double({ min: -20, max: 20, noNaN: true })
    fc.assert(
      fc.property(
        fc.constantFrom(...knownCircuits),
        fc.double({ min: 0.98, max: 1.005, noNaN: true }),
        fc.nat(8000),
        fc.array(jitter, { minLength: 27, maxLength: 27 }),
        fc.nat(),
        (circuit, scale, shift, off, lost) => {
          const { corners, length } = drivenLine(circuit, scale, shift)
          const found = corners
            .map((one, i) => corner((one.apex + off[i]! + length) % length, one.direction, length))
            .filter((_, i) => i !== lost % corners.length)
          const match = matchCircuit(lineOf(length, found))
          // Without one of the corners that tell two layouts of a site from another, neither is named.
          if (match === undefined && circuit.site !== undefined) return
          expect(match?.circuit.name).toBe(circuit.name)
          expect(match!.score).toBeLessThanOrEqual(1)
          expect(match!.margin).toBeLessThanOrEqual(match!.score)
        }
      ),
      { numRuns: 100 }
    )
  })

  it.each(knownCircuits.map((circuit) => [circuit.name, circuit] as const))(
    "%s is not that circuit mirrored, backwards, or of another length",
    (_, circuit) => {
      const line = drivenLine(circuit)
      expect(nameOf(line)).toBe(circuit.name)
      expect(nameOf(mirrored(line))).toBeUndefined()
      expect(nameOf(backwards(line))).toBeUndefined()
      expect(nameOf(drivenLine(circuit, 0.95))).toBeUndefined()
      expect(nameOf(drivenLine(circuit, 1.05))).toBeUndefined()
    }
  )

  it("with corners at random is no circuit, even if it is as long as one", () => {
    const random = fc.record({
      apex: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      direction: fc.constantFrom("left" as const, "right" as const, "right" as const)
    })
    fc.assert(
      fc.property(
        fc.constantFrom(...knownCircuits),
        fc.array(random, { minLength: 1, maxLength: 20 }),
        ({ length }, corners) => {
          const line = lineOf(
            length,
            corners.map(({ apex, direction }) => corner(apex * length, direction, length))
          )
          expect(nameOf(line)).toBeUndefined()
        }
      ),
      { numRuns: 200 }
    )
  })

  it("without corners, or with two long ones, is no circuit", () => {
    expect(nameOf({ length: 5412, corners: [] })).toBeUndefined()
    for (const { length } of knownCircuits) {
      const bend = (apex: number) => ({
        ...corner(apex, "right", length),
        entry: apex - length / 5,
        exit: apex + length / 5,
        angle: Math.PI
      })
      expect(nameOf(lineOf(length, [bend(length / 4), bend((3 * length) / 4)]))).toBeUndefined()
    }
  })

  it("of one layout is that layout, and none if it does not show which one it is", () => {
    const sites = knownCircuits.filter(({ site }) => site !== undefined)
    expect(sites).toHaveLength(8)
    for (const layout of sites) expect(nameOf(drivenLine(layout))).toBe(layout.name)
    const chicane = circuitNamed("the chicane")
    expect(nameOf(without(chicane, 14))).toBeUndefined()
    expect(nameOf(without(chicane, 15))).toBeUndefined()
    const [now, before] = [circuitNamed("Yas Marina"), circuitNamed("2009 to 2020")]
    expect(nameOf(drivenLine(before, now.length / before.length))).toBeUndefined()
    expect(nameOf(drivenLine(now, before.length / now.length))).toBeUndefined()
  })

  it.each(circuitNames)("of the bundled simulator's %s is no real circuit", (name) => {
    const { length, x, y } = simulated(name)!
    const distance = Array.from(x, (_, i) => (i * length) / x.length)
    const line = { length, corners: findCorners(x, y, distance, length) }
    expect(line.corners.length).toBeGreaterThan(5)
    for (const one of [line, mirrored(line), backwards(line)]) expect(nameOf(one)).toBeUndefined()
  })
})

describe("measured", needing(tracksHere, capturesHere, recordingsHere), () => {
  it.each([
    ["Sakhir", "Bahrain"],
    ["Suzuka", "Suzuka"],
    ["Spielberg", "Red Bull Ring"],
    ["Silverstone", "Silverstone"],
    ["Monza", "Monza"],
    ["Spa", "Spa"]
  ])("centre line of %s", (track, name) => {
    const line = centreLine(track)
    expect(nameOf(line)).toBe(circuitNamed(name).name)
    expect(nameOf(mirrored(line))).toBeUndefined()
    expect(nameOf(backwards(line))).toBeUndefined()
  })

  // Two simulators that had no part in the table: other cars, other makers of the same road.
  it("laps of Monza in Assetto Corsa, and of Spa in Gran Turismo 7", () => {
    const monza = captured("assetto-corsa-monza", (packet) =>
      packet.length === 328 ? { x: packet.readFloatLE(316), y: -packet.readFloatLE(324) } : undefined
    )
    expect(nameOf(monza)).toBe(circuitNamed("Monza").name)
    const spa = captured("gt7-spa-format-c-plain", (packet) => ({
      x: packet.readFloatLE(4),
      y: -packet.readFloatLE(12)
    }))
    expect(nameOf(spa)).toBe(circuitNamed("Spa").name)
  })

  it.each([
    ["f1-bahrain-2026-ant", "Bahrain", 47],
    ["ams2-road-america", "Road America", 17]
  ])("each lap of %s alone, also out laps and in laps", (recording, name, count) => {
    const laps = recordedLaps(recording).filter(({ lap }) => lap.lapTime !== null || lap.endTime > 0)
    const found = laps.flatMap((lap) => (lap.points.length < 300 ? [] : [nameOf(lineDriven([lap]))]))
    expect(found.length).toBeGreaterThanOrEqual(count)
    expect(new Set(found)).toEqual(new Set([circuitNamed(name).name]))
  })

  it("each lap of Monaco but the one through the pits", needing(casesHere), () => {
    const laps = lapsIn(sharedFolder("data/cases/analysis/race-monaco.ndjson.gz"))
    const found = laps.map((lap) => [lap.lap.lapNumber, nameOf(lineDriven([lap]))] as const)
    expect(found.filter(([, name]) => name === circuitNamed("Monaco").name)).toHaveLength(77)
    expect(found.filter(([, name]) => name === undefined).map(([number]) => number)).toEqual([22])
  })

  it("laps of Portland, and no lap of Lime Rock", () => {
    const timed = portlandLaps().filter(({ lap }) => lap.lapTime !== null)
    expect(new Set(timed.map((lap) => nameOf(lineDriven([lap]))))).toEqual(
      new Set([circuitNamed("Portland").name])
    )
    const limeRock = recordedLaps("ac-lime-rock").filter(({ points }) => points.length >= 300)
    expect(new Set(limeRock.map((lap) => nameOf(lineDriven([lap]))))).toEqual(new Set([undefined]))
  })
})
