/** Pages with no data, much data, or an error; the keyboard. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { COLOURS, seriousFindings } from "./accessible.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"
import { needing } from "../support/needing.ts"

const built = join(Box.root, "web/dist")

/** The gzipped bytes that a page loads before it can show anything: its scripts with their imports, and its styles. */
const bundled = (...entries: ReadonlyArray<RegExp>): number => {
  const assets = join(built, "assets")
  const files = readdirSync(assets)
  const wanted = new Set(files.filter((file) => entries.some((pattern) => pattern.test(file))))
  // Each file must exist: a renamed one would be measured as nothing.
  expect(wanted.size).toBe(entries.length)
  for (const file of wanted) {
    const imports = readFileSync(join(assets, file), "utf8").matchAll(/from\s*"\.\/([^"]+)"/g)
    for (const [, name] of imports) wanted.add(name!)
  }
  return [...wanted].reduce((sum, file) => sum + gzipSync(readFileSync(join(assets, file))).length, 0)
}

const LAPS = 100
const PAGES = ["Live", "Sessions", "Compare", "Statistics", "Overlays", "Settings"]

const Empty = Web.shared(
  "test/Empty",
  Effect.gen(function* () {
    return { service: yield* Drives.emptyService }
  })
)

it("the first page loads no more than 82 kB", () => {
  const document = gzipSync(readFileSync(join(built, "live.html"))).length
  expect(document + bundled(/^index-.*\.js$/, /^main-.*\.css$/, /^LivePage-.*\.js$/)).toBeLessThan(82_000)
})

describe("pages of an empty service", needing(Web.browserHere), () => {
  layer(Empty.layer, { excludeTestServices: true })((it) => {
    it.scoped("show what to do", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Empty
        const { complaints, page } = yield* Web.open(browser, service, "/")
        for (const [path, sign] of [
          ["/", "npm run demo"],
          ["/sessions", "Nothing has been recorded yet."],
          ["/compare", "Choose two or more laps of one circuit."],
          ["/statistics", "No valid lap yet."],
          ["/overlays", "Best-laps board"],
          ["/settings", "Save"]
        ] as const) {
          yield* Effect.promise(() => page.goto(service.address + path))
          yield* Web.see(page, sign)
        }
        expect(complaints).toEqual([])
        yield* Effect.promise(() => page.goto(`${service.address}/sessions/77`))
        yield* Web.see(page, "Session 77 was not found.")
        expect(yield* Effect.promise(() => page.getByRole("button", { name: /Try again/ }).count())).toBe(0)
        yield* Effect.promise(() => page.getByRole("link", { name: "All sessions" }).click())
        yield* Web.see(page, "Nothing has been recorded yet.")
        yield* Effect.promise(() => page.goto(`${service.address}/compare?laps=1,2`))
        yield* Web.see(page, "Lap 1 was not found.")
      })
    )

    it.scoped("show where to go on if there is nothing", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Empty
        for (const colorScheme of ["dark", "light"] as const) {
          const { complaints, page } = yield* Web.open(browser, service, "/nothing/here", { colorScheme })
          yield* Web.see(page, "There is no such page.")
          yield* Web.becomes(page, `document.documentElement.dataset.theme === "${colorScheme}"`)
          expect(yield* seriousFindings(page)).toEqual([])
          expect(yield* Effect.promise(() => page.locator("h1").innerText())).toBe("Not found")
          expect(yield* Effect.promise(() => page.locator("header nav a").allInnerTexts())).toEqual(PAGES)
          const height = () =>
            Effect.promise(async () => (await page.locator("header").boundingBox())!.height)
          const own = yield* height()
          yield* Effect.promise(() => page.getByRole("link", { name: "sessions", exact: true }).click())
          yield* Web.see(page, "Nothing has been recorded yet.")
          expect(Math.abs((yield* height()) - own)).toBeLessThan(1.5)
          // A browser logs an error for the page's own status.
          expect(complaints).toEqual([expect.stringContaining("404")])
        }
      })
    )

    it.scoped(
      "describe the API and let users try it, in dark and light, with requests to this service only",
      () =>
        Effect.gen(function* () {
          const { browser, service } = yield* Empty
          for (const [colorScheme, background] of [
            ["dark", "rgb(11, 15, 22)"],
            ["light", "rgb(243, 245, 248)"]
          ] as const) {
            const { complaints, page } = yield* Web.open(browser, service, "/docs", { colorScheme })
            yield* Web.see(page, "Read a session's points between two instants")
            yield* Web.becomes(
              page,
              `getComputedStyle(document.documentElement).backgroundColor === "${background}"`
            )
            expect(yield* seriousFindings(page, COLOURS)).toEqual([])
            // The way back is the head's, as on every page.
            expect(yield* Effect.promise(() => page.locator("header nav a").allInnerTexts())).toEqual(PAGES)
            if (colorScheme === "light") {
              yield* Effect.promise(async () => {
                await page.getByText("Check whether the service works").click()
                await page.getByRole("button", { name: "Try it out" }).click()
                await page.getByRole("button", { name: "Execute" }).click()
              })
              // The answer, below the description.
              yield* Web.becomes(
                page,
                `[...document.querySelectorAll(".live-responses-table .microlight")].some((shown) => shown.textContent.includes('"healthy"'))`
              )
            }
            expect(complaints).toEqual([])
          }
        })
    )

    it.scoped("can be used by keyboard", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Empty
        const { page } = yield* Web.open(browser, service, "/settings")
        yield* Web.see(page, "Save")
        const press = (...keys: ReadonlyArray<string>) =>
          Effect.promise(async () => {
            for (const key of keys) await page.keyboard.press(key)
          })
        yield* press("Tab")
        expect(yield* Effect.promise(() => page.evaluate<string>("document.activeElement.textContent"))).toBe(
          "Skip to the content"
        )
        yield* press("g", "s")
        yield* Web.see(page, "Nothing has been recorded yet.")
        yield* press("?")
        yield* Web.see(page, "Go to Compare")
        yield* press("Escape", "t")
        yield* Web.becomes(page, `document.documentElement.dataset.theme === "dark"`)
      })
    )

    // The last test: the service is no longer empty.
    it.scoped("show a session of a hundred laps", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Empty
        yield* Drives.circles(service, LAPS)
        const { complaints, page } = yield* Web.open(browser, service, "/sessions")
        yield* Effect.promise(() => page.locator("tbody a").first().click())
        yield* Web.becomes(page, `document.querySelectorAll("input[type=checkbox]").length >= ${LAPS}`)
        yield* Web.see(page, /Tested on \d+ past laps/)
        yield* Effect.promise(() => page.getByLabel("Compare lap 10", { exact: true }).check())
        yield* Effect.promise(() => page.getByLabel("Compare lap 99", { exact: true }).check())
        yield* Effect.promise(() => page.getByRole("link", { name: "Compare 2 laps" }).click())
        yield* Web.unfoldLaps(page)
        yield* Web.see(page, "✓ trusted")
        expect(complaints).toEqual([])
      })
    )
  })
})
