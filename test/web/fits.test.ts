/** Long content: many laps, late laps, names on a phone, and more sessions of a circuit than are listed at first. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserContextOptions } from "playwright-core"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"

const RECORDING = "f1-bahrain-2026-ant"
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
/** More than are listed at first. */
const SESSIONS = 203
const LONG_NAME = "Maximilian Featherstonehaugh-Larsen"
/** The session that a simulator drives. */
const DRIVEN = 2

const Long = Web.shared(
  "test/Long",
  Effect.gen(function* () {
    const service = yield* Drives.emptyService
    const { laps } = yield* Drives.recording(service, RECORDING)
    yield* Box.connect(service, yield* Box.startSimulator("--driver", LONG_NAME))
    // The second session, recorded before many others exist.
    yield* Box.until(
      Box.get<{ readonly total: number }>(service, "/sessions"),
      ({ total }) => total === DRIVEN
    )
    // A second session for as long as the tests last: there is a choice of drivers only with several.
    yield* Box.connect(service, yield* Box.startSimulator())
    for (let k = 0; k < SESSIONS; k++) {
      const names = { circuit: "Often Driven", vehicle: "Kart", driver: `Driver ${k}` }
      yield* Box.ask(service, "POST", "/sessions", names)
    }
    return { service, laps: [...laps.values()] }
  })
)

/** Keeps the texts that a canvas shows only in part. */
const KEEP_CUT = `
  globalThis.cut = new Set()
  const { fillText } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.fillText = function (text, x, ...rest) {
    const { width } = this.measureText(text)
    const at = this.getTransform().transformPoint({ x, y: 0 }).x
    const left = this.textAlign === "right" ? at - width : this.textAlign === "center" ? at - width / 2 : at
    if (left < -0.5 || left + width > this.canvas.width + 0.5) cut.add(text)
    return fillText.call(this, text, x, ...rest)
  }`

const openAt = Effect.fn(function* (path: string, options: BrowserContextOptions = {}) {
  const { browser, service } = yield* Long
  const opened = yield* Web.open(browser, service, "/settings", options)
  yield* Effect.promise(async () => {
    await opened.page.addInitScript(KEEP_CUT)
    await opened.page.goto(service.address + path)
  })
  return opened
})

describe("pages of long content", needing(Web.browserHere, recordingsHere), () => {
  layer(Long.layer, { excludeTestServices: true })((it) => {
    for (const [what, options] of [
      ["wide", {}],
      ["on a phone", PHONE]
    ] as const) {
      it.scoped(`cut no mark off an axis, nor a lap's row, ${what}`, () =>
        Effect.gen(function* () {
          const { laps } = yield* Long
          const { complaints, page } = yield* openAt(`/compare?laps=${laps.slice(0, 20).join(",")}`, options)
          yield* Web.becomes(page, `document.querySelectorAll(".strip .uplot canvas").length > 4`)
          yield* Web.unfoldLaps(page)
          yield* Web.see(page, /✕ not trusted/)
          const cut = yield* Effect.promise(() => page.evaluate<ReadonlyArray<string>>("[...globalThis.cut]"))
          expect(cut).toEqual([])
          // With a lap's actions, which are the last in its row.
          const rows = yield* Effect.promise(() =>
            page.locator(".many").evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)
          )
          expect(rows).toBeLessThanOrEqual(0)
          expect(complaints).toEqual([])
        })
      )
    }

    it.scoped("show on a phone at first one figure of corners, for which there is room", () =>
      Effect.gen(function* () {
        const { laps } = yield* Long
        const { page } = yield* openAt(`/compare?laps=${laps[5]},${laps[13]}`, PHONE)
        yield* Effect.promise(() => page.getByLabel("Show").waitFor())
        const chosen = yield* Effect.promise(() => page.getByLabel("Show").inputValue())
        expect(chosen).toBe("lost")
      })
    )

    it.scoped("show a session's table of laps whole, beside its analyses or above them", () =>
      Effect.gen(function* () {
        for (const width of [1920, 1280, 1181, 1180, 1024, 768, 390, 320]) {
          const { page } = yield* openAt("/sessions/1", { viewport: { width, height: 720 } })
          yield* Web.becomes(page, `document.querySelectorAll("table.laps tbody tr").length > 40`)
          const beyond = yield* Effect.promise(() =>
            page.locator(".tall").evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)
          )
          expect([width, beyond]).toEqual([width, 0])
          // Nor does a lap time touch the next number.
          const touching = yield* Effect.promise(() =>
            page.evaluate<number>(`(() => {
              const box = (cell) => {
                const range = document.createRange()
                range.selectNodeContents(cell)
                return range.getBoundingClientRect()
              }
              const rows = [...document.querySelectorAll("table.laps tbody tr")].map((row) => [...row.children].slice(1, -1).map(box))
              return rows.filter((cells) => cells.some((cell, k) => k > 0 && cell.left - cells[k - 1].right < 3)).length
            })()`)
          )
          expect([width, touching]).toEqual([width, 0])
        }
      })
    )

    it.scoped("name all pages in one row on a phone", () =>
      Effect.gen(function* () {
        const { page } = yield* openAt("/sessions", PHONE)
        const links = page.locator(".shell > header nav a")
        const tops = yield* Effect.promise(() =>
          links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top))
        )
        expect(tops).toHaveLength(7)
        expect(new Set(tops).size).toBe(1)
      })
    )

    it.scoped("have links to a lap that a finger hits, on a phone", () =>
      Effect.gen(function* () {
        const { page } = yield* openAt("/sessions/1", PHONE)
        yield* Effect.promise(() => page.locator(".lap-links a").first().waitFor())
        const heights = yield* Effect.promise(() =>
          page
            .locator(".lap-links a")
            .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height))
        )
        expect(Math.min(...heights)).toBeGreaterThanOrEqual(24)
      })
    )

    it.scoped("fit a session's incidents into a phone's width", () =>
      Effect.gen(function* () {
        const { page } = yield* openAt("/sessions/1", PHONE)
        yield* Web.see(page, /slow nearly everywhere/)
        const widths = yield* Effect.promise(() =>
          page
            .locator("td.sentence")
            .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width))
        )
        expect(widths.length).toBeGreaterThan(3)
        for (const width of widths) expect(width).toBeGreaterThan(0.75 * PHONE.viewport.width)
      })
    )

    it.scoped("keep a line's colour beside its name, on a phone's live page", () =>
      Effect.gen(function* () {
        const { page } = yield* openAt(`/?session_id=${DRIVEN}&channels=suspension_travel_*`, PHONE)
        yield* Effect.promise(() => page.locator(".area-channels .legend").last().waitFor())
        const broken = yield* Effect.promise(() =>
          page.evaluate<ReadonlyArray<string>>(
            `[...document.querySelectorAll(".strip .legend")].filter((name) => name.getClientRects().length > 1)
              .map((name) => name.textContent)`
          )
        )
        expect(broken).toEqual([])
        // Speed and gear are shown where the wheel is.
        const dial = yield* Effect.promise(async () => (await page.locator(".dial").boundingBox())!)
        expect(dial.width).toBeGreaterThan(140)
        // Nor is the page wider than the phone, with the names to choose from.
        yield* Box.until(
          Effect.promise(() => page.locator("select option").allTextContents()),
          (names) => names.some((name) => name.startsWith(LONG_NAME))
        )
        const wide = yield* Effect.promise(() =>
          page.evaluate<number>("document.documentElement.scrollWidth")
        )
        expect(wide).toBe(PHONE.viewport.width)
      })
    )

    it.scoped("list a circuit's older sessions, too, in the choice of laps", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* openAt("/compare")
        yield* Effect.promise(() => page.getByLabel("Circuit").selectOption("Often Driven"))
        const named = (driver: string) => page.locator(".session-choices li", { hasText: `${driver},` })
        yield* Effect.promise(async () => {
          await named("Driver 202").waitFor({ state: "attached" })
          await page.getByRole("button", { name: "3 more …" }).click()
          await named("Driver 0").waitFor({ state: "attached" })
        })
        expect(yield* Effect.promise(() => named("Driver 202").count())).toBe(1)
        expect(complaints).toEqual([])
      })
    )
  })
})
