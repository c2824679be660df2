/** The pages on two real recordings. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserContextOptions } from "playwright-core"
import * as Box from "../support/processes.ts"
import { COLOURS, seriousFindings } from "./accessible.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

/** Lap ids of Road America, by lap number. */
const Recorded = Web.shared(
  "test/Recorded",
  Effect.gen(function* () {
    const service = yield* Drives.emptyService
    yield* Drives.recording(service, "f1-bahrain-2026-ant")
    const roadAmerica = yield* Drives.recording(service, "ams2-road-america")
    return { service, ...roadAmerica }
  })
)

const open = (path: string, options?: BrowserContextOptions) =>
  Effect.flatMap(Recorded, ({ browser, service }) => Web.open(browser, service, path, options))

const comparing = (...numbers: ReadonlyArray<number>) =>
  Effect.map(Recorded, ({ laps }) => `/compare?laps=${numbers.map((number) => laps.get(number)).join(",")}`)

const textOf = (page: Web.Opened["page"], selector: string) =>
  Effect.promise(() => page.locator(selector).allInnerTexts())

const live = { excludeTestServices: true }

/** The headings of tables that are wider than their room. */
const BEYOND = `[...document.querySelectorAll("table:not(.corners, .report)")]
  .filter((table) => table.getBoundingClientRect().right > innerWidth ||
    [...table.querySelectorAll("td")].some((cell) => cell.getBoundingClientRect().right > innerWidth || cell.scrollWidth > cell.clientWidth + 1))
  .map((table) => table.innerText.slice(0, 60))`

describe("pages of recorded sessions", needing(recordingsHere, Web.browserHere), () => {
  layer(
    Recorded.layer,
    live
  )((it) => {
    it.scoped("list the sessions, and find them by name", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* open("/sessions")
        yield* Effect.promise(() => page.getByLabel("Search names").fill("ANTON bahr"))
        yield* Web.becomes(page, `document.querySelectorAll("tbody tr").length === 1`)
        yield* Web.see(page, "Kimi Antonelli")
        yield* Effect.promise(() => page.getByRole("link", { name: "Show all" }).click())
        yield* Effect.promise(() => page.getByLabel("Order").selectOption("Fastest lap first"))
        yield* Web.becomes(page, `document.querySelector("tbody tr").innerText.includes("1:33.669")`)
        yield* Effect.promise(() => page.getByLabel("Order").selectOption("By circuit"))
        yield* Web.becomes(page, `document.querySelector("tbody tr").innerText.includes("Bahrain")`)
        yield* Web.see(page, "Kimi Antonelli")
        yield* Web.see(page, "1:33.669")
        yield* Effect.promise(() => page.getByLabel(/^Circuit/).selectOption("Road_America:Road_America_RC"))
        yield* Web.becomes(page, `document.querySelectorAll("tbody tr").length === 1`)
        expect(new URL(page.url()).searchParams.get("circuit")).toBe("Road_America:Road_America_RC")
        yield* Effect.promise(() => page.getByLabel("Search names").fill("nobody"))
        yield* Effect.promise(() => page.keyboard.press("Enter"))
        yield* Web.see(page, "No session has these names.")
        expect(complaints).toEqual([])
      })
    )

    it.scoped("page through a long list and through the found part of it", () =>
      Effect.gen(function* () {
        const { service } = yield* Recorded
        for (let n = 0; n < 30; n++) {
          const session = { circuit: "Paging", vehicle: "Kart", driver: n % 2 === 0 ? "Even" : "Odd" }
          yield* Box.ask(service, "POST", "/sessions", session)
        }
        const { complaints, page } = yield* open("/sessions?circuit=Paging")
        yield* Web.see(page, "1 to 25 of 30")
        expect(yield* Effect.promise(() => page.getByRole("button", { name: "Back" }).isDisabled())).toBe(
          true
        )
        yield* Effect.promise(() => page.getByRole("link", { name: "Next" }).click())
        yield* Web.see(page, "26 to 30 of 30")
        yield* Web.becomes(page, `document.querySelectorAll("tbody tr").length === 5`)
        yield* Effect.promise(() => page.goBack())
        yield* Web.see(page, "1 to 25 of 30")
        // A new search begins at its first page.
        yield* Effect.promise(() => page.getByRole("link", { name: "Next" }).click())
        yield* Web.see(page, "26 to 30 of 30")
        yield* Effect.promise(() => page.getByLabel("Search names").fill("odd"))
        yield* Effect.promise(() => page.keyboard.press("Enter"))
        yield* Web.see(page, "1 to 15 of 15")
        expect(complaints).toEqual([])
      })
    )

    it.scoped("show a session with the service's analysis", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* open("/sessions?driver=Kimi%20Antonelli")
        yield* Effect.promise(() => page.getByRole("link", { name: "2026-02-13" }).click())
        yield* Web.see(page, "Best sectors together")
        yield* Web.see(page, "1:33.657")
        yield* Web.see(page, /Tested on \d+ past laps/)
        // Laps to cool down are one row, and all stops another.
        yield* Web.see(page, /Laps 8 and 9 were slow nearly everywhere.*: 51\.7 s more than at pace/)
        yield* Web.see(page, /A stop in the pits on laps 8 and 9: .* 5 more, on laps 5, 10, 13, 16, 35/)
        // Some cost whole seconds, with as many digits as their uncertainty.
        const costs = yield* textOf(page, "td.loss[data-head=Cost]")
        expect(costs).toHaveLength(5)
        for (const cost of costs.slice(0, 2)) expect(cost).toMatch(/^\d+\.\d ± \d+\.\d s$/)
        // Faults of the data cost nothing.
        expect(costs.slice(2)).toEqual(["", "", ""])
        expect(yield* textOf(page, "td.best")).toEqual(["23.047", "1:33.669", "29.568", "41.042"])
        expect(complaints).toEqual([])
      })
    )

    it.scoped("compare laps: linked plots, the map, the corners, and where the time went", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* open(yield* comparing(14, 17))
        yield* Web.see(
          page,
          /Corner 8 \(3237 m\): Lap 14 carries 15 km\/h less minimum speed \(96 against 111 km\/h\)/
        )
        expect(yield* textOf(page, ".tag.good")).toEqual(["✓ trusted", "✓ trusted"])
        yield* Web.plots(page, 6)
        yield* Effect.promise(() => page.getByRole("button", { name: /^8 ↰ left/ }).click())
        yield* Web.see(page, /^At 3,2\d\d m$/i)
        yield* Effect.promise(() => page.keyboard.press("ArrowRight"))
        yield* Effect.promise(() => page.keyboard.press("0"))
        expect(complaints).toEqual([])
      })
    )

    it.scoped("zoom all plots to a part dragged over in one, with one cursor, and out again", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* open(yield* comparing(14, 17))
        yield* Web.plots(page, 6)
        const [speed, delta] = yield* Effect.promise(() => page.locator(".uplot .u-over").all())
        const at = Effect.promise(() => page.getByText(/^At [\d,]+ m$/).innerText()).pipe(
          Effect.map((text) => Number(/[\d,]+/.exec(text)![0].replace(",", "")))
        )
        /** The cursor's place, m, with the mouse at this part of a plot's width. */
        const cursorAt = Effect.fn(function* (plot: typeof speed, share: number) {
          const { height, width } = (yield* Effect.promise(() => plot!.boundingBox()))!
          yield* Effect.promise(() => plot!.hover({ position: { x: share * width, y: height / 2 } }))
          return yield* at
        })
        /** Road America has 6.4 km. */
        const MOST_OF_IT_M = 6000
        expect(yield* cursorAt(speed, 0.99)).toBeGreaterThan(MOST_OF_IT_M)
        const from = yield* cursorAt(speed, 0.25)
        yield* Effect.promise(() => page.mouse.down())
        const until = yield* cursorAt(speed, 0.5)
        yield* Effect.promise(() => page.mouse.up())
        const within = (until - from) / 50
        for (const plot of [speed, delta]) {
          yield* Box.until(cursorAt(plot, 0.01), (now) => Math.abs(now - from) < within)
          yield* Box.until(cursorAt(plot, 0.99), (now) => Math.abs(now - until) < within)
        }
        yield* Effect.promise(() => page.keyboard.press("0"))
        yield* Box.until(cursorAt(delta, 0.99), (now) => now > MOST_OF_IT_M)
        expect(complaints).toEqual([])
      })
    )

    it.scoped("mark a lap that cannot be trusted, with the reason", () =>
      Effect.gen(function* () {
        const { page } = yield* open(yield* comparing(1, 17))
        yield* Web.unfoldLaps(page)
        yield* Web.see(page, "✕ not trusted")
        yield* Web.see(page, /from the line|differs from the lap times/)
      })
    )

    it.scoped("pin and unpin a session, and show the pinned ones", () =>
      Effect.gen(function* () {
        const { service, session } = yield* Recorded
        const { complaints, page } = yield* open(`/sessions/${session}`)
        const click = (name: string) =>
          Effect.promise(() => page.getByRole("button", { name, exact: true }).click())
        yield* click("Pin")
        yield* Web.becomes(page, `document.querySelector("button[aria-pressed=true]") !== null`)
        const { body } = yield* Box.ask<{ readonly circuit: string }>(service, "GET", `/sessions/${session}`)
        expect(body).toMatchObject({ pinned: true })
        const circuit = encodeURIComponent(body.circuit)
        yield* Effect.promise(() => page.goto(`${service.address}/sessions?circuit=${circuit}`))
        yield* Web.see(page, "pinned")
        yield* Effect.promise(() => page.goto(`${service.address}/sessions/${session}`))
        yield* click("Pinned")
        yield* Web.becomes(page, `document.querySelector("button[aria-pressed=false]") !== null`)
        expect((yield* Box.ask(service, "GET", `/sessions/${session}`)).body).toMatchObject({ pinned: false })
        expect(complaints).toEqual([])
      })
    )

    it.scoped("ask before a session is deleted", () =>
      Effect.gen(function* () {
        const { service, session } = yield* Recorded
        const { page } = yield* open(`/sessions/${session}`)
        const click = (name: string) => Effect.promise(() => page.getByRole("button", { name }).click())
        yield* click("Delete …")
        yield* Web.see(page, /This cannot be undone/)
        yield* click("Keep it")
        const there = yield* Box.ask(service, "GET", `/sessions/${session}`)
        expect(there.status).toBe(200)
        const made = yield* Box.ask<{ readonly id: number }>(service, "POST", "/sessions", {
          circuit: "Nowhere",
          vehicle: "None",
          driver: "Nobody"
        })
        yield* Effect.promise(() => page.goto(`${service.address}/sessions/${made.body.id}`))
        yield* click("Delete …")
        yield* click("Delete the session")
        yield* Web.becomes(page, `location.pathname === "/sessions"`)
        expect((yield* Box.ask(service, "GET", `/sessions/${made.body.id}`)).status).toBe(404)
      })
    )

    it.scoped("rank the laps of the driver that was chosen, and say if there are none", () =>
      Effect.gen(function* () {
        const { service } = yield* Recorded
        const { complaints, page } = yield* open("/statistics?circuit=Bahrain%20International%20Circuit")
        const drivers = Effect.map(textOf(page, "tbody td:nth-child(4)"), (names) => [...new Set(names)])
        yield* Box.until(drivers, (names) => names.join() === "Kimi Antonelli")
        yield* Effect.promise(() => page.goto(`${service.address}/statistics?driver=Sim%20Driver%20J`))
        yield* Web.see(page, /^Best laps at Road_America/i)
        expect(yield* Effect.promise(() => page.getByText(/^Best laps/i).count())).toBe(1)
        yield* Effect.promise(() =>
          page.goto(
            `${service.address}/statistics?driver=Sim%20Driver%20J&circuit=Bahrain%20International%20Circuit`
          )
        )
        yield* Web.see(page, "No valid lap has these names.")
        yield* Effect.promise(() => page.getByRole("link", { name: "Show all laps" }).click())
        yield* Web.see(page, /^Best laps at Bahrain/i)
        expect(complaints).toEqual([])
      })
    )

    it.scoped("save settings", () =>
      Effect.gen(function* () {
        const { service } = yield* Recorded
        const { complaints, page } = yield* open("/settings")
        yield* Effect.promise(() => page.getByLabel("Rate, Hz").fill("50"))
        yield* Effect.promise(() =>
          page.getByLabel("Channels in addition to the ten of a point").fill("fuel,tyre_*")
        )
        yield* Effect.promise(() => page.getByRole("button", { name: "Save" }).click())
        yield* Web.see(page, "Saved.")
        expect(yield* Box.get(service, "/config")).toMatchObject({
          telemetry_rate: 50,
          export_channels: "fuel,tyre_*"
        })
        expect(complaints).toEqual([])
      })
    )

    it.scoped("have no serious accessibility finding, dark and light, nor a page wider than a phone", () =>
      Effect.gen(function* () {
        const { session } = yield* Recorded
        const paths = [
          ["/", /No simulator is connected/],
          ["/sessions?driver=Kimi%20Antonelli", "Kimi Antonelli"],
          [`/sessions/${session}`, /Tested on/],
          ["/sessions?circuit=Road_America:Road_America_RC", "Sim Driver J"],
          ["/overlays/layout", "Arrange overlays"],
          [yield* comparing(14, 17), "Corners"],
          [`${yield* comparing(14, 17)}&cursor=700&diagram=throttle`, /brakes at/],
          [`/sessions/${session}/diagrams`, / points/],
          ["/statistics?circuit=Bahrain%20International%20Circuit", "Average lap"],
          ["/statistics?circuit=Road_America:Road_America_RC&driver=Sim%20Driver%20J", "Average lap"],
          ["/overlays", "Sector times"],
          ["/settings", "Save"]
        ] as const
        for (const colorScheme of ["dark", "light"] as const) {
          const viewport = { width: 390, height: 844 }
          const { page } = yield* open("/settings", { colorScheme, viewport })
          const { service } = yield* Recorded
          for (const [path, sign] of paths) {
            yield* Effect.promise(() => page.goto(service.address + path))
            yield* Web.see(page, sign)
            const findings = yield* seriousFindings(page, colorScheme === "dark" ? undefined : COLOURS)
            expect([path, colorScheme, findings]).toEqual([path, colorScheme, []])
            const width = yield* Effect.promise(() =>
              page.evaluate<number>("document.documentElement.scrollWidth")
            )
            expect([path, width]).toEqual([path, viewport.width])
            // Nor a table with columns beyond the edge, except those of corners and of a report, which are scrolled.
            expect([path, yield* Effect.promise(() => page.evaluate(BEYOND))]).toEqual([path, []])
          }
        }
      })
    )
  })
})
