import { describe, expect, it } from "vitest"
import { relate, SequenceFilter } from "../../src/simulators/SequenceFilter.ts"

/** What becomes of readings that come 0.1 s apart. */
const verdicts = (readings: ReadonlyArray<number>) => {
  const sequence = new SequenceFilter<number>(relate)
  return readings.map((reading, n) => sequence.take(reading, n / 10))
}

describe("a sequence of readings", () => {
  it("tells the next reading from a repeated one and from one that was overtaken", () => {
    expect(verdicts([5, 5.1, 5.1, 5.3, 5.2, 5.4])).toEqual(["first", "next", "same", "next", "late", "next"])
  })

  it("goes back once a second reading confirms it", () => {
    expect(verdicts([50, 50.1, 0, 0.1, 0.2])).toEqual(["first", "next", "unsure", "back", "next"])
  })

  it("goes back to a clock that stands", () => {
    expect(verdicts([50, 50.1, 0, 0, 0, 0.1])).toEqual(["first", "next", "unsure", "back", "same", "next"])
  })

  it("leaps ahead over lost readings once a second reading confirms it", () => {
    expect(verdicts([50, 50.1, 58, 58.1])).toEqual(["first", "next", "unsure", "ahead"])
  })

  it("is not confused by late readings of the session before", () => {
    expect(verdicts([50, 0, 0.1, 50.1, 0.2, 50.2, 0.3])).toEqual([
      "first",
      "unsure",
      "back",
      "unsure",
      "next",
      "unsure",
      "next"
    ])
  })

  it("allows for the time that passed without a reading", () => {
    const sequence = new SequenceFilter<number>(relate)
    sequence.take(5, 0)
    expect(sequence.take(25, 20)).toBe("next")
  })
})
