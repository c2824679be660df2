/** The pages and overlays below a path of a proxy: all their requests are below it, and live data comes through. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { behind, proxyHere } from "../support/servers/proxies.ts"
import * as Web from "../support/pages.ts"

const names = ["nginx", "caddy", "haproxy"] as const

describe("behind a proxy", needing(Web.browserHere, ...names.map(proxyHere)), () => {
  it.scopedLive.each([...names.map((name) => [name, false] as const), ["nginx", true] as const])(
    "%s, which takes the base off: %s",
    ([name, bare]) =>
      Effect.gen(function* () {
        const service = yield* Box.startService(yield* Box.folder, "--base", "/telemetry/")
        const simulator = yield* Box.startSimulator("--rate", "60")
        yield* Box.connect(service, simulator)
        const address = yield* behind(name, service.address, bare)
        const on = yield* Web.browser
        const { complaints, page } = yield* Web.open(on, { address }, "/")
        const click = (link: string) =>
          Effect.promise(() => page.getByRole("link", { name: link, exact: true }).first().click())
        const isAt = (path: string) => Web.becomes(page, `location.pathname === "/telemetry${path}"`)
        // Live points arrive.
        yield* Web.becomes(page, `/\\d/.test(document.querySelector(".gauges, main")?.textContent ?? "")`)
        yield* click("Sessions")
        yield* isAt("/sessions")
        yield* Effect.promise(() => page.locator('main a[href="/telemetry/sessions/1"]').first().click())
        yield* isAt("/sessions/1")
        yield* Effect.promise(() => page.reload())
        yield* Web.becomes(
          page,
          `document.querySelector('a[download]')?.pathname === "/telemetry/api/v1/export/session/1"`
        )
        yield* click("Live")
        yield* isAt("/")

        const overlay = yield* Web.open(on, { address }, "/overlay/timer")
        yield* Web.becomes(
          overlay.page,
          `/\\d\\.\\d/.test(document.querySelector(".timer-clock")?.textContent ?? "")`
        )
        const description = yield* Web.open(on, { address }, "/docs")
        yield* Web.becomes(
          description.page,
          `document.querySelector(".servers select")?.value === "/telemetry"`
        )
        expect([complaints, overlay.complaints, description.complaints]).toEqual([[], [], []])
      })
  )
})
