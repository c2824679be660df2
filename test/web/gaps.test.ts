/** Laps with a pause in their data, compared: nothing is drawn or shown that was not recorded. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import * as Web from "../support/pages.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import * as Drives from "./drives.ts"

/** Road America's corners 6 and 7. */
const HOLE = { lap: 14, from: 38.5, to: 49.4 }
const WITHIN = { from: 2480, to: 2760 }

const Holed = Web.shared(
  "test/Holed",
  Effect.gen(function* () {
    const service = yield* Drives.emptyService
    const { laps } = yield* Drives.holedRecording(service, "ams2-road-america", HOLE)
    return { service, laps }
  })
)

/** How many points of the first plot have the colour of the second lap. */
const DRAWN = `(() => {
  const [red, green, blue] = getComputedStyle(document.documentElement).getPropertyValue("--lap-1").trim()
    .match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16))
  const canvas = document.querySelector(".strip canvas")
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
  let count = 0
  for (let k = 0; k < data.length; k += 4)
    if (Math.abs(data[k] - red) + Math.abs(data[k + 1] - green) + Math.abs(data[k + 2] - blue) < 30 && data[k + 3] > 200) count++
  return count
})()`

describe("a comparison with a lap that has a gap", needing(recordingsHere, Web.browserHere), () => {
  layer(Holed.layer, { excludeTestServices: true })((it) => {
    it.scoped("draws no line through it, and has no figures and no colour there", () =>
      Effect.gen(function* () {
        const { browser, laps, service } = yield* Holed
        const path = `/compare?laps=${laps.get(14)},${laps.get(17)}`
        const { complaints, page } = yield* Web.open(browser, service, path)
        yield* Web.plots(page, 6)
        const drawn = Effect.promise(() => page.evaluate<number>(DRAWN))
        yield* Box.until(drawn, (count) => count > 100)
        yield* Web.see(page, "not recorded")
        const row = page.locator("table.corners tbody tr", { hasText: /^6 / })
        const cells = yield* Effect.promise(() => row.locator("td").allInnerTexts())
        // The loss is the other lap's; of each other figure the reference's stands first.
        const own = cells.filter((_, k) => k % 2 === 0)
        const reference = cells.filter((_, k) => k % 2 === 1)
        expect(new Set(own)).toEqual(new Set(["–"]))
        expect(reference.filter((text) => /\d/.test(text)).length).toBeGreaterThan(4)
        yield* Effect.promise(() =>
          page.goto(`${service.address}${path}&from=${WITHIN.from}&to=${WITHIN.to}&cursor=2600`)
        )
        yield* Web.plots(page, 6)
        yield* Web.see(page, /^At 2,6\d\d m$/)
        const read = page.locator("section", { hasText: /^At 2,6/ }).locator("tbody td:last-child")
        expect(yield* Effect.promise(() => read.allInnerTexts())).toEqual(Array(6).fill("–"))
        expect(yield* drawn).toBe(0)
        expect(complaints).toEqual([])
      })
    )
  })
})
