/** The diagrams of a session: their numbers against the rows exported as CSV, one cursor for all, and the choice in the address. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { parseCsv } from "../formats/parseCsv.ts"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import * as Web from "../support/pages.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { seriousFindings } from "./accessible.ts"
import * as Drives from "./drives.ts"

const LAP = 5
/** Circles at 5 Hz of 40 s each: more points than are drawn. */
const MANY_LAPS = 550

const Recorded = Web.shared(
  "test/DrawnSession",
  Effect.gen(function* () {
    const service = yield* Drives.emptyService
    const road = yield* Drives.recording(service, "ams2-road-america")
    const many = yield* Drives.circles(service, MANY_LAPS, true)
    return { service, road, many }
  })
)

/** The rows of a lap's CSV: `time` in seconds since its first. */
const rowsOf = (service: Box.Running, lap: number) =>
  Effect.promise(async () => {
    const answer = await fetch(`${service.address}/api/v1/export/csv/${lap}`)
    const [head, ...rows] = parseCsv(await answer.text())
    const of = (name: string) => rows.map((row) => Number(row[head!.indexOf(name)]))
    return { time: of("timestamp"), speed: of("speed"), rpm: of("rpm"), gear: of("gear") }
  })

const textOf = (page: Web.Opened["page"], selector: string) =>
  Effect.promise(() => page.locator(selector).first().innerText())

/** A number as the page writes it. */
const read = (text: string) => Number(text.replace("−", "-").replaceAll(",", ""))

describe("the diagrams of a session", needing(recordingsHere, Web.browserHere), () => {
  layer(Recorded.layer, { excludeTestServices: true })((it) => {
    it.scoped("report a lap as its rows give it", () =>
      Effect.gen(function* () {
        const { browser, road, service } = yield* Recorded
        const lap = road.laps.get(LAP)!
        const path = `/sessions/${road.session}/diagrams?laps=${lap}&report=speed,rpm&sectors=1`
        const { complaints, page } = yield* Web.open(browser, service, path)
        yield* Web.becomes(page, `document.querySelectorAll("table.report tbody tr").length > 1`)
        const { rpm, speed, time } = yield* rowsOf(service, lap)
        const rows = yield* Effect.promise(() => page.locator("table.report tbody tr").allInnerTexts())
        expect(rows.map((row) => row.split("\t")[0])).toEqual(["Session", `Lap ${LAP}`, "S1", "S2", "S3"])
        const cells = rows[1]!.split("\t").slice(1).map(read)
        const mean = (values: ReadonlyArray<number>) => {
          let area = 0
          for (let k = 1; k < time.length; k++)
            area += ((values[k]! + values[k - 1]!) / 2) * (time[k]! - time[k - 1]!)
          return area / (time.at(-1)! - time[0]!)
        }
        for (const [k, values] of [speed, rpm].entries()) {
          const [low, middle, high] = cells.slice(3 * k, 3 * k + 3)
          // As many digits as are written; the value as of the line is of the lap before.
          const share = 2e-3 * Math.max(...values)
          expect(Math.abs(low! - Math.min(...values))).toBeLessThan(share)
          expect(Math.abs(high! - Math.max(...values))).toBeLessThan(share)
          expect(Math.abs(middle! - mean(values))).toBeLessThan(share)
        }
        expect(yield* seriousFindings(page)).toEqual([])
        expect(complaints).toEqual([])
      })
    )

    it.scoped("mark one point in the plot, on the map, and in the histogram", () =>
      Effect.gen(function* () {
        const { browser, road, service } = yield* Recorded
        const lap = road.laps.get(LAP)!
        const path = `/sessions/${road.session}/diagrams?laps=${lap}&x=speed&y=rpm&colour=gear&channel=speed&width=10`
        const { complaints, page } = yield* Web.open(browser, service, path)
        const { gear, rpm, speed, time } = yield* rowsOf(service, lap)
        yield* Web.see(page, `${time.length.toLocaleString("en")} points`)
        yield* Effect.promise(() => page.locator(".scatter").focus())
        for (const key of ["PageDown", "PageDown", "ArrowRight", "ArrowRight"]) {
          yield* Effect.promise(() => page.keyboard.press(key))
        }
        // From the first point.
        const at = 122
        const values = yield* textOf(page, ".diagrams > section:nth-child(2) .bin-values")
        expect(values).toContain(`${(time[at]! - time[0]!).toFixed(2)} s`)
        const shown = ["Speed", "Rpm", "Gear"].map((label) =>
          read(new RegExp(`${label}: ([−\\d.,]+)`).exec(values)![1]!)
        )
        expect(Math.abs(shown[0]! - speed[at]!)).toBeLessThan(0.1)
        expect(Math.abs(shown[1]! - rpm[at]!)).toBeLessThan(0.6)
        expect(shown[2]!).toBe(gear[at]!)
        const histogram = yield* textOf(page, ".bin-values")
        const low = Math.floor(speed[at]! / 10) * 10
        expect(histogram).toContain(`${low} to ${low + 10} km/h`)
        // Until the next row; that after the last belongs to the next lap, so it is not in this file.
        const seconds = time.reduce(
          (sum, now, k) =>
            speed[k]! >= low && speed[k]! < low + 10 && k + 1 < time.length ? sum + time[k + 1]! - now : sum,
          0
        )
        const [, counted] = /: ([\d.]+) s/.exec(histogram)!
        expect(Math.abs(read(counted!) - seconds)).toBeLessThan(0.06)
        expect(yield* Effect.promise(() => page.locator(".bin-mark").count())).toBe(1)
        const car = page.locator(".scatter-and-map .map .car")
        expect(yield* Effect.promise(() => car.count())).toBe(1)
        // The pointer on the marked place finds the point, or one at the same place.
        yield* Effect.promise(async () => {
          const dot = (await page.locator(".scatter-cursor").boundingBox())!
          await page.mouse.move(dot.x + 7, dot.y + 7)
        })
        expect(yield* textOf(page, ".diagrams > section:nth-child(2) .bin-values")).toContain(
          `Speed: ${/Speed: (\S+)/.exec(values)![1]}`
        )
        // Another channel is in the address, with the bins' width gone.
        yield* Effect.promise(() => page.getByRole("combobox", { name: /^Channel/ }).selectOption("gear"))
        yield* Web.becomes(
          page,
          `location.search.includes("channel=gear") && !location.search.includes("width")`
        )
        yield* Web.becomes(page, `document.body.textContent.includes("1 (usual)")`)
        expect(complaints).toEqual([])
      })
    )

    it.scoped("thin more than 100,000 points, and say so; groups stand beside each other", () =>
      Effect.gen(function* () {
        const { browser, many, service } = yield* Recorded
        const path = `/sessions/${many.session}/diagrams?laps=all&x=g_lateral&y=speed&colour=fuel&channel=fuel`
        const { complaints, page } = yield* Web.open(browser, service, path)
        yield* Web.see(page, /^[\d,]+ points, one in 2 of those recorded/)
        yield* Effect.promise(() => page.locator(".scatter").focus())
        yield* Effect.promise(() => page.keyboard.press("ArrowRight"))
        const values = yield* textOf(page, ".diagrams > section:nth-child(2) .bin-values")
        expect(values).toContain("G lateral: −1 g")
        // The second of those drawn is the third recorded, after 0.4 s: 2 l less in a lap of 40 s.
        expect(values).toContain("Fuel: 99.98 l")
        // The laps are a choice of the keyboard, too.
        yield* Effect.promise(() => page.getByRole("button", { name: "Best lap" }).press("Enter"))
        yield* Web.see(page, /^19[89] points/)
        yield* Web.becomes(page, `/laps=\\d+$|laps=\\d+&/.test(location.search)`)
        expect(complaints).toEqual([])
      })
    )

    it.scoped("are one click from the session, and fit a phone", () =>
      Effect.gen(function* () {
        const { browser, road, service } = yield* Recorded
        const { complaints, page } = yield* Web.open(browser, service, `/sessions/${road.session}`, {
          viewport: { width: 390, height: 844 },
          isMobile: true
        })
        yield* Effect.promise(() => page.getByRole("link", { name: "Diagrams" }).click())
        yield* Web.see(page, / points/)
        const wide = yield* Effect.promise(() =>
          page.evaluate<number>("document.documentElement.scrollWidth")
        )
        expect(wide).toBe(390)
        expect(yield* seriousFindings(page)).toEqual([])
        expect(complaints).toEqual([])
      })
    )
  })
})
