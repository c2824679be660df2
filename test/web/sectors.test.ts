/** The sectors that a page shows, by where it joined the lap. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"

beforeEach(() => {
  vi.stubGlobal("location", new URL("http://localhost/"))
  vi.stubGlobal("window", new EventTarget())
  vi.stubGlobal("navigator", { languages: ["en"], language: "en" })
})

afterEach(() => void vi.unstubAllGlobals())

interface Shown {
  readonly time: number | null
  readonly now: boolean
  readonly lap: number | undefined
}

const lap = { id: 1, lap_number: 17, valid: true, sector1_time: 18, sector2_time: 25, sector3_time: 17 }

/** Seconds, with the number of the lap that they are of if it is not this one. */
const shown = async (sectors: ReadonlyArray<number>, sectorsOver: number, laps: ReadonlyArray<object>) => {
  /** Imported by its address: it is browser code, whose types differ from those of the tests. */
  const { sectorsNow } = (await import(new URL("../../web/src/draw/sectors.ts", import.meta.url).href)) as {
    readonly sectorsNow: (drive: object) => ReadonlyArray<Shown>
  }
  return sectorsNow({ clock: { sectors, sectorsOver }, laps: { peek: () => laps } }).map(
    ({ lap: of, now, time }) => (time === null ? "–" : `${time}${now ? "" : ` of ${of}`}`)
  )
}

it("a lap shows the last lap's sectors, by its number, until its first sector has ended", async () => {
  const unseen = [Number.NaN, Number.NaN]
  expect(await shown(unseen, 0, [lap])).toEqual(["18 of 17", "25 of 17", "17 of 17"])
  expect(await shown([19, Number.NaN], 1, [lap])).toEqual(["19", "–", "–"])
  expect(await shown(unseen, 0, [])).toEqual(["–", "–", "–"])
})

it("a page that joins after the first sector shows no time for it, and not the last lap's", async () => {
  expect(await shown([Number.NaN, Number.NaN], 1, [lap])).toEqual(["–", "–", "–"])
  expect(await shown([Number.NaN, 26], 2, [lap])).toEqual(["–", "26", "–"])
})
