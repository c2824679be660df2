/** Games without a connect: the offer and the ports on the live page, the setting, and a game that begins to send. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePort, sender, whileSending } from "../simulators/udp/udp.ts"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import * as Web from "../support/pages.ts"
import { seriousFindings } from "./accessible.ts"

interface Listening {
  readonly listening: ReadonlyArray<{ readonly port: number; readonly state: string }>
}

describe("games without a connect", needing(Web.browserHere), () => {
  it.scopedLive("are waited for on the live page, which shows the first that sends", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const service = yield* Box.startService(yield* Box.folder, "--games", String(port))
      const { complaints, page } = yield* Web.open(yield* Web.browser, service, "/")
      yield* Web.see(page, "The service listens for any game")
      yield* Web.see(page, `UDP ${port}: waiting, 0 datagrams so far`)
      expect(yield* seriousFindings(page)).toEqual([])
      yield* whileSending(
        Web.see(page, new RegExp(`UDP ${port}: waiting, [1-9]\\d* datagrams? so far`)),
        yield* sender(),
        port,
        "of no game"
      )
      yield* Box.start("simulator/main.js", ["--protocol", "forza-motorsport", "--port", String(port)])
      yield* Web.becomes(page, `document.querySelector(".live-state")?.textContent === "Live"`)
      const settings = yield* Web.open(yield* Web.browser, service, "/settings")
      yield* Web.see(settings.page, `UDP ${port}: a game sends`)
      yield* Web.see(settings.page, "it was started with --games")
      expect([...complaints, ...settings.complaints]).toEqual([])
    })
  )

  it.scopedLive("are offered where nothing is connected, and can be switched off in the settings", () =>
    Effect.gen(function* () {
      const service = yield* Box.startService(yield* Box.folder)
      const { complaints, page } = yield* Web.open(yield* Web.browser, service, "/")
      yield* Effect.promise(() => page.getByRole("button", { name: "Record any game that sends" }).click())
      // Whether another program of this machine has one of the ports or not.
      yield* Web.see(page, /UDP 20777: /)
      expect(yield* Box.get(service, "/config")).toMatchObject({ games: "auto" })
      yield* Effect.promise(() => page.goto(`${service.address}/settings`))
      const box = page.getByRole("checkbox", { name: /Record any game/ })
      expect(yield* Effect.promise(() => box.isChecked())).toBe(true)
      yield* Web.see(page, /UDP 20777: /)
      expect(yield* seriousFindings(page)).toEqual([])
      yield* Effect.promise(() => box.uncheck())
      yield* Effect.promise(() => page.getByRole("button", { name: "Save" }).click())
      yield* Web.see(page, "Saved.")
      const { listening } = yield* Box.get<Listening>(service, "/status")
      expect(listening).toEqual([])
      expect(complaints).toEqual([])
    })
  )
})
