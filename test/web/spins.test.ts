/** Spins in real laps: how they are named, and that a click leads to the car's place. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { seriousFindings } from "./accessible.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

/** Lime Rock: the car spins in corner 3 of lap 15, down to 5 km/h, and lap 7 is the best. */
const RECORDING = "ac-lime-rock"
const [BEST, SPUN] = [7, 15]

interface Anomalies {
  readonly anomalies: ReadonlyArray<{
    readonly type: string
    readonly occurrences: ReadonlyArray<{ readonly lap_id: number; readonly distance: number }>
  }>
}

interface Compared {
  readonly corners: ReadonlyArray<{
    readonly passes: ReadonlyArray<{ readonly lap_id: number; readonly braking_point: number | null }>
  }>
}

const Recorded = Web.shared(
  "test/Recorded",
  Effect.gen(function* () {
    const service = yield* Drives.emptyService
    const { laps } = yield* Drives.recording(service, RECORDING)
    return { service, laps }
  })
)

describe("a spin of a real lap", needing(recordingsHere, Web.browserHere), () => {
  layer(Recorded.layer, { excludeTestServices: true })((it) => {
    it.scoped("is named in a comparison, and shown at its place", () =>
      Effect.gen(function* () {
        const { browser, laps, service } = yield* Recorded
        const path = `/compare?laps=${laps.get(BEST)},${laps.get(SPUN)}`
        const { complaints, page } = yield* Web.open(browser, service, path)
        yield* Web.plots(page, 6)
        const losses = page.locator(".losses li")
        const spin = losses.filter({ hasText: "spin or stop" })
        expect(yield* Effect.promise(() => spin.count())).toBe(1)
        const text = yield* Effect.promise(() => spin.innerText())
        expect(text).toMatch(/Lap 15 spins or is off, down to \d+ km\/h at \d+ m/)
        expect(text).not.toContain("minimum speed")
        // It caused most of the lost time.
        expect(yield* Effect.promise(() => losses.first().innerText())).toBe(text)
        const [, kmh, metres] = /down to (\d+) km\/h at (\d+) m/.exec(text)!
        yield* Effect.promise(() => spin.getByRole("button").click())
        yield* Web.see(page, `At ${metres} m`)
        const own = page.locator("section", { hasText: /^At / }).locator("tbody tr").nth(1)
        const speed = yield* Effect.promise(() => own.locator("td").nth(1).innerText())
        expect(Math.abs(Number(speed) - Number(kmh))).toBeLessThan(2)
        expect(complaints).toEqual([])
      })
    )

    it.scoped("is marked on the plots, beside the lines and the braking points of both laps", () =>
      Effect.gen(function* () {
        const { browser, laps, service } = yield* Recorded
        const { anomalies } = yield* Box.get<Anomalies>(service, "/analysis/anomalies/1")
        const slips = anomalies
          .filter(({ type }) => type === "lock_up_or_spin")
          .flatMap(({ occurrences }) => occurrences)
        const lap = slips.find(({ lap_id }) => lap_id !== laps.get(BEST))!.lap_id
        const wanted = slips.filter(({ lap_id }) => lap_id === lap || lap_id === laps.get(BEST))
        const ids = `${laps.get(BEST)},${lap}`
        const { complaints, page } = yield* Web.open(
          browser,
          service,
          `/compare?laps=${ids}&reference=${laps.get(BEST)}`
        )
        yield* Web.plots(page, 6)
        const events = page.locator(".events li")
        yield* Web.becomes(page, `document.querySelectorAll(".events li").length === ${wanted.length}`)
        const [own] = wanted
          .filter(({ lap_id }) => lap_id === lap)
          .toSorted((a, b) => a.distance - b.distance)
        const metres = Math.round(own!.distance)
        const listed = events.filter({ hasText: `lock-up or spin at ${metres.toLocaleString("en")} m` })
        yield* Effect.promise(() => listed.getByRole("button").click())
        yield* Web.see(page, /^At [\d,]+ m$/)
        const at = yield* Effect.promise(() => page.locator("h2", { hasText: /^At / }).innerText())
        expect(Math.abs(Number(at.replace(/[^\d]/g, "")) - metres)).toBeLessThanOrEqual(2)
        // The stretch has the second lap's colour at the top of the first plot, where the cursor is.
        const isMarked = `(() => {
          const plot = document.querySelector(".strip .uplot")
          const canvas = plot.querySelector("canvas")
          const over = plot.querySelector(".u-over").getBoundingClientRect()
          const line = plot.querySelector(".u-cursor-x").getBoundingClientRect()
          const box = canvas.getBoundingClientRect()
          const ratio = canvas.width / box.width
          const top = Math.round((over.top - box.top) * ratio) + 1
          const { data } = canvas.getContext("2d").getImageData(Math.round((line.left - box.left) * ratio), top, 4, 1)
          return data[3] === 255 && data[0] > 200 && data[1] < 80 && data[2] > 180
        })()`
        yield* Web.becomes(page, isMarked)
        const { corners } = yield* Box.get<Compared>(service, `/compare?lap_ids=${ids}`)
        const texts = yield* Effect.promise(() => page.locator(".braking li").allInnerTexts())
        const places = corners.map(({ passes }) =>
          [laps.get(BEST)!, lap].map((id) => passes.find(({ lap_id }) => lap_id === id)!.braking_point)
        )
        const shown = texts.map((text) => {
          const [, place] = /brakes at ([\d,]+) m/.exec(text) ?? []
          return place === undefined ? null : Number(place.replace(",", ""))
        })
        expect(places.map((pair) => pair.map((place) => place && Math.round(place)))).toContainEqual(shown)
        expect(yield* seriousFindings(page)).toEqual([])
        expect(complaints).toEqual([])
      })
    )

    it.scoped("is one incident of its session, which links to it", () =>
      Effect.gen(function* () {
        const { browser, laps, service } = yield* Recorded
        const { complaints, page } = yield* Web.open(browser, service, "/sessions/1")
        yield* Web.see(page, "Anomalies")
        const link = page.getByRole("link", { name: `Lap ${SPUN} against the best, there` })
        yield* Effect.promise(() => link.waitFor())
        expect(yield* Effect.promise(() => link.count())).toBe(1)
        yield* Effect.promise(() => link.click())
        yield* Web.see(page, "spin or stop")
        const query = new URL(page.url()).searchParams
        expect(query.get("laps")).toBe(`${laps.get(BEST)},${laps.get(SPUN)}`)
        // The filter of laps at pace leaves out a slow lap.
        yield* Effect.promise(() => page.goto(`${service.address}/sessions/1?show=pace`))
        const shown = Effect.promise(() => page.locator("table.laps tbody td:nth-child(2)").allInnerTexts())
        const numbers = yield* Box.until(shown, (found) => found.length > 0)
        expect(numbers).toContain(String(BEST))
        expect(numbers).not.toContain(String(SPUN))
        expect(complaints).toEqual([])
      })
    )
  })
})
