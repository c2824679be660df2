/** What diagrams are drawn from: points of several groups, bins, colours, marks, and the bests of sessions. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"

interface Row {
  readonly [name: string]: number | null
}

/** Imported by their addresses: they are browser code, whose types differ from those of the tests. */
const load = async <A>(name: string) =>
  (await import(new URL(`../../web/src/draw/${name}.ts`, import.meta.url).href)) as A

let joining: {
  readonly joinRows: (
    groups: ReadonlyArray<{
      readonly rows: ReadonlyArray<Row>
      readonly names: ReadonlyArray<string>
      readonly holds: number
    }>
  ) => { readonly times: Float64Array; readonly columns: ReadonlyMap<string, Float64Array> }
}
let cropping: {
  readonly croppedBins: (lines: ReadonlyArray<ReadonlyArray<number>>) => {
    readonly from: number
    readonly until: number
  }
}
let shading: {
  readonly shadesOf: (stops: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly shadeOf: (values: Float64Array, low: number, high: number) => Uint8Array
}
interface Driven {
  readonly id: number
  readonly datetime: string
  readonly best_lap_time: number | null
}
let progress: {
  readonly bestsOver: (
    sessions: ReadonlyArray<Driven>
  ) => ReadonlyArray<{ readonly session: Driven; readonly sofar: number }>
}
let scale: { readonly marksBetween: (low: number, high: number, most: number) => ReadonlyArray<number> }
beforeAll(async () => {
  vi.stubGlobal("location", new URL("http://localhost/"))
  vi.stubGlobal("window", Object.assign(new EventTarget(), { devicePixelRatio: 1 }))
  joining = await load("joinRows")
  cropping = await load("croppedBins")
  shading = await load("ScatterPlot")
  scale = await load("scale")
  progress = await load("bestsOver")
})
afterAll(() => void vi.unstubAllGlobals())

describe("rows of several groups", () => {
  it("have the last value of the other group, unless it is too old or there is none", () => {
    const first = [0, 1, 2, 3, 9].map((timestamp): Row => ({ timestamp, x: 10 * timestamp }))
    const other: ReadonlyArray<Row> = [
      { timestamp: 0.5, y: 7 },
      { timestamp: 2, y: null },
      { timestamp: 2.5, y: 9 }
    ]
    const { columns, times } = joining.joinRows([
      { rows: first, names: ["x"], holds: 2 },
      { rows: other, names: ["y"], holds: 2 }
    ])
    expect([...times]).toEqual([0, 1, 2, 3, 9])
    expect([...columns.get("x")!]).toEqual([0, 10, 20, 30, 90])
    expect([...columns.get("y")!]).toEqual([Number.NaN, 7, Number.NaN, 9, Number.NaN])
  })
})

describe("bins", () => {
  it("are all drawn if they are few; of many, rare ones at the ends are left out", () => {
    expect(cropping.croppedBins([[0, 5, 0]])).toEqual({ from: 0, until: 3 })
    const many = Array.from({ length: 200 }, (_, k): number => (k >= 50 && k < 150 ? 10 : 0))
    many[0] = 0.5
    many[199] = 0.4
    expect(cropping.croppedBins([many])).toEqual({ from: 50, until: 150 })
    expect(cropping.croppedBins([])).toEqual({ from: 0, until: 0 })
  })
})

describe("the scale of colours", () => {
  it("runs from the first to the last; an unknown value has a colour of its own", () => {
    const shades = shading.shadesOf(["#000000", "#ff8000", "#ffffff"])
    expect([shades[0], shades.at(-1), shades.length]).toEqual(["#000000", "#ffffff", 64])
    const of = shading.shadeOf(Float64Array.of(2, 12, 7, Number.NaN), 2, 12)
    expect([...of]).toEqual([0, 63, 32, 64])
    expect([...shading.shadeOf(Float64Array.of(4, 4), 4, 4)]).toEqual([0, 0])
  })
})

describe("the marks of an axis", () => {
  it("are round numbers within it, at most as many as have room", () => {
    expect(scale.marksBetween(-2.3, 1.1, 5)).toEqual([-2, -1, 0, 1])
    expect(scale.marksBetween(4000, 8200, 6)).toEqual([4000, 5000, 6000, 7000, 8000])
    expect(scale.marksBetween(0.1, 0.35, 6)).toEqual([0.1, 0.15, 0.2, 0.25, 0.3, 0.35])
    expect(scale.marksBetween(3, 3, 6)).toEqual([3])
  })
})

describe("the bests of sessions", () => {
  it("are in the order driven, with the best so far, without those without a time or far off the pace", () => {
    const sessions = ([100, 99, null, 120, 101, 98] as const).map((best, k): Driven => ({
      id: k + 1,
      datetime: `2026-03-0${7 - k}T10:00:00`,
      best_lap_time: best
    }))
    const bests = progress.bestsOver(sessions)
    expect(bests.map(({ session, sofar }) => [session.id, sofar])).toEqual([
      [6, 98],
      [5, 98],
      [2, 98],
      [1, 98]
    ])
    const later = progress.bestsOver(
      sessions.map((one) => ({ ...one, datetime: `2026-03-0${one.id}T10:00:00` }))
    )
    expect(later.map(({ session, sofar }) => [session.id, sofar])).toEqual([
      [1, 100],
      [2, 99],
      [5, 99],
      [6, 98]
    ])
  })
})
