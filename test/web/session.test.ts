/** Clicks in the list of sessions and in a session of a hundred laps; its print. */
import { join } from "node:path"
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserContextOptions } from "playwright-core"
import { hottest, writeCircles } from "../blackbox/circles.ts"
import * as Box from "../support/processes.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"
import { needing } from "../support/needing.ts"

const LAPS = 100

const Circled = Web.shared(
  "test/Circled",
  Effect.gen(function* () {
    const service = yield* Drives.emptyService
    yield* Drives.circles(service, LAPS, true)
    return { service }
  })
)

const open = (path: string, options?: BrowserContextOptions) =>
  Effect.flatMap(Circled, ({ browser, service }) => Web.open(browser, service, path, options))

type Page = Web.Opened["page"]

const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

const choose = (page: Page, label: string, option: string | { readonly label: string }) =>
  Effect.promise(() => page.getByLabel(new RegExp(`^${label}`)).selectOption(option))

const texts = (page: Page, selector: string) => Effect.promise(() => page.locator(selector).allInnerTexts())

const computed = (page: Page, selector: string, property: string) =>
  Effect.promise(() =>
    page.evaluate<string>(`getComputedStyle(document.querySelector("${selector}")).${property}`)
  )

/** Keeps the texts that are written on canvases. */
const KEEP_TEXTS = `
  globalThis.texts = new Set()
  const { fillText } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    texts.add(text)
    return fillText.call(this, text, ...rest)
  }`

describe("sessions", needing(Web.browserHere), () => {
  layer(Circled.layer, { excludeTestServices: true })((it) => {
    it.scoped("are sorted and searched over all their pages, which the address has", () =>
      Effect.gen(function* () {
        const { service } = yield* Circled
        const drivers = Array.from(
          { length: 60 },
          (_, n) => `Driver ${String((n * 7) % 60).padStart(2, "0")}`
        )
        for (const [n, driver] of drivers.entries()) {
          const circuit = n % 2 === 0 ? "Paged Even" : "Paged Odd"
          yield* Box.ask(service, "POST", "/sessions", { circuit, vehicle: "Kart", driver })
        }
        const { complaints, page } = yield* open("/sessions?search=paged")
        const sorted = drivers.toSorted()
        const shown = texts(page, "tbody td:nth-child(4)")
        yield* Web.see(page, "1 to 25 of 60")
        yield* choose(page, "Order", { label: "By driver" })
        yield* Box.until(shown, (names) => names.join() === sorted.slice(0, 25).join())
        yield* Effect.promise(() => page.getByRole("link", { name: "Next" }).click())
        yield* Box.until(shown, (names) => names.join() === sorted.slice(25, 50).join())
        // The next page of the list is read from its top.
        yield* Web.becomes(page, "scrollY === 0")
        expect(queryOf(page)).toEqual({ search: "paged", sort: "driver", page: "1" })
        yield* Effect.promise(() => page.reload())
        yield* Box.until(shown, (names) => names.join() === sorted.slice(25, 50).join())
        yield* choose(page, "Per page", "50")
        yield* Box.until(shown, (names) => names.join() === sorted.slice(0, 50).join())
        expect(queryOf(page)).toEqual({ search: "paged", sort: "driver", size: "50" })
        yield* choose(page, "Per page", "25")
        yield* Box.until(shown, (names) => names.join() === sorted.slice(0, 25).join())
        // Another order begins at the first page again.
        yield* choose(page, "Order", { label: "Oldest first" })
        yield* Web.see(page, "1 to 25 of 60")
        yield* Box.until(shown, (names) => names.join() === drivers.slice(0, 25).join())
        // Every word must be a part of one of the names.
        const search = page.getByLabel("Search names")
        yield* Effect.promise(() => search.fill("EVEN river 1"))
        yield* choose(page, "Order", { label: "By driver" })
        const even = sorted.filter((driver) => drivers.indexOf(driver) % 2 === 0 && driver.includes("1"))
        yield* Box.until(shown, (names) => names.join() === even.join())
        // The field follows the address, also after a link or Back has cleared it.
        yield* Effect.promise(() => page.getByRole("link", { name: "Show all" }).click())
        yield* Web.see(page, "1 to 25 of 61")
        expect(yield* Effect.promise(() => search.inputValue())).toBe("")
        yield* Effect.promise(() => page.goBack())
        yield* Box.until(shown, (names) => names.join() === even.join())
        expect(yield* Effect.promise(() => search.inputValue())).toBe("EVEN river 1")
        expect(complaints).toEqual([])
      })
    )

    it.scoped("have names of any length and script within the page, with the date as it is written", () =>
      Effect.gen(function* () {
        const { service } = yield* Circled
        const long = { circuit: "Longest".repeat(20), vehicle: "V".repeat(180), driver: "D".repeat(180) }
        const arabic = { circuit: "حلبة البحرين الدولية", vehicle: "سيارة", driver: "محمد" }
        const ids: Array<number> = []
        for (const names of [long, arabic]) {
          ids.push((yield* Box.ask<{ readonly id: number }>(service, "POST", "/sessions", names)).body.id)
        }
        for (const width of [1280, 390, 320]) {
          const viewport = { width, height: 720 }
          const { complaints, page } = yield* open("/sessions?search=Longest", { viewport })
          for (const path of [`/sessions?search=Longest`, `/sessions/${ids[0]}`, "/statistics"]) {
            yield* Effect.promise(() => page.goto(service.address + path))
            yield* Web.becomes(page, `document.body.textContent.includes("Longest")`)
            const reach =
              "Math.max(...[...document.querySelectorAll('main *')].map((one) => one.getBoundingClientRect().right))"
            const right = yield* Effect.promise(() => page.evaluate<number>(reach))
            expect([path, width, right <= width]).toEqual([path, width, true])
          }
          expect(complaints).toEqual([])
        }
        // The fields of the search are in one row, whatever the names.
        const { page } = yield* open("/sessions")
        yield* Web.becomes(page, `document.body.textContent.includes("Longest")`)
        const tops = yield* Effect.promise(() =>
          page.evaluate<ReadonlyArray<number>>(
            `[...document.querySelectorAll("search input, search select")].map((one) => Math.round(one.getBoundingClientRect().top))`
          )
        )
        expect(new Set(tops).size).toBe(1)
        // Of text from right to left, the date keeps its place after the names and its own order.
        yield* Effect.promise(() => page.goto(`${service.address}/sessions/${ids[1]}`))
        yield* Web.see(page, arabic.circuit)
        const order = yield* Effect.promise(() =>
          page.evaluate<ReadonlyArray<number>>(`(() => {
            const line = document.querySelector(".page-head > .muted")
            const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
            const lefts = []
            for (let node = texts.nextNode(); node; node = texts.nextNode()) {
              for (const found of node.data.matchAll(/سيارة|\\d{4}-|:\\d\\d|UTC/g)) {
                const range = document.createRange()
                range.setStart(node, found.index)
                range.setEnd(node, found.index + found[0].length)
                lefts.push(range.getBoundingClientRect().left)
              }
            }
            return lefts
          })()`)
        )
        expect(order).toHaveLength(4)
        expect(order.toSorted((a, b) => a - b)).toEqual(order)
      })
    )

    it.scoped("of one lap have no spread, and this lap alone on the axis of laps", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Circled
        const { session } = yield* Drives.circles(service, 1)
        const { complaints, page } = yield* Web.open(browser, service, `/sessions/${session}`, {}, KEEP_TEXTS)
        yield* Web.see(page, "Anomalies")
        yield* Web.becomes(page, "globalThis.texts.has('1')")
        const written = yield* Effect.promise(() =>
          page.evaluate<ReadonlyArray<string>>("[...globalThis.texts]")
        )
        // The lap, and times of about 40 s.
        expect(written.filter((text) => text !== "" && !/^(1|[34]\d\.\d)$/.test(text))).toEqual([])
        yield* Web.becomes(page, `!document.body.textContent.includes("Loading")`)
        expect(yield* texts(page, ".facts dt")).toEqual(["Best lap", "Laps"])
        expect(complaints).toEqual([])
      })
    )

    it.scoped("are marked while they are recorded, which leads to the live page", () =>
      Effect.gen(function* () {
        const { service } = yield* Circled
        const simulator = yield* Box.startSimulator("--circuit", "Larkspur Park")
        yield* Box.connect(service, simulator)
        const connection = yield* Box.until(
          Box.connectionOf(service),
          (now) => typeof now?.session_id === "number"
        )
        const { complaints, page } = yield* open("/sessions")
        const mark = page.getByRole("link", { name: "live", exact: true })
        yield* Effect.promise(() => mark.waitFor())
        expect(yield* Effect.promise(() => mark.count())).toBe(1)
        const marked = page.locator("tbody tr", { has: mark })
        expect(yield* Effect.promise(() => marked.innerText())).toContain("Larkspur Park")
        yield* Effect.promise(() => mark.click())
        yield* Web.becomes(page, `document.querySelector(".who")?.innerText.includes("Robin Vale")`)
        expect(queryOf(page)["session_id"]).toBe(String(connection!.session_id))
        yield* Effect.promise(() => page.goBack())
        yield* Effect.promise(() => mark.waitFor())
        const { hostname, port } = new URL(simulator.address)
        yield* Box.ask(service, "POST", "/disconnect", { host: hostname, port: Number(port) })
        yield* Effect.promise(() => mark.waitFor({ state: "detached" }))
        expect(complaints).toEqual([])
      })
    )

    it.scoped("list each lap as it is driven, with a way to the live page and back", () =>
      Effect.gen(function* () {
        const { service } = yield* Circled
        const file = join(yield* Box.folder, "driven.ndjson")
        writeCircles(file, 400, false, { circuit: "Followed", vehicle: "Kart", driver: "In Front" })
        // A lap takes 2 s: there is time to look at the page before the drive ends.
        const simulator = yield* Box.startSimulator("--replay", file, "--speed", "20")
        yield* Box.connect(service, simulator)
        const connected = yield* Box.until(
          Box.connectionOf(service),
          (now) => typeof now?.session_id === "number"
        )
        const { complaints, page } = yield* open(`/sessions/${connected!.session_id}`)
        yield* Effect.promise(() => page.getByText("live", { exact: true }).waitFor())
        const rows = Effect.promise(() => page.locator("table.laps tbody tr").count())
        const first = yield* Box.until(rows, (count) => count > 0)
        yield* Box.until(rows, (count) => count > first + 1)
        const heads = Effect.promise(() => page.locator(".facts dd").nth(1).innerText())
        yield* Box.until(heads, (text) => Number.parseInt(text, 10) > first + 1)
        yield* Effect.promise(() => page.getByRole("link", { name: "Live page" }).click())
        yield* Web.becomes(page, `document.querySelector(".who")?.innerText.includes("Followed")`)
        yield* Effect.promise(() => page.getByRole("link", { name: "Laps and analysis" }).click())
        yield* Effect.promise(() => page.getByText("live", { exact: true }).waitFor())
        const { hostname, port } = new URL(simulator.address)
        yield* Box.ask(service, "POST", "/disconnect", { host: hostname, port: Number(port) })
        yield* Effect.promise(() => page.getByText("live", { exact: true }).waitFor({ state: "detached" }))
        expect(yield* Effect.promise(() => page.getByRole("link", { name: "Live page" }).count())).toBe(0)
        expect(complaints).toEqual([])
      })
    )

    it.scoped(
      "have the head and the filter of a hundred laps in sight, and the chosen laps in the address",
      () =>
        Effect.gen(function* () {
          const { complaints, page } = yield* open("/sessions/1")
          yield* Web.see(page, "Anomalies")
          yield* Web.becomes(page, `document.querySelectorAll("table.laps tbody tr").length === ${LAPS}`)
          yield* Effect.promise(() =>
            page.getByLabel("Compare lap 100", { exact: true }).scrollIntoViewIfNeeded()
          )
          // The table was scrolled, but not its head.
          const [scrolled, above] = yield* Effect.promise(() =>
            page.evaluate<[number, number]>(`(() => {
            const room = document.querySelector(".sticky")
            const head = room.querySelector("th").getBoundingClientRect()
            return [room.scrollTop, head.top - room.getBoundingClientRect().top]
          })()`)
          )
          expect(scrolled).toBeGreaterThan(500)
          expect(Math.abs(above)).toBeLessThan(2)
          yield* Effect.promise(() => page.getByLabel("Compare lap 100", { exact: true }).check())
          yield* Effect.promise(() => page.getByLabel("Compare lap 7", { exact: true }).check())
          yield* choose(page, "Show", { label: "Chosen laps" })
          yield* Web.becomes(page, `document.querySelectorAll("table.laps tbody tr").length === 2`)
          const { chosen, show } = queryOf(page)
          expect([chosen!.split(",").length, show]).toEqual([2, "chosen"])
          yield* Effect.promise(() => page.reload())
          yield* Web.becomes(page, `document.querySelectorAll("table.laps tbody tr").length === 2`)
          expect(yield* texts(page, "table.laps tbody td:nth-child(2)")).toEqual(["7", "100"])
          yield* choose(page, "Show", { label: "All laps" })
          yield* Web.becomes(page, `document.querySelectorAll("table.laps input:checked").length === 2`)
          expect(complaints).toEqual([])
        })
    )

    it.scoped("show the summary of a lap's channels, in tables and for any channel", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* open("/sessions/1")
        yield* Web.see(page, "Anomalies")
        const heads = Effect.map(texts(page, "table.laps thead th.num"), (all) => all.slice(3))
        const lap3 = Effect.map(texts(page, "table.laps tbody tr:nth-child(3) td.num"), (all) =>
          all.slice(3, -1)
        )
        const become = (expected: ReadonlyArray<string>) =>
          Box.until(lap3, (found) => found.join("|") === expected.join("|"))
        yield* choose(page, "Columns", { label: "Fuel used" })
        // Two litres a lap, without its last fifth of a second.
        yield* become(["1.99", "94.0"])
        expect(yield* heads).toEqual(["Used l", "Left l"])
        yield* choose(page, "Columns", { label: "Peak tyre temperatures" })
        yield* become(Array.from({ length: 4 }, () => String(hottest(3))))
        expect(yield* heads).toEqual(["FL °C", "FR °C", "RL °C", "RR °C"])
        expect(queryOf(page)["table"]).toBe("tyres")
        yield* choose(page, "Columns", { label: "g lateral" })
        yield* become(["−1.00", "−1.00", "−1.00", "0.00"])
        expect(yield* heads).toEqual(["Min g", "Mean g", "Max g", "Change g"])
        expect(queryOf(page)).toEqual({ channel: "g_lateral" })
        // Channels that the session lacks are not offered.
        const offered = yield* texts(page, "select option")
        expect(offered).toContain("Fuel used")
        expect(offered).not.toContain("Tyre wear")
        yield* Effect.promise(() => page.goto(`${new URL(page.url()).origin}/sessions/1?table=wear`))
        yield* Web.see(page, "Anomalies")
        // Its sectors are shown instead.
        expect(yield* heads).toEqual(["S1", "S2", "S3"])
        expect(complaints).toEqual([])
      })
    )

    it.scoped("are printed whole, on white, without controls", () =>
      Effect.gen(function* () {
        for (const colorScheme of ["dark", "light"] as const) {
          const { complaints, page } = yield* open("/sessions/1", { colorScheme })
          yield* Web.see(page, "Anomalies")
          yield* Web.becomes(page, `document.querySelectorAll(".uplot").length === 1`)
          yield* Effect.promise(() => page.emulateMedia({ media: "print" }))
          yield* Web.becomes(page, `document.documentElement.dataset.theme === "light"`)
          expect(yield* computed(page, "html", "backgroundColor")).toBe("rgb(255, 255, 255)")
          const clicked = ["header", "button", "input", "a.button", "a[download]"].map(
            (name) => `.shell ${name}`
          )
          const seen = yield* Effect.promise(() =>
            page.evaluate<ReadonlyArray<string>>(
              `${JSON.stringify(clicked)}.filter((name) => [...document.querySelectorAll(name)].some((one) => one.checkVisibility()))`
            )
          )
          expect([colorScheme, seen]).toEqual([colorScheme, []])
          // Every lap, not only those that fit on a screen.
          const [height, within] = yield* Effect.promise(() =>
            page.evaluate<[number, number]>(
              `(({ clientHeight, scrollHeight }) => [scrollHeight, clientHeight])(document.querySelector(".sticky"))`
            )
          )
          expect(within).toBe(height)
          expect(yield* computed(page, "thead", "display")).toBe("table-header-group")
          // A canvas keeps the colours of the theme that it was drawn in.
          expect(yield* computed(page, "canvas", "filter")).toBe(
            colorScheme === "dark" ? "invert(1) hue-rotate(180deg)" : "none"
          )
          yield* Effect.promise(() => page.emulateMedia({ media: "screen" }))
          yield* Web.becomes(page, `document.documentElement.dataset.theme === "${colorScheme}"`)
          expect(complaints).toEqual([])
        }
      })
    )

    it.scoped("print a comparison without controls, with the plots in the colours of paper", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* open("/compare?laps=1,2,3", { colorScheme: "dark" })
        yield* Web.see(page, "Throttle %")
        yield* Effect.promise(() => page.emulateMedia({ media: "print" }))
        yield* Web.becomes(page, `document.documentElement.dataset.theme === "light"`)
        yield* Web.becomes(page, `!document.querySelector(".chooser").checkVisibility()`)
        yield* Web.becomes(page, `document.querySelector(".strip canvas") !== null`)
        expect(yield* computed(page, ".strip canvas", "filter")).toBe("invert(1) hue-rotate(180deg)")
        expect(yield* computed(page, ".strip", "breakInside")).toBe("avoid")
        expect(complaints).toEqual([])
      })
    )
  })
})
