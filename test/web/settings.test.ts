/** A browser's own settings: units, time zone and language of numbers, on the pages that show them. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"
import { needing } from "../support/needing.ts"

const Circled = Web.shared(
  "test/Circled",
  Effect.gen(function* () {
    const service = yield* Drives.emptyService
    yield* Drives.circles(service, 4, true)
    const { items } = yield* Box.get<{ readonly items: ReadonlyArray<{ readonly best_lap_time: number }> }>(
      service,
      "/sessions"
    )
    return { service, fastest: items[0]!.best_lap_time }
  })
)

type Page = Web.Opened["page"]

const choose = (page: Page, label: string, value: string) =>
  Effect.promise(() => page.getByLabel(new RegExp(`^${label}`)).selectOption(value))

const heads = (page: Page) => Effect.promise(() => page.locator("table.laps thead th.num").allInnerTexts())

/** The cells of a lap, by its row in the table. */
const cells = (page: Page, row: number) =>
  Effect.promise(() => page.locator("table.laps tbody tr").nth(row).locator("td.num").allInnerTexts())

const SAMPLE = ".settings p[role=status]"

describe("a browser's settings", needing(Web.browserHere), () => {
  layer(Circled.layer, { excludeTestServices: true })((it) => {
    it.scoped("are in force at once, in other tabs too, and after a reload", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Circled
        const { complaints, page } = yield* Web.open(browser, service, "/settings", { timezoneId: "UTC" })
        const sample = Effect.promise(() => page.locator(SAMPLE).innerText())
        yield* Web.see(page, "A lap of 1:33.669")
        expect(yield* sample).toBe(
          "A lap of 1:33.669 at up to 298.4 km/h, with tyres at 92.0 °C, begun at 2026-02-13 07:05 (UTC)."
        )
        const other = yield* Effect.promise(() => page.context().newPage())
        yield* Effect.promise(() => other.goto(`${service.address}/settings`))
        yield* Web.see(other, "A lap of 1:33.669")
        yield* choose(page, "Speed", "mph")
        yield* choose(page, "Temperature", "°F")
        yield* choose(page, "Time zone", "Asia/Tokyo")
        yield* choose(page, "Numbers", "de")
        const changed =
          "A lap of 1:33,669 at up to 185,4 mph, with tyres at 197,6 °F, begun at 2026-02-13 16:05 (Asia/Tokyo)."
        expect(yield* sample).toBe(changed)
        yield* Web.see(other, changed)
        yield* Effect.promise(() => page.reload())
        yield* Web.see(page, changed)
        expect(complaints).toEqual([])
      })
    )

    it.scoped("change how sessions, laps and plots are shown", () =>
      Effect.gen(function* () {
        const { browser, fastest, service } = yield* Circled
        const { complaints, page } = yield* Web.open(browser, service, "/settings", { timezoneId: "UTC" })
        const go = (path: string) => Effect.promise(() => page.goto(service.address + path))
        yield* go("/sessions/1?table=speed")
        yield* Web.see(page, "Top km/h")
        yield* Web.becomes(page, `!document.querySelector("table.laps").innerText.includes("…")`)
        const metric = (yield* cells(page, 0))[3]!
        yield* go("/settings")
        yield* choose(page, "Speed", "mph")
        yield* choose(page, "Temperature", "°F")
        yield* choose(page, "Time zone", "America/Los_Angeles")
        yield* choose(page, "Numbers", "de")
        // The drive began at 22:13:20 UTC.
        yield* go("/sessions")
        yield* Web.see(page, "Start (America/Los_Angeles)")
        yield* Web.see(page, "2023-11-14 14:13")
        yield* Web.see(page, fastest.toFixed(3).replace(".", ","))
        yield* go("/sessions/1?table=speed")
        yield* Web.see(page, "Top mph")
        yield* Web.becomes(
          page,
          `/\\d,\\d/.test(document.querySelectorAll("table.laps tbody td")[4].innerText)`
        )
        const [, time, , top] = yield* cells(page, 0)
        expect(time).toMatch(/^4\d,\d{3}$/)
        expect(Number(top!.replace(",", "."))).toBeCloseTo(Number(metric) / 1.609344, 0)
        yield* go("/sessions/1?table=tyres")
        yield* Web.see(page, "FL °F")
        expect((yield* heads(page)).slice(3)).toEqual(["FL °F", "FR °F", "RL °F", "RR °F"])
        // 81 °C.
        yield* Web.becomes(page, `document.querySelectorAll("table.laps tbody td")[4].innerText === "178"`)
        // A difference has no zero point of its own: 20 °C more are 36 °F more, not 68.
        yield* go("/sessions/1?channel=tyre_temperature_fl")
        yield* Web.see(page, "Change °F")
        yield* Web.becomes(page, `/\\d/.test(document.querySelectorAll("table.laps tbody td")[4].innerText)`)
        const [least, , most, change] = (yield* cells(page, 0))
          .slice(3)
          .map((text) => Number(text.replace(",", ".").replace("−", "-")))
        expect(most! - least!).toBeCloseTo(36, 0)
        expect(Math.abs(change!)).toBeLessThan(1)
        yield* go("/compare?laps=1,2&channels=speed,tyre_temperature_fl")
        // The closed chooser has the same names.
        yield* Web.becomes(page, `document.querySelectorAll(".strip p").length === 2`)
        const plots = yield* Effect.promise(() => page.locator(".strip p").allInnerTexts())
        expect(plots).toEqual(["Speed mph", "Tyre temperature fl °F"])
        expect(complaints).toEqual([])
      })
    )

    it.scoped("are printed with the content of their fields", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Circled
        const { page } = yield* Web.open(browser, service, "/settings")
        // The service's own settings, which arrive first.
        yield* Effect.promise(() => page.getByLabel("Rate, Hz").waitFor())
        yield* Effect.promise(() => page.emulateMedia({ media: "print" }))
        const shown = yield* Effect.promise(() =>
          page.locator(".settings input:visible").evaluateAll((fields) => fields.map(({ name }) => name))
        )
        expect(shown).toEqual([
          "games",
          "host",
          "port",
          "app_name",
          "telemetry_rate",
          "auto_export",
          "export_channels"
        ])
      })
    )

    it.scoped("are the defaults if the stored ones are invalid", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Circled
        const { complaints, page } = yield* Web.open(browser, service, "/settings", { timezoneId: "UTC" })
        for (const kept of [
          "{not JSON",
          `{"speed":"knots","temperature":7,"zone":"Atlantis/Capital","language":"no language"}`
        ]) {
          yield* Effect.promise(() =>
            page.evaluate(`localStorage.setItem("settings", ${JSON.stringify(kept)})`)
          )
          yield* Effect.promise(() => page.reload())
          yield* Web.see(page, "298.4 km/h, with tyres at 92.0 °C, begun at 2026-02-13 07:05 (UTC)")
        }
        expect(complaints).toEqual([])
      })
    )
  })
})
