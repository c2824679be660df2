import { describe, expect, it } from "vitest"
import { relate, SequenceFilter } from "../../src/simulators/timekeeping/SequenceFilter.ts"

/** The verdicts on readings that come 0.1 s apart. */
const verdicts = (readings: ReadonlyArray<number>) => {
  const sequence = new SequenceFilter<number>(relate)
  return readings.map((reading, n) => sequence.take(reading, n / 10))
}

describe("a sequence of readings", () => {
  it("distinguishes the next reading, a repeated one and one that was overtaken", () => {
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
      "first",
      "unsure",
      "next",
      "unsure",
      "next"
    ])
  })

  it("does not believe a first reading that no other follows, however near it is", () => {
    expect(verdicts([5.9, 5, 5.1, 5.2])).toEqual(["first", "unsure", "first", "next"])
    // Overtaken, or false: the first is followed.
    expect(verdicts([5, 4.9, 5.1])).toEqual(["first", "unsure", "next"])
  })

  it("does not believe one reading that is farther ahead than the feed's interval explains", () => {
    const steady = Array.from({ length: 100 }, (_, n) => 5 + n / 10)
    const found = verdicts(steady.with(90, 14.9))
    expect(found.slice(89, 92)).toEqual(["next", "unsure", "next"])
    expect(verdicts([...steady, 15.9, 16, 16.1]).slice(100)).toEqual(["unsure", "next", "next"])
  })

  it("takes all of a recording that is played as fast as it is read", () => {
    const sequence = new SequenceFilter<number>(relate)
    const fast = Array.from({ length: 2000 }, (_, n) => sequence.take(n / 10, n / 10_000))
    expect(new Set(fast.slice(1))).toEqual(new Set(["next"]))
  })

  it("takes readings that come at once after they were held up", () => {
    const sequence = new SequenceFilter<number>(relate)
    for (let n = 0; n < 100; n++) sequence.take(n / 10, n / 10)
    const burst = Array.from({ length: 200 }, (_, n) => sequence.take(10 + n / 10, 30 + n / 1e5))
    expect(new Set(burst)).toEqual(new Set(["next"]))
  })

  it("allows for the time that passed without a reading", () => {
    const sequence = new SequenceFilter<number>(relate)
    sequence.take(5, 0)
    expect(sequence.take(25, 20)).toBe("next")
  })
})
