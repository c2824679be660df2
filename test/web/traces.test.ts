/** The live traces over longer times, from the store, and the look back while a car drives. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import * as Web from "../support/pages.ts"
import { seriousFindings } from "./accessible.ts"

/** Faster than real: some minutes of the drive pass in seconds. */
const SPEED = 30

describe("live traces", needing(Web.browserHere), () => {
  it.scopedLive("show minutes, the lap and the stint, and stop for a look back into the store", () =>
    Effect.gen(function* () {
      const service = yield* Box.startService(yield* Box.folder)
      const simulator = yield* Box.start("simulator/main.js", [
        "--protocol",
        "forza-motorsport",
        "--port",
        "0",
        "--speed",
        String(SPEED)
      ])
      yield* Box.connect(service, simulator, { simulator: "forza" })
      const { complaints, page } = yield* Web.open(yield* Web.browser, service, "/")
      yield* Web.becomes(page, `document.querySelector(".live-state")?.textContent === "Live"`)
      const asked: Array<string> = []
      page.on("request", (request) => {
        if (request.url().includes("telemetry.range")) asked.push(decodeURIComponent(request.url()))
      })
      const traces = page.getByRole("region", { name: "Traces" })
      for (const window of ["5 min", "10 min", "This lap", "Stint"]) {
        asked.length = 0
        yield* Effect.promise(() => traces.getByLabel("Show").selectOption(window))
        // The bounds, and the stretch.
        yield* Box.until(
          Effect.sync(() => asked.join()),
          (text) => text.includes("startTime")
        )
        yield* Web.becomes(page, `document.querySelectorAll(".area-traces .uplot").length === 5`)
      }
      yield* Effect.promise(() => traces.getByLabel("Show").selectOption("1 min"))
      // Two minutes and more of the drive are stored.
      const lasts = Box.get<{ readonly start_time: number; readonly end_time: number }>(
        service,
        `/telemetry/range?session_id=${yield* Box.lastSession(service)}&sample_rate=1000000`
      )
      yield* Box.until(lasts, ({ end_time, start_time }) => end_time - start_time > 150)
      yield* Effect.promise(() => traces.getByRole("button", { name: "Pause" }).click())
      yield* Web.see(page, "Traces, paused")
      const earlier = traces.getByRole("button", { name: "Earlier" })
      asked.length = 0
      yield* Effect.promise(() => earlier.click())
      yield* Web.see(page, "To 48 s before the pause")
      yield* Box.until(
        Effect.sync(() => asked.join()),
        (text) => text.includes("endTime")
      )
      // The page may know less of the session than the store does, until that answers: the beginning is then earlier.
      const toBegin = Effect.promise(async () => {
        await traces.getByRole("slider").press("Home")
        return earlier.isDisabled()
      })
      yield* Box.until(toBegin, (isThere) => isThere)
      yield* Web.see(page, /1 min into the session/)
      expect(yield* seriousFindings(page)).toEqual([])
      yield* Effect.promise(() => traces.getByRole("button", { name: "Go live" }).click())
      yield* Effect.promise(() => traces.getByRole("button", { name: "Pause" }).waitFor())
      // The choice is kept for the next visit.
      yield* Effect.promise(() => traces.getByLabel("Show").selectOption("Stint"))
      yield* Effect.promise(() => page.reload())
      yield* Web.becomes(page, `document.querySelector(".area-traces select")?.value === "stint"`)
      expect(complaints).toEqual([])
    })
  )

  it.scopedLive("of pedals in an overlay begin with what was driven before it was loaded", () =>
    Effect.gen(function* () {
      const service = yield* Box.startService(yield* Box.folder)
      yield* Box.connect(service, yield* Box.startSimulator())
      yield* Box.until(Box.connectionOf(service), (one) => (one?.points_stored ?? 0) > 60)
      const { complaints, page } = yield* Web.open(yield* Web.browser, service, "/statistics")
      const asked: Array<string> = []
      page.on("request", (request) => asked.push(decodeURIComponent(request.url())))
      yield* Effect.promise(() => page.goto(`${service.address}/overlay/pedals`))
      // The last minute, by its start.
      yield* Box.until(
        Effect.sync(() => asked.join()),
        (text) => /telemetry\.range.*startTime/.test(text)
      )
      expect(complaints).toEqual([])
    })
  )
})
