/** The diagrams of compared laps: bins that show the spread of the values, and points of which no lap hides another. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"

type Column = ReadonlyArray<number | null>

/** Imported by its address: it is browser code, whose types differ from those of the tests. */
let diagrams: {
  readonly distribution: (
    values: Column,
    weights: Column,
    edges: ReadonlyArray<number>
  ) => ReadonlyArray<number>
  readonly edgesAround0: (columns: ReadonlyArray<Column>) => ReadonlyArray<number>
  readonly drawForces: (
    canvas: object,
    laps: ReadonlyArray<{ readonly across: Column; readonly along: Column; readonly stroke: string }>,
    look: { readonly line: string; readonly text: string }
  ) => void
}
beforeAll(async () => {
  vi.stubGlobal("location", new URL("http://localhost/"))
  vi.stubGlobal("window", Object.assign(new EventTarget(), { devicePixelRatio: 1 }))
  vi.stubGlobal("navigator", { languages: ["en"], language: "en" })
  diagrams = (await import(
    new URL("../../web/src/draw/diagrams.ts", import.meta.url).href
  )) as typeof diagrams
})
afterAll(() => void vi.unstubAllGlobals())

describe("the bins of a damper's velocities", () => {
  it("are as narrow as nearly all values allow, so that no two of them hold most of the time", () => {
    // Nine in ten within 25 mm/s, and a kerb of 400 mm/s.
    const values = [...Array.from({ length: 500 }, (_, k) => 30 * Math.sin(k * 7.1)), 400, null]
    const edges = diagrams.edgesAround0([values])
    expect([edges[0], edges[12], edges.at(-1)]).toEqual([-60, 0, 60])
    const shares = diagrams.distribution(
      values,
      values.map(() => 1),
      edges
    )
    expect(Math.max(...shares)).toBeLessThan(0.25)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)
  })

  it("exist for a car that stands, or has no values", () => {
    expect(diagrams.edgesAround0([[0, 0, null]])[0]).toBe(-12)
    expect(diagrams.edgesAround0([])).toHaveLength(25)
  })
})

const lapOf = (stroke: string) => ({ across: Array(400).fill(1), along: Array(400).fill(1), stroke })

describe("the g-g diagram", () => {
  it("draws the laps in turn, each as often above another as below it", () => {
    const drawn: Array<string> = []
    const context = {
      scale() {},
      beginPath() {},
      arc() {},
      stroke() {},
      fillText() {},
      moveTo() {},
      lineTo() {},
      fillRect: () => void drawn.push(context.fillStyle),
      fillStyle: ""
    }
    const canvas = { clientWidth: 100, clientHeight: 100, getContext: () => context }
    diagrams.drawForces(canvas, ["a", "b"].map(lapOf), { line: "", text: "" })
    expect(drawn).toHaveLength(400)
    const last = drawn.filter((_, k) => k % 2 === 1)
    expect(last.filter((stroke) => stroke === "a").length).toBe(last.length / 2)
  })
})
