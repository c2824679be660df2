/** What users say about a session, its laps and its anomalies, and readable names: on the pages. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { seriousFindings } from "./accessible.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

const RAW = { circuit: "ks_silverstone - national", vehicle: "my_kart", driver: "Player" }

const bodyOf = (page: Web.Opened["page"]) => Effect.promise(() => page.locator("main").innerText())

describe("marks", needing(Web.browserHere, recordingsHere), () => {
  it.scopedLive("correct, note and tag a session, exclude laps, dismiss anomalies and name raw names", () =>
    Effect.gen(function* () {
      const service = yield* Drives.emptyService
      const { laps, session } = yield* Drives.circles(service, 12, true, RAW)
      const { complaints, page } = yield* Web.open(yield* Web.browser, service, `/sessions/${session}`)
      const click = (name: string | RegExp) =>
        Effect.promise(() => page.getByRole("button", { name }).first().click())
      const fill = (label: string, text: string) =>
        Effect.promise(() => page.getByLabel(label, { exact: true }).fill(text))
      const read = (has: (text: string) => boolean) => Box.until(bodyOf(page), has)

      // Raw names that the service knows have readable ones.
      yield* read((text) => /silverstone \(national\)/i.test(text))
      yield* click("Edit …")
      yield* fill("Driver", "Anna")
      yield* fill("Tags, separated by commas", "wet, League")
      yield* fill("Note", "Rain from lap 3")
      expect(yield* seriousFindings(page)).toEqual([])
      yield* click("Save")
      yield* read((text) => text.includes("Anna") && text.includes("Rain from lap 3"))
      expect(yield* Box.get(service, `/sessions/${session}`)).toMatchObject({
        driver: "Anna",
        driver_reported: "Player",
        tags: ["wet", "League"]
      })

      // An excluded lap is struck through, and is no best any more.
      const best = Number(
        yield* Effect.promise(() =>
          page.locator("td.best").first().locator("xpath=..").locator(".lap-number").innerText()
        )
      )
      yield* click(`Edit lap ${best}`)
      yield* Effect.promise(() => page.getByRole("checkbox", { name: /^Exclude it/ }).check())
      yield* fill("Reason", "A shortcut")
      yield* click("Make it the reference")
      yield* Web.see(page, "drive against this lap")
      yield* click("Save")
      yield* Web.becomes(page, "document.querySelectorAll('tr.excluded').length === 1")
      expect(yield* Box.get(service, `/${laps.get(best)}`)).toMatchObject({ excluded: true, valid: false })
      expect(yield* Box.get(service, "/references")).toMatchObject([{ lap_id: laps.get(best) }])
      yield* click(`Edit lap ${best}`)
      yield* Effect.promise(() =>
        page.getByRole("dialog").getByRole("button", { name: "As reported" }).click()
      )
      yield* Web.becomes(page, "document.querySelectorAll('tr.excluded').length === 0")

      // What the user said before can be had back.
      yield* click(`Edit lap ${best}`)
      yield* Effect.promise(() => page.getByRole("dialog").getByText("Earlier").click())
      yield* Effect.promise(() => page.getByRole("dialog").getByRole("button", { name: "Restore" }).click())
      yield* Web.becomes(page, "document.querySelectorAll('tr.excluded').length === 1")
      yield* click(`Edit lap ${best}`)
      yield* Effect.promise(() =>
        page.getByRole("dialog").getByRole("button", { name: "As reported" }).click()
      )
      yield* Web.becomes(page, "document.querySelectorAll('tr.excluded').length === 0")

      // The live page drives against the reference, whichever lap is the best.
      const other = best === 1 ? 2 : 1
      yield* click(`Edit lap ${other}`)
      yield* click("Make it the reference")
      yield* Web.see(page, "drive against this lap")
      yield* Effect.promise(() => page.goto(`${service.address}/?session_id=${session}`))
      yield* Web.see(page, `To lap ${other}`)

      // A dismissed anomaly is hidden until it is asked for.
      const holed = yield* Drives.holedRecording(service, "ams2-road-america", {
        lap: 14,
        from: 38.5,
        to: 49.4
      })
      yield* Effect.promise(() => page.goto(`${service.address}/sessions/${holed.session}`))
      yield* click("Dismiss")
      yield* Web.see(page, /Show the \d+ dismissed/)
      yield* click(/^Show the/)
      yield* click("Take back")
      yield* Effect.promise(() => page.getByText(/the \d+ dismissed/).waitFor({ state: "detached" }))

      yield* Effect.promise(() => page.goto(`${service.address}/sessions?tag=wet`))
      yield* read((text) => text.includes("Anna") && text.includes("Tag wet"))
      yield* Effect.promise(() => page.goto(`${service.address}/sessions?tag=dry`))
      yield* Web.see(page, "No session has these names.")

      yield* Effect.promise(() => page.goto(`${service.address}/settings`))
      yield* fill("Name as the game reports it", "my_kart")
      yield* fill("Shown as", "Rental kart")
      yield* click("Add")
      yield* Web.see(page, "Rental kart")
      expect(yield* seriousFindings(page)).toEqual([])
      yield* Effect.promise(() => page.goto(`${service.address}/sessions`))
      yield* read((text) => text.includes("Rental kart") && !text.includes("my_kart"))
      expect(complaints).toEqual([])
    })
  )
})
