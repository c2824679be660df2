/** Clicks, wheel and pointer in a comparison, whose address keeps all of its state. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserContextOptions } from "playwright-core"
import * as Box from "../support/processes.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

const LAPS = 8

/** Lap ids by lap number: of Road America, and of circles with forces and fuel. */
const Driven = Web.shared(
  "test/Driven",
  Effect.gen(function* () {
    const service = yield* Drives.emptyService
    const { laps: real } = yield* Drives.recording(service, "ams2-road-america")
    const { laps: circles } = yield* Drives.circles(service, LAPS, true)
    return { service, real, circles }
  })
)

const open = Effect.fn(function* (
  which: "real" | "circles",
  numbers: ReadonlyArray<number>,
  query = "",
  options: BrowserContextOptions = {}
) {
  const driven = yield* Driven
  const ids = numbers.map((number) => driven[which].get(number)).join(",")
  return yield* Web.open(driven.browser, driven.service, `/compare?laps=${ids}${query}`, options)
})

type Page = Web.Opened["page"]

const queryOf = (page: Page) => new URL(page.url()).searchParams

/** Waits until a parameter of the address is as wanted. */
const addressHas = (page: Page, name: string, isWanted: (value: string | null) => boolean) =>
  Box.until(
    Effect.sync(() => queryOf(page).get(name)),
    isWanted
  )

const click = (page: Page, name: string | RegExp) =>
  Effect.promise(() => page.getByRole("button", { name }).first().click())

/** The cursor's place, m. */
const cursorOf = (page: Page) =>
  Effect.map(
    Effect.promise(() => page.getByText(/^At [\d,]+ m$/).innerText()),
    (text) => Number(/[\d,]+/.exec(text)![0].replace(",", ""))
  )

/** Whether a channel is drawn; the chooser names it as well. */
const drawn = (label: string) =>
  `[...document.querySelectorAll(".strip p")].some(({ innerText }) => innerText === ${JSON.stringify(label)})`

const labels = (page: Page) => Effect.promise(() => page.locator(".strip p").allInnerTexts())

describe("a comparison", needing(recordingsHere, Web.browserHere), () => {
  layer(Driven.layer, { excludeTestServices: true })((it) => {
    it.scoped("is requested once, before the answers about its laps", () =>
      Effect.gen(function* () {
        const { browser, real, service } = yield* Driven
        const { page } = yield* Web.open(browser, service, "/settings")
        const requested: Array<string> = []
        page.on("request", (request) => requested.push(request.url()))
        const laps = `/compare?laps=${real.get(14)},${real.get(17)}`
        yield* Effect.promise(() => page.goto(service.address + laps))
        yield* Web.see(page, "Corners")
        const places = (name: string) => requested.flatMap((url, k) => (url.includes(name) ? [k] : []))
        const comparisons = places("analysis.compareTraced")
        expect(comparisons).toHaveLength(1)
        expect(comparisons[0]).toBeLessThan(places("sessions.get")[0]!)
        // Other laps that are chosen there are compared once, too.
        requested.length = 0
        yield* Web.unfoldLaps(page)
        yield* Effect.promise(() =>
          page
            .getByRole("link", { name: /^remove lap/ })
            .first()
            .click()
        )
        yield* Web.see(page, "Choose two or more laps of one circuit.")
        yield* Effect.promise(() => page.goBack())
        yield* Web.see(page, "Corners")
        expect(places("analysis.compareTraced")).toHaveLength(1)
      })
    )

    it.scoped(
      "draws the recorded values, with the delta right under the speed, and has its laps in its title",
      () =>
        Effect.gen(function* () {
          const { complaints, page } = yield* open("real", [14, 17])
          yield* Web.see(page, "Corners")
          expect((yield* labels(page)).slice(0, 3)).toEqual([
            "Speed km/h",
            "Seconds behind the reference (above 0: lost)",
            "Throttle %"
          ])
          // The title changes some frames later.
          const title = yield* Box.until(
            Effect.promise(() => page.title()),
            (text) => text.startsWith("Laps")
          )
          expect(title).toMatch(/^Laps 14, 17 at Road_America/)
          // The circles have neither brake nor steering.
          const circles = yield* open("circles", [1, 2])
          yield* Web.see(circles.page, "Throttle %")
          expect((yield* labels(circles.page)).join()).not.toMatch(/Brake|Steering/)
          expect([complaints, circles.complaints]).toEqual([[], []])
        })
    )

    it.scoped("zooms by the wheel, keeps the view in its address, and goes back to the one before", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* open("real", [14, 17])
        yield* Web.see(page, "Corners")
        const over = page.locator(".u-over").first()
        yield* Effect.promise(() => over.hover({ position: { x: 200, y: 40 } }))
        const before = yield* cursorOf(page)
        yield* Effect.promise(() => page.mouse.wheel(0, -480))
        yield* addressHas(page, "from", (from) => Number(from) > 0)
        const { from, to } = Object.fromEntries(queryOf(page))
        // Two turns of the wheel; the place under the pointer is still there.
        expect(Number(to) - Number(from)).toBeLessThan(3000)
        expect(before).toBeGreaterThan(Number(from))
        expect(before).toBeLessThan(Number(to))
        yield* Effect.promise(() => page.reload())
        yield* Web.see(page, "Corners")
        yield* Effect.promise(() => over.hover({ position: { x: 1, y: 40 } }))
        yield* Box.until(cursorOf(page), (at) => Math.abs(at - Number(from)) < 60)
        yield* addressHas(page, "cursor", (cursor) => Math.abs(Number(cursor) - Number(from)) < 60)
        yield* Effect.promise(() => page.goBack())
        yield* addressHas(page, "from", (value) => value === null)
        // The earlier address has a cursor of its own, which is restored a frame later.
        const left = Effect.promise(async () => {
          await over.hover({ position: { x: 9, y: 40 } })
          await over.hover({ position: { x: 2, y: 40 } })
        })
        yield* Box.until(Effect.zipRight(left, cursorOf(page)), (at) => at < 100)
        expect(complaints).toEqual([])
      })
    )

    it.scoped("has one cursor in the plots and on the map, and shows the place of a value", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* open("real", [14, 17])
        yield* Web.plots(page, 6)
        const map = page.locator(".gain-map")
        const { height, width } = (yield* Effect.promise(() => map.boundingBox()))!
        yield* Effect.promise(() => map.hover({ position: { x: width / 2, y: height - 24 } }))
        yield* Web.see(page, /^At [\d,]+ m$/)
        yield* Web.becomes(page, `document.querySelectorAll(".gain-map .car").length === 2`)
        yield* Web.becomes(
          page,
          `getComputedStyle(document.querySelector(".u-cursor-x")).transform !== "none"`
        )
        // The cursor is at lap 14's lowest speed in corner 8, not at the apex.
        yield* Effect.promise(() => page.getByRole("button", { name: "96", exact: true }).click())
        yield* Box.until(cursorOf(page), (at) => at > 3100 && at < 3300)
        const own = page.locator("section", { hasText: /^At 3,/ }).locator("tbody tr", { hasText: "Speed" })
        expect(yield* Effect.promise(() => own.locator("td").nth(1).innerText())).toMatch(/^9[56]\./)
        expect(complaints).toEqual([])
      })
    )

    it.scoped("compares the others with another lap, and adds up the listed losses", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* open("real", [14, 17, 10])
        yield* Web.see(page, "Corners")
        const behind = page.locator("table.chosen tbody tr td:nth-child(3)")
        expect(yield* Effect.promise(() => behind.allInnerTexts())).toEqual(["fastest", "+1.280", "+1.679"])
        const listed = yield* Effect.promise(() => page.locator(".losses b").allInnerTexts())
        const sum = listed.reduce((total, text) => total + Math.round(Number.parseFloat(text) * 1000), 0)
        const text = yield* Effect.promise(() => page.getByText(/ s listed/).innerText())
        expect(text).toContain(`+${(sum / 1000).toFixed(3)} s listed`)
        yield* Web.unfoldLaps(page)
        yield* Effect.promise(() =>
          page.getByRole("link", { name: /hold the others against lap 14/ }).click()
        )
        yield* Web.becomes(
          page,
          `document.querySelector("table.chosen tbody td:nth-child(3)").innerText === "reference"`
        )
        expect(yield* Effect.promise(() => behind.allInnerTexts())).toEqual(["reference", "−1.280", "+0.399"])
        expect(complaints).toEqual([])
      })
    )

    it.scoped("draws any channel of the sessions, over distance and time, by sets and one by one", () =>
      Effect.gen(function* () {
        const { circles } = yield* Driven
        const { complaints, page } = yield* open("circles", [2, 3])
        yield* Web.see(page, "Throttle %")
        yield* Effect.promise(() =>
          page
            .getByText(/^Channels/)
            .first()
            .click()
        )
        yield* click(page, "Fuel")
        yield* Web.see(page, "Fuel l")
        expect(queryOf(page).get("channels")).toBe("speed,time_delta,throttle,fuel")
        yield* Effect.promise(() => page.getByLabel("g lateral").check())
        yield* Web.becomes(page, drawn("G lateral g"))
        yield* click(page, "Over time")
        yield* Web.see(page, "Over time")
        yield* Effect.promise(() =>
          page
            .locator(".u-over")
            .first()
            .hover({ position: { x: 300, y: 20 } })
        )
        yield* Web.see(page, /^At [\d.]+ s$/)
        // Two litres a lap: lap 3 has two less than lap 2, at every place.
        const read = page
          .locator("section", { hasText: /^At / })
          .locator("tbody tr", { hasText: "Fuel" })
          .locator("td")
        // The faster one stands first.
        const [third, second] = yield* Effect.promise(() => read.allInnerTexts())
        expect(Number(second) - Number(third)).toBeCloseTo(2, 1)
        // The browser's choice counts if the address names none.
        const { service } = yield* Driven
        yield* Effect.promise(() =>
          page.goto(`${service.address}/compare?laps=${circles.get(4)},${circles.get(5)}`)
        )
        yield* Web.becomes(page, drawn("G lateral g"))
        expect(complaints).toEqual([])
      })
    )

    it.scoped("has its values above each plot, in sight with the first plots on a laptop", () =>
      Effect.gen(function* () {
        const { page } = yield* open("real", [14, 17], "&cursor=3200", {
          viewport: { width: 1280, height: 720 }
        })
        yield* Web.plots(page, 6)
        yield* Web.becomes(page, `document.querySelectorAll(".strip-values").length === 6`)
        const [speed, deltas] = yield* Effect.promise(() => page.locator(".strip-values").allInnerTexts())
        expect(speed).toMatch(/^\d+\.\d\s+\d+\.\d$/)
        expect(deltas).toMatch(/^0\.000\s+\+0\.\d{3}$/)
        // The list beside the plots has the same.
        const row = page.locator("section", { hasText: /^At 3,/ }).locator("tbody tr", { hasText: "Speed" })
        const listed = yield* Effect.promise(() => row.locator("td").allInnerTexts())
        expect(speed!.split(/\s+/)).toEqual(listed)
        const box = (yield* Effect.promise(() => page.locator(".strip").nth(1).boundingBox()))!
        expect(box.y + box.height).toBeLessThan(720)
      })
    )

    it.scoped(
      "scrolls the plots into sight for the place of a loss, also below a long list of channels",
      () =>
        Effect.gen(function* () {
          const { page } = yield* open("real", [14, 17], "", { viewport: { width: 390, height: 844 } })
          yield* Web.plots(page, 6)
          yield* Effect.promise(() =>
            page
              .getByText(/^Channels/)
              .first()
              .click()
          )
          // The list scrolls in itself.
          const list = (yield* Effect.promise(() => page.locator(".chooser > .stack").boundingBox()))!
          expect(list.height).toBeLessThan(400)
          yield* Effect.promise(() => page.locator(".losses button").first().click())
          const isSeen = `(({ bottom, top }) => top >= 0 && bottom <= innerHeight)(document.querySelector(".strip").getBoundingClientRect())`
          yield* Web.becomes(page, isSeen)
        })
    )

    it.scoped(
      "names laps of the same number by what distinguishes them, and takes REST's name for them",
      () =>
        Effect.gen(function* () {
          const { circles, service, browser } = yield* Driven
          const other = yield* Drives.circles(service, 3, false, {
            circuit: "Circle",
            vehicle: "Kart",
            driver: "Other"
          })
          const ids = [circles.get(2), other.laps.get(2)]
          const { complaints, page } = yield* Web.open(browser, service, `/compare?lap_ids=${ids.join(",")}`)
          yield* Web.see(
            page,
            /^Where the time went: lap 2 \((Many Laps|Other)\) against lap 2 \((Many Laps|Other)\)/i
          )
          yield* Web.see(page, /^Lap 2 \((Many Laps|Other)\) against lap 2 \((Many Laps|Other)\)$/)
          expect(complaints).toEqual([])
        })
    )

    it.scoped("says which laps cannot be compared, and why, with their links to remove them", () =>
      Effect.gen(function* () {
        const { circles, real } = yield* Driven
        const { page } = yield* open("real", [14], `,${circles.get(2)}`)
        yield* Web.see(page, "These laps are of different circuits.")
        expect(yield* Effect.promise(() => page.getByText(/lap_ids|Try again/).count())).toBe(0)
        yield* Effect.promise(() => page.getByRole("link", { name: "remove lap 2" }).click())
        yield* Web.see(page, "Choose two or more laps of one circuit.")
        expect(queryOf(page).get("laps")).toBe(String(real.get(14)))
      })
    )

    it.scoped(
      "keeps the room of its plots while it is computed, and loads no more digits than it shows",
      () =>
        Effect.gen(function* () {
          const { browser, real, service } = yield* Driven
          const { complaints, page } = yield* Web.open(browser, service, "/settings")
          const waiting: Array<() => void> = []
          const sizes: Array<number> = []
          yield* Effect.promise(() =>
            page.route(/compareTraced/, async (route) => {
              await new Promise<void>((go) => waiting.push(go))
              const answer = await route.fetch()
              sizes.push((await answer.body()).length)
              return route.fulfill({ response: answer })
            })
          )
          yield* Effect.promise(() =>
            page.goto(`${service.address}/compare?laps=${real.get(14)},${real.get(17)}`)
          )
          yield* Web.see(page, "Comparing 2 laps …")
          // The laps are known before.
          yield* Effect.promise(() => page.locator("table.chosen", { hasText: "1:44.520" }).waitFor())
          for (const go of waiting.splice(0)) go()
          yield* Web.plots(page, 6)
          // 6.4 km in metres, ten columns of two laps: 1.7 MB with all digits.
          expect(sizes[0]).toBeLessThan(800_000)
          expect(complaints).toEqual([])
        })
    )

    it.scoped(
      "shares a wide window among the corners' numbers, without a column for the reference's loss",
      () =>
        Effect.gen(function* () {
          const { page } = yield* open("real", [14, 17], "", { viewport: { width: 1920, height: 1080 } })
          yield* Web.see(page, "Corners")
          const names = (yield* Effect.promise(() =>
            page.locator("table.corners th.fixed").first().boundingBox()
          ))!
          expect(names.width).toBeLessThan(0.25 * 1920)
          yield* Effect.promise(() => page.getByLabel("Show").selectOption({ label: "Lost, s" }))
          const cells = page.locator("table.corners tbody tr").first().locator("td")
          yield* Box.until(
            Effect.promise(() => cells.count()),
            (count) => count === 1
          )
        })
    )

    it.scoped("is no wider than the narrowest phone", () =>
      Effect.gen(function* () {
        const { page } = yield* open("real", [14, 17], "", { viewport: { width: 320, height: 640 } })
        yield* Web.plots(page, 6)
        yield* Effect.promise(() => page.getByRole("button", { name: "Add a lap" }).click())
        yield* Effect.promise(() =>
          page
            .getByRole("button", { name: /^Add the best lap/ })
            .first()
            .waitFor()
        )
        const width = yield* Effect.promise(() =>
          page.evaluate<number>("document.documentElement.scrollWidth")
        )
        expect(width).toBe(320)
      })
    )

    it.scoped("shows the limit of channels, and draws no more", () =>
      Effect.gen(function* () {
        const numbers = Array.from({ length: LAPS }, (_, k) => k + 1)
        const names = Array.from({ length: 40 }, (_, k) => `nothing_${k}`)
        const { page } = yield* open("circles", numbers, `&channels=speed,fuel,${names.join(",")}`)
        yield* Web.becomes(page, drawn("Speed km/h"))
        yield* Effect.promise(() =>
          page
            .getByText(/^Channels/)
            .first()
            .click()
        )
        // 200 lines of 8 laps are 25 channels.
        yield* Web.see(page, /16 of the chosen channels are not drawn: at most 25 /)
        expect(yield* labels(page)).toEqual(["Speed km/h", "Fuel l"])
      })
    )

    it.scoped("shows forces against each other and shares of time, and names missing channels", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* open("circles", [2, 3])
        yield* Web.see(page, "Throttle %")
        yield* click(page, "g-g diagram")
        yield* Effect.promise(() => page.getByRole("img", { name: /Lateral against longitudinal/ }).waitFor())
        expect(queryOf(page).get("diagram")).toBe("gg")
        yield* click(page, "Suspension velocity")
        yield* Web.see(page, /These laps' sessions lack suspension velocity fl/)
        yield* Effect.promise(() => page.getByRole("button", { name: "Throttle", exact: true }).click())
        yield* Effect.promise(() => page.getByRole("img", { name: /Share of the lap's time/ }).waitFor())
        yield* Effect.promise(() => page.goBack())
        yield* Web.see(page, /sessions lack suspension velocity fl/)
        expect(complaints).toEqual([])
      })
    )
  })
})
