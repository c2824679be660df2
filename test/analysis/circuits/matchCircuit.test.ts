import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { knownCircuits } from "../../../src/analysis/circuits/knownCircuits.ts"
import { type CornerLine, matchCircuit } from "../../../src/analysis/circuits/matchCircuit.ts"
import { findCorners } from "../../../src/analysis/corners/corners.ts"
import { circuitNamed as simulated, circuitNames } from "../../../simulator/model/Circuit.ts"
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
import { tracksHere, capturesHere, recordingsHere } from "../../support/sharedData.ts"

const nameOf = (line: CornerLine) => matchCircuit(line)?.circuit.name

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

  // Numbers as on the circuits' maps; these are not counted here.
  it.each([
    ["Bahrain", 15],
    ["Suzuka", 18],
    ["Red Bull Ring", 10],
    ["Silverstone", 18],
    ["Monza", 11],
    ["Spa", 19],
    ["Road America", 14],
    ["Portland", 12]
  ])("%s has %d corners", (name, count) => {
    expect(circuitNamed(name).corners).toHaveLength(count)
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

  it("laps of Portland, and no lap of Lime Rock", () => {
    const timed = portlandLaps().filter(({ lap }) => lap.lapTime !== null)
    expect(new Set(timed.map((lap) => nameOf(lineDriven([lap]))))).toEqual(
      new Set([circuitNamed("Portland").name])
    )
    const limeRock = recordedLaps("ac-lime-rock").filter(({ points }) => points.length >= 300)
    expect(new Set(limeRock.map((lap) => nameOf(lineDriven([lap]))))).toEqual(new Set([undefined]))
  })
})
