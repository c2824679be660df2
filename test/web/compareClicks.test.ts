/** The way to a comparison, in clicks, and what a window of 1280 x 720 shows of it. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import * as Web from "../support/pages.ts"
import { seriousFindings } from "./accessible.ts"
import * as Drives from "./drives.ts"

const SMALL = { viewport: { width: 1280, height: 720 } }

interface Lap {
  readonly id: number
  readonly lap_number: number
  readonly lap_time: number
}

const fastestOf = (service: Box.Running, session: number) =>
  Effect.map(Box.get<ReadonlyArray<Lap>>(service, `/${session}/laps`), (laps) =>
    laps.toSorted((a, b) => a.lap_time - b.lap_time)
  )

describe("a comparison", needing(Web.browserHere), () => {
  it.scopedLive("of one's best with the best of another session takes two clicks from the sessions", () =>
    Effect.gen(function* () {
      const service = yield* Drives.emptyService
      const names = { circuit: "Circle", vehicle: "Kart", driver: "Robin Vale" }
      const first = yield* Drives.circles(service, 4, false, names)
      const second = yield* Drives.circles(service, 6, false, names)
      const [[best], [other, next]] = [
        yield* fastestOf(service, first.session),
        yield* fastestOf(service, second.session)
      ]
      const { complaints, page } = yield* Web.open(yield* Web.browser, service, "/sessions", SMALL)
      let clicks = 0
      const click = (what: ReturnType<typeof page.locator>) =>
        Effect.promise(async () => {
          clicks++
          await what.click()
        })
      yield* click(page.locator(`tbody tr:has(a[href="/sessions/${second.session}"]) td:last-child a`))
      // The list of the circuit's sessions is unfolded while there is one lap.
      yield* Web.see(page, "Choose two or more laps of one circuit.")
      expect(yield* seriousFindings(page)).toEqual([])
      const choices = page.getByRole("button", { name: /^Add the best lap/ })
      yield* click(choices.last())
      yield* Web.becomes(page, `document.querySelectorAll(".strip .u-over").length > 3`)
      expect(clicks).toBeLessThanOrEqual(4)
      expect(new URL(page.url()).searchParams.get("laps")).toBe(`${other!.id},${best!.id}`)
      // Nobody asks for more laps: the list is folded, and so is the table.
      expect(yield* Effect.promise(() => choices.count())).toBe(0)
      expect(yield* Effect.promise(() => page.locator("table.chosen").isVisible())).toBe(false)
      for (const strip of [0, 1, 2]) {
        const box = (yield* Effect.promise(() => page.locator(".strip").nth(strip).boundingBox()))!
        expect(box.y + box.height).toBeLessThan(720)
      }
      const map = (yield* Effect.promise(() => page.locator(".gain-map").boundingBox()))!
      expect(map.y + map.height).toBeLessThan(720)
      expect(yield* seriousFindings(page)).toEqual([])

      // Any other lap of any session at the circuit, the fastest first.
      yield* Effect.promise(() => page.getByRole("button", { name: "Add a lap" }).click())
      yield* Effect.promise(() => page.getByRole("button", { name: "6 laps" }).click())
      const laps = page.locator(".lap-choices button")
      yield* Effect.promise(() => laps.first().waitFor())
      const texts = yield* Effect.promise(() => laps.allInnerTexts())
      expect(texts[0]).toContain("best")
      expect(texts[1]).toContain(`Lap ${next!.lap_number}`)
      expect(yield* Effect.promise(() => laps.first().isDisabled())).toBe(true)
      yield* Effect.promise(() => laps.nth(1).click())
      yield* Web.becomes(page, `document.querySelectorAll(".lap-chips li").length === 3`)
      expect(complaints).toEqual([])
    })
  )

  it.scopedLive("is one click from a best lap of the statistics", () =>
    Effect.gen(function* () {
      const service = yield* Drives.emptyService
      const drive = yield* Drives.circles(service, 3)
      const [best] = yield* fastestOf(service, drive.session)
      const { complaints, page } = yield* Web.open(yield* Web.browser, service, "/statistics")
      yield* Effect.promise(() => page.locator("tbody td.best a").first().click())
      yield* Web.see(page, "Choose two or more laps of one circuit.")
      expect(new URL(page.url()).searchParams.get("laps")).toBe(String(best!.id))
      expect(complaints).toEqual([])
    })
  )
})
