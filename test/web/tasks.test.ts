/**
 * What users come for, in clicks (a choice in a list is two) from the page that opens first. The limits are those of a review, or lower
 * where the pages have become better: a change may not add a click unseen. No page or overlay on the way has a finding of axe, nor a
 * request that ends as cancelled.
 */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { overlays } from "../../web/src/overlays/catalog.ts"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import * as Web from "../support/pages.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { seriousFindings } from "./accessible.ts"
import * as Drives from "./drives.ts"

const Driven = Web.shared(
  "test/Tasks",
  Effect.gen(function* () {
    const service = yield* Drives.emptyService
    const holed = yield* Drives.holedRecording(service, "ams2-road-america", { lap: 5, from: 30, to: 40 })
    const names = { circuit: "Circle", vehicle: "Kart", driver: "Robin Vale" }
    const first = yield* Drives.circles(service, 4, true, names)
    const second = yield* Drives.circles(service, 6, true, names)
    return { service, first, second, holed }
  })
)

const SMALL = { viewport: { width: 1280, height: 720 } }

/** A user at the page that opens first, or at `path`, whose clicks are counted. */
const user = Effect.fn(function* (path = "/") {
  const { browser, service } = yield* Driven
  const { complaints, page } = yield* Web.open(browser, service, path, SMALL)
  const cancelled: Array<string> = []
  page.on("requestfailed", (request) => {
    // A preview ends with its frame, and so do its requests.
    if (request.frame() === page.mainFrame() && request.url().includes("/trpc/"))
      cancelled.push(request.url())
  })
  let clicks = 0
  return {
    page,
    complaints,
    cancelled,
    clicks: () => clicks,
    click: (what: Locator) =>
      Effect.promise(() => {
        clicks += 1
        return what.click()
      }),
    choose: (what: Locator, value: string) =>
      Effect.promise(() => {
        clicks += 2
        return what.selectOption(value)
      })
  }
})

const linkTo = (page: Page, name: string) =>
  page.locator("header nav").getByRole("link", { name, exact: true })
const sessionIn = (page: Page, id: number) => page.locator(`tbody a[href="/sessions/${id}"]`).first()

/** The user has arrived: nothing there is hard to use, and nothing failed. */
const arrived = Effect.fn(function* (by: Effect.Effect.Success<ReturnType<typeof user>>, clicks: number) {
  expect(yield* seriousFindings(by.page)).toEqual([])
  expect([by.complaints, by.cancelled]).toEqual([[], []])
  expect(by.clicks()).toBe(clicks)
})

const toSession = Effect.fn(function* (by: Effect.Effect.Success<ReturnType<typeof user>>, id: number) {
  yield* by.click(linkTo(by.page, "Sessions"))
  yield* by.click(sessionIn(by.page, id))
  yield* Effect.promise(() => by.page.getByRole("link", { name: "Diagrams" }).waitFor())
})

const BEST = "Circle"
/** The comparison is drawn. */
const PLOTS = `document.querySelectorAll(".strip .u-over").length > 3`

describe("tasks", needing(recordingsHere, Web.browserHere), () => {
  layer(Driven.layer, { excludeTestServices: true })((it) => {
    it.scoped("1: the best lap at a circuit takes 1 click, and how it came about 3", () =>
      Effect.gen(function* () {
        const by = yield* user()
        yield* by.click(linkTo(by.page, "Statistics"))
        yield* Web.see(by.page, `Best laps at ${BEST}`)
        yield* Effect.promise(() => by.page.locator("tbody td.best a").first().waitFor())
        yield* arrived(by, 1)
        yield* by.choose(by.page.getByLabel(/^Circuit/), BEST)
        yield* Web.see(by.page, "Progress")
        yield* Web.see(by.page, /best so far/)
        yield* arrived(by, 3)
      })
    )

    it.scoped("2: one's best against the best of another session takes 3", () =>
      Effect.gen(function* () {
        const { second } = yield* Driven
        const by = yield* user()
        yield* by.click(linkTo(by.page, "Sessions"))
        yield* by.click(
          by.page.locator(`tbody tr:has(a[href="/sessions/${second.session}"]) td:last-child a`)
        )
        yield* by.click(by.page.getByRole("button", { name: /^Add the best lap/ }).last())
        yield* Web.becomes(by.page, PLOTS)
        yield* arrived(by, 3)
      })
    )

    it.scoped("3: where the most time goes takes 1", () =>
      Effect.gen(function* () {
        const { holed } = yield* Driven
        const by = yield* user(`/compare?laps=${holed.laps.get(14)},${holed.laps.get(17)}`)
        yield* Web.becomes(by.page, PLOTS)
        yield* by.click(by.page.locator(".losses li button").first())
        yield* Web.see(by.page, /^At [\d,]+ m$/)
        yield* arrived(by, 1)
      })
    )

    it.scoped("4: the tyres' temperatures in a comparison take 2", () =>
      Effect.gen(function* () {
        const { first, second } = yield* Driven
        const by = yield* user(`/compare?laps=${first.laps.get(1)},${second.laps.get(5)}`)
        yield* Web.becomes(by.page, PLOTS)
        yield* by.click(by.page.locator("details.chooser summary"))
        yield* by.click(by.page.getByRole("button", { name: "Tyres", exact: true }))
        yield* Web.see(by.page, "Tyre temperature fl °C")
        yield* arrived(by, 2)
      })
    )

    it.scoped("5: the export of a lap takes 3", () =>
      Effect.gen(function* () {
        const { first } = yield* Driven
        const by = yield* user()
        yield* toSession(by, first.session)
        const download = by.page.waitForEvent("download")
        yield* by.click(by.page.getByRole("link", { name: "CSV of lap 2" }))
        expect((yield* Effect.promise(() => download)).suggestedFilename()).toMatch(/\.csv$/)
        yield* arrived(by, 3)
      })
    )

    it.scoped("6: to pin a session takes 3", () =>
      Effect.gen(function* () {
        const { first, service } = yield* Driven
        const by = yield* user()
        yield* toSession(by, first.session)
        yield* by.click(by.page.getByRole("button", { name: "Pin", exact: true }))
        yield* Box.until(
          Box.get<{ readonly pinned: boolean }>(service, `/sessions/${first.session}`),
          ({ pinned }) => pinned
        )
        yield* arrived(by, 3)
      })
    )

    it.scoped("diagrams of a session take 3", () =>
      Effect.gen(function* () {
        const { holed } = yield* Driven
        const by = yield* user()
        yield* toSession(by, holed.session)
        yield* by.click(by.page.getByRole("link", { name: "Diagrams" }))
        yield* Web.see(by.page, / points/)
        yield* Effect.promise(() => by.page.locator("table.report tbody tr").first().waitFor())
        yield* arrived(by, 3)
      })
    )

    it.scoped("8 and 9: an overlay for OBS takes 2, a layout with one more overlay 5", () =>
      Effect.gen(function* () {
        const by = yield* user()
        yield* by.click(linkTo(by.page, "Overlays"))
        yield* by.click(by.page.getByRole("button", { name: "Copy" }).first())
        yield* Web.see(by.page, /Copied|Press Ctrl\+C/)
        expect(by.clicks()).toBe(2)
        const next = yield* user()
        yield* next.click(linkTo(next.page, "Overlays"))
        yield* next.click(next.page.getByRole("link", { name: "Arrange several" }))
        yield* next.choose(next.page.locator("label", { hasText: "an overlay …" }).locator("select"), "tyres")
        yield* next.click(next.page.getByRole("button", { name: "Copy" }))
        yield* Web.becomes(next.page, `location.search.includes("tyres")`)
        yield* arrived(next, 5)
      })
    )

    it.scoped(
      "11 and 10: the reason why a connection fails takes 2, a connection 4 with the game chosen",
      () =>
        Effect.gen(function* () {
          const simulator = yield* Box.startSimulator("--circuit", "Larkspur Park")
          const by = yield* user()
          const port = by.page.getByRole("spinbutton", { name: "Port" })
          const connect = by.page.getByRole("button", { name: "Connect", exact: true })
          yield* by.click(port)
          // Nothing listens on the port of discarded text.
          yield* Effect.promise(() => port.fill("9"))
          yield* by.click(connect)
          const problem = by.page.getByRole("alert")
          yield* Effect.promise(() => problem.waitFor())
          const box = (yield* Effect.promise(() => problem.boundingBox()))!
          expect(box.y + box.height).toBeLessThanOrEqual(720)
          expect(by.clicks()).toBe(2)
          const next = yield* user()
          yield* next.choose(next.page.getByLabel("Simulator"), "native")
          yield* next.click(next.page.getByRole("spinbutton", { name: "Port" }))
          yield* Effect.promise(() =>
            next.page.getByRole("spinbutton", { name: "Port" }).fill(new URL(simulator.address).port)
          )
          yield* next.click(next.page.getByRole("button", { name: "Connect", exact: true }))
          yield* Web.becomes(next.page, `document.querySelector(".dial") !== null`)
          expect(next.complaints).toEqual([])
          expect(next.clicks()).toBe(4)
        })
    )

    it.scoped("12: lost data is found in the session's anomalies, in 2", () =>
      Effect.gen(function* () {
        const { holed } = yield* Driven
        const by = yield* user()
        yield* toSession(by, holed.session)
        yield* Web.see(by.page, /10\.\d s|no points|No points|missing/)
        const texts = yield* Effect.promise(() => by.page.locator("td.sentence").allInnerTexts())
        expect(texts.some((text) => /points|data/.test(text))).toBe(true)
        yield* arrived(by, 2)
      })
    )

    it.scoped("of keyboard users: every overlay alone has no finding", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Driven
        const { page } = yield* Web.open(browser, service, "/overlay/timer", SMALL)
        for (const { name } of overlays) {
          yield* Effect.promise(() => page.goto(`${service.address}/overlay/${name}?idle=keep`))
          yield* Effect.promise(() => page.locator(".plate").first().waitFor({ state: "attached" }))
          const findings = yield* Box.until(seriousFindings(page), ({ length }) => length === 0)
          expect([name, findings]).toEqual([name, []])
        }
      })
    )

    it.scoped("7: to delete a session takes 4", () =>
      Effect.gen(function* () {
        const { second } = yield* Driven
        const by = yield* user()
        yield* toSession(by, second.session)
        yield* by.click(by.page.getByRole("button", { name: "Delete …" }))
        expect(yield* seriousFindings(by.page)).toEqual([])
        yield* by.click(by.page.getByRole("button", { name: "Delete the session" }))
        yield* Web.becomes(by.page, `location.pathname === "/sessions"`)
        expect(by.clicks()).toBe(4)
        expect([by.complaints, by.cancelled]).toEqual([[], []])
      })
    )
  })
})
