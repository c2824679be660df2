/** The titles of sessions whose simulator sends no names; the form that connects can give them some. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"

const Nameless = Web.shared(
  "test/Nameless",
  Effect.gen(function* () {
    const service = yield* Drives.emptyService
    yield* Drives.circles(service, 3, false, { circuit: "", vehicle: "", driver: "" })
    return { service }
  })
)

/** The texts of a page's heading and tab in lower case, since headings are styled with capitals. */
const readOn = (page: Page) =>
  Effect.promise(() => page.evaluate<string>("(document.title + document.body.innerText).toLowerCase()"))

const head = (page: Page) => Effect.promise(() => page.locator(".who").innerText())

describe("a session without names", needing(Web.browserHere), () => {
  layer(Nameless.layer, { excludeTestServices: true })((it) => {
    it.scoped("has its number as its title, or a note that its names are not sent", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Nameless
        const { complaints, page } = yield* Web.open(browser, service, "/settings")
        for (const [path, text] of [
          ["/sessions/1", "session 1"],
          ["/sessions", "not reported"],
          ["/sessions?circuit=Unknown", "not reported"],
          ["/statistics", "best laps, circuit not reported"],
          ["/statistics?circuit=Unknown&driver=Unknown", "driver not reported ✕"],
          ["/compare?laps=1,2", "fastest"],
          ["/overlay/board?circuit=Unknown&session_id=1", "best laps"],
          ["/overlay/versus?session_id=1&idle=keep", "session 1"]
        ] as const) {
          yield* Effect.promise(() => page.goto(service.address + path))
          const read = yield* Box.until(readOn(page), (all) => all.includes(text))
          expect([path, read]).toEqual([path, expect.not.stringContaining("unknown")])
        }
        expect(complaints).toEqual([])
      })
    )

    it.scoped("has the names given in the form that connects its simulator", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Nameless
        const emulator = new URL((yield* Box.startSimulator("--protocol", "beamng")).address)
        const at = { host: emulator.hostname, port: Number(emulator.port) }
        yield* Box.ask(service, "POST", "/connect", { ...at, app_name: "names", simulator: "beamng" })
        const { complaints, page } = yield* Web.open(browser, service, "/")
        const { session_id } = yield* Box.until(
          Effect.map(Box.connectionOf(service), (connection) => connection!),
          (connection) => connection.session_id !== null
        )
        yield* Box.until(head(page), (said) => said.startsWith(`Session ${session_id}`))
        yield* Web.see(page, /reports no names/)
        yield* Effect.promise(() => page.getByRole("button", { name: "Disconnect" }).click())
        yield* Web.see(page, "Names, if the simulator reports none")
        yield* Effect.promise(async () => {
          await page.getByLabel("Simulator").selectOption("beamng")
          await page.getByRole("spinbutton", { name: "Port" }).fill(String(at.port))
          await page.getByText("Names, if the simulator reports none").click()
          await page.getByRole("textbox", { name: "Circuit" }).fill("Gridmap")
          await page.getByRole("textbox", { name: "Driver" }).fill("Ada Kerr")
          await page.getByRole("button", { name: "Connect", exact: true }).click()
        })
        yield* Box.until(head(page), (text) => text.startsWith("Gridmap"))
        yield* Web.see(page, "Ada Kerr")
        expect(yield* readOn(page)).not.toContain("unknown")
        expect(complaints).toEqual([])
      })
    )
  })
})
