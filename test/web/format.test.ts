/** Numbers as the pages write them. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"

beforeEach(() => {
  vi.stubGlobal("location", new URL("http://localhost/"))
  vi.stubGlobal("window", new EventTarget())
  vi.stubGlobal("navigator", { languages: ["en"], language: "en" })
})

afterEach(() => void vi.unstubAllGlobals())

it("a number that rounds to nothing has no sign", async () => {
  /** Imported by its address: it is browser code, whose types differ from those of the tests. */
  const { fixed } = (await import(new URL("../../web/src/format.ts", import.meta.url).href)) as {
    readonly fixed: (value: number, digits?: number) => string
  }
  expect([fixed(-0.4), fixed(-0), fixed(-0.04, 1), fixed(0.4)]).toEqual(["0", "0", "0.0", "0"])
  expect([fixed(-0.6), fixed(-0.06, 1)]).toEqual(["−1", "−0.1"])
})

it("a delta that is unknown, or is written as zero, is neither a loss nor a gain", async () => {
  const { delta, deltaClass } = (await import(new URL("../../web/src/format.ts", import.meta.url).href)) as {
    readonly delta: (seconds: number, digits?: number) => string
    readonly deltaClass: (seconds: number, digits?: number) => string
  }
  const sides = (digits: number, ...deltas: ReadonlyArray<number>) =>
    deltas.map((late) => [delta(late, digits), deltaClass(late, digits)])
  expect(sides(2, Number.NaN, 0.004, -0.004, 0.006, -0.006)).toEqual([
    ["–", ""],
    ["0.00", ""],
    ["0.00", ""],
    ["+0.01", "loss"],
    ["−0.01", "gain"]
  ])
  expect(sides(3, 0.0004, 0.004)).toEqual([
    ["0.000", ""],
    ["+0.004", "loss"]
  ])
})
