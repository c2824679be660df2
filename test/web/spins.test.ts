/** Spins in real laps: how they are named, and that a click leads to the car's place. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Browser } from "playwright-core"
import * as Box from "../support/processes.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

/** Lime Rock: the car spins in corner 3 of lap 15, down to 5 km/h, and lap 7 is the best. */
const RECORDING = "ac-lime-rock"
const [BEST, SPUN] = [7, 15]

class Recorded extends Context.Tag("test/Recorded")<
  Recorded,
  {
    readonly service: Box.Running
    readonly browser: Browser
    readonly laps: ReadonlyMap<number, number>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const service = yield* Drives.emptyService
      const { laps } = yield* Drives.recording(service, RECORDING)
      return { service, browser: yield* Web.browser, laps }
    })
  )
}

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
