/** A lap that drives another line than the reference is no fault of its sources (`ownWay.ts`). */
import { describe, expect, it } from "vitest"
import { compare } from "../../src/analysis/compare/comparison.ts"
import { needing } from "../support/needing.ts"
import { casesHere, sharedFolder } from "../support/sharedData.ts"
import { lapsIn } from "./lapData.ts"

describe("a lap with a line of its own", needing(casesHere), () => {
  it("has no fault where its speed follows its positions, and its largest loss is named there", () => {
    const laps = lapsIn(sharedFolder("data/cases/analysis/line-portland.ndjson.gz"))
    const { closure, losses } = compare(laps)
    expect(closure.map(({ reason, trusted }) => [reason, trusted])).toEqual([
      [null, true],
      [null, true]
    ])
    expect(losses[0]).toMatchObject({ corner: 1, cause: "minimum speed" })
    // Of 2.92 s; the two corners of that stretch.
    const there = losses.filter(({ distance }) => distance > 200 && distance < 450)
    expect(there.reduce((sum, { seconds }) => sum + seconds, 0)).toBeGreaterThan(1)
    expect(closure[1]!.explained).toMatchObject({ unsound: 0 })
  })
})
