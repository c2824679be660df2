/** The labels of a whole race: each place has one, whichever lap is compared. */
import { describe, expect, it } from "vitest"
import { judge } from "../../../src/analysis/compare/comparison.ts"
import { comparableLaps } from "../../../src/analysis/compare/comparable.ts"
import { foundCircuit } from "../../../src/analysis/circuits/description.ts"
import { lapsIn } from "../lapData.ts"
import { needing } from "../../support/needing.ts"
import { casesHere, sharedFolder } from "../../support/sharedData.ts"

describe("a race at Monaco", needing(casesHere), () => {
  it.each(["race-monaco", "pitstop-monaco"])("%s: has the circuit's labels in every comparison", (name) => {
    const race = lapsIn(sharedFolder(`data/cases/analysis/${name}.ndjson.gz`))
    const byTime = comparableLaps(race.map(({ lap }) => lap)).toSorted((a, b) => a.lapTime - b.lapTime)
    const dataOf = (id: number) => race.find(({ lap }) => lap.id === id)!
    const best = dataOf(byTime[0]!.id)
    const { description, layouts } = foundCircuit(
      "Monaco",
      byTime.slice(0, 3).map(({ id }) => dataOf(id))
    )
    expect(description.match?.name).toMatch(/Monaco/)
    const places = new Map<number, Array<number>>(
      description.corners.flatMap(({ number }) => (number === null ? [] : [[number, []]]))
    )
    let compared = 0
    for (const lap of race) {
      if (lap === best || lap.lap.lapTime === null || lap.points.length < 100) continue
      const { comparison } = judge([best, lap], undefined, { layouts: layouts! })
      compared++
      expect(comparison.circuit?.name).toBe(description.match!.name)
      expect(comparison.suggestions.join()).not.toMatch(/Corner between/)
      for (const { apex, label } of comparison.corners) {
        if (label.startsWith("between")) continue
        for (const number of label.split("-")) places.get(Number(number))!.push(apex)
      }
    }
    expect(compared).toBeGreaterThan(10)
    // Each number is in every comparison once, at its place: two that are one bend on some laps move by half of it.
    for (const [number, apexes] of places) {
      expect(apexes, `corner ${number}`).toHaveLength(compared)
      expect(Math.max(...apexes) - Math.min(...apexes), `corner ${number}`).toBeLessThan(100)
    }
  })
})
