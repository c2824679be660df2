/** The form that connects: what to set in the game, what arrives meanwhile, and the answer beside the button. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePort, sender, whileSending } from "../simulators/udp/udp.ts"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import * as Web from "../support/pages.ts"
import { seriousFindings } from "./accessible.ts"

type Page = Web.Opened["page"]

/** Chooses a game, and connects on another port than its own. */
const connect = (page: Page, simulator: string, port: number) =>
  Effect.promise(async () => {
    await page.getByLabel("Simulator").selectOption(simulator)
    await page.getByRole("spinbutton", { name: "Port" }).fill(String(port))
    await page.getByRole("button", { name: "Connect", exact: true }).click()
  })

describe("the form that connects", needing(Web.browserHere), () => {
  it.scopedLive("says what to set in the game, and counts what arrives while it waits", () =>
    Effect.gen(function* () {
      const service = yield* Box.startService(yield* Box.folder)
      const { page } = yield* Web.open(yield* Web.browser, service, "/")
      // The simulators arrive after the form.
      yield* Effect.promise(() => page.getByLabel("Simulator").selectOption("f1"))
      const choices = yield* Effect.promise(() =>
        page.getByLabel("Simulator").locator("option").allInnerTexts()
      )
      expect(choices).toContain("F1 23, 24, 25, 26")
      expect(choices).not.toContain("f1")
      yield* Web.see(page, "UDP Send Rate")
      yield* Web.see(page, /Address to send to: 127\.0\.0\.1 if the game runs on the service's machine/)
      expect(yield* Effect.promise(() => page.getByRole("spinbutton", { name: "Port" }).inputValue())).toBe(
        "20777"
      )
      // The game may run on another machine.
      expect(yield* Effect.promise(() => page.getByRole("textbox", { name: "Host" }).inputValue())).toBe(
        "0.0.0.0"
      )
      expect(yield* seriousFindings(page)).toEqual([])
      const port = yield* freePort
      yield* connect(page, "f1", port)
      yield* Web.see(page, `Waiting on UDP ${port}: 0 datagrams so far …`)
      // Again and again: the page waits before the service listens.
      yield* whileSending(
        Web.see(page, new RegExp(`Waiting on UDP ${port}: [1-9]\\d* datagrams? so far, none of this game …`)),
        yield* sender(),
        port,
        "of no game"
      )
      yield* Effect.promise(() => page.getByRole("button", { name: "Disconnect" }).click())
      yield* Web.see(page, /was ended before it was established/)
    })
  )

  it.scopedLive("says in a driver's words that nothing came, and whose it was that came", () =>
    Effect.gen(function* () {
      const service = yield* Box.startService(yield* Box.folder, "--connect-timeout", "2")
      const { page } = yield* Web.open(yield* Web.browser, service, "/")
      const port = yield* freePort
      yield* connect(page, "forza", port)
      yield* Web.see(page, `Nothing of Forza Motorsport 7, 2023, Horizon 4 to 6 arrived on UDP port ${port}.`)
      yield* Web.see(page, /A game in a menu may send nothing/)
      yield* Effect.promise(() => page.setViewportSize({ width: 1280, height: 720 }))
      const [button, alert] = yield* Effect.promise(() =>
        Promise.all([
          page.getByRole("button", { name: "Connect", exact: true }).boundingBox(),
          page.getByRole("alert").boundingBox()
        ])
      )
      // Beside the button, and in the window.
      expect(alert!.y - button!.y).toBeLessThan(80)
      expect(alert!.y + alert!.height).toBeLessThan(720)
      expect(yield* seriousFindings(page)).toEqual([])
      yield* Box.start("simulator/main.js", ["--protocol", "f1-2025", "--port", String(port)])
      yield* connect(page, "forza", port)
      yield* Web.see(page, /but f1's: connect as F1 23, 24, 25, 26\./)
    })
  )
})
