/** Pages and overlays in a browser without storage: a frame in a sandbox, or a user who blocks site data. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { serviceInside } from "../support/inside.ts"
import { storeDrive } from "../api/stored.ts"
import { needing } from "../support/needing.ts"
import * as Web from "../support/pages.ts"

/** As Chromium behaves there. */
const DENY = `
  for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, name, {
      get() { throw new DOMException("Access is denied for this document", "SecurityError") }
    })
  }
`

describe("in a browser without storage", needing(Web.browserHere), () => {
  it.scopedLive("pages and overlays show the same as elsewhere", () =>
    Effect.gen(function* () {
      const running = yield* serviceInside()
      yield* storeDrive(running, { count: 3600, laps: 4, lapPoints: 900 })
      const browser = yield* Web.browser
      for (const [path, shown] of [
        ["/", `document.querySelector("main").textContent.length > 20`],
        ["/sessions", `document.querySelectorAll("tbody tr").length === 1`],
        ["/sessions/1", `document.querySelectorAll("tbody tr").length >= 4`],
        ["/settings", `document.querySelector("form") !== null`],
        ["/overlay/laps?session_id=1&idle=keep", `document.querySelectorAll(".laps li").length === 4`]
      ] as const) {
        const { complaints, page } = yield* Web.open(browser, { address: running.url }, path, {}, DENY)
        yield* Web.becomes(page, shown)
        expect([path, complaints]).toEqual([path, []])
      }
    })
  )

  it.scopedLive("a choice holds until the document is closed", () =>
    Effect.gen(function* () {
      const running = yield* serviceInside()
      const browser = yield* Web.browser
      const preferred = { colorScheme: "dark" } as const
      const { complaints, page } = yield* Web.open(browser, { address: running.url }, "/", preferred, DENY)
      const themeIs = (theme: string) =>
        Web.becomes(page, `document.documentElement.dataset.theme === "${theme}"`)
      yield* themeIs("dark")
      yield* Effect.promise(() => page.keyboard.press("t"))
      yield* themeIs("light")
      expect(complaints).toEqual([])
    })
  )
})
