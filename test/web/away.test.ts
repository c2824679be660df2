/** A page while the service is down; it goes on by itself when the service is back. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import * as Web from "../support/pages.ts"
import { needing } from "../support/needing.ts"

const SESSION = { circuit: "Hollin Moor", vehicle: "Kart", driver: "Robin Vale" }

describe("a page of a service that is down", needing(Web.browserHere), () => {
  const begun = Effect.gen(function* () {
    const data = yield* Box.folder
    const service = yield* Box.startService(data)
    yield* Box.ask(service, "POST", "/sessions", SESSION)
    const { port } = new URL(service.address)
    const opened = yield* Web.open(yield* Web.browser, service, "/settings", { colorScheme: "dark" })
    yield* Web.see(opened.page, "Name of the service for simulators")
    yield* service.signal("SIGTERM")
    return { ...opened, restart: Box.startService(data, "--port", port) }
  })

  it.scopedLive("shows that, and after the restart shows a page whose code had not been loaded", () =>
    Effect.gen(function* () {
      const { page, restart } = yield* begun
      const link = page.getByRole("link", { name: "Sessions", exact: true })
      yield* Effect.promise(() => link.click())
      yield* Web.see(page, "The service does not answer.")
      const alert = page.getByRole("alert")
      expect(yield* Effect.promise(() => alert.innerText())).toMatch(/tries again every 2 seconds/)
      const red = `getComputedStyle(document.querySelector("[role=alert] strong")).color`
      expect(yield* Effect.promise(() => page.evaluate(red))).toBe("rgb(245, 112, 72)")
      // Without an answer the page stays unchanged.
      yield* Effect.promise(() => page.getByRole("button", { name: "Try again now" }).click())
      yield* Web.see(page, "The service does not answer.")
      yield* restart
      yield* Web.see(page, "Robin Vale")
      expect(new URL(page.url()).pathname).toBe("/sessions")
    })
  )

  it.scopedLive("repeats refused requests, by itself and by its button", () =>
    Effect.gen(function* () {
      const { page, restart } = yield* begun
      yield* Effect.promise(() => page.getByRole("link", { name: "Live" }).click())
      yield* Web.see(page, "The service does not answer.")
      yield* restart
      yield* Web.see(page, /No simulator is connected/)
      // This page's code is there now, and so are the answers to its requests.
      yield* Effect.promise(() => page.getByRole("link", { name: "Settings" }).click())
      yield* Web.see(page, "Name of the service for simulators")
      expect(yield* Effect.promise(() => page.getByRole("alert").count())).toBe(0)
    })
  )
})

describe("a page of a session that is not recorded", needing(Web.browserHere), () => {
  it.scopedLive("shows that it has ended, and later that it was deleted, with links to go on", () =>
    Effect.gen(function* () {
      const data = yield* Box.folder
      const service = yield* Box.startService(data)
      const { port } = new URL(service.address)
      yield* Box.ask(service, "POST", "/sessions", SESSION)
      const browser = yield* Web.browser
      const { page } = yield* Web.open(browser, service, "/?session_id=1")
      const overlay = yield* Web.open(browser, service, "/overlay/timer?session_id=1")
      yield* Web.see(page, /this session has ended/)
      yield* Web.see(page, "Show the current session")
      yield* Web.see(overlay.page, "waiting for telemetry")
      yield* Box.ask(service, "DELETE", "/sessions/1")
      // An open page does not notice before it has to reconnect.
      yield* service.signal("SIGTERM")
      yield* Web.see(page, "Reconnecting")
      yield* Box.startService(data, "--port", port)
      yield* Web.see(page, "Session 1 does not exist.")
      yield* Web.see(overlay.page, "no such session")
      yield* Effect.promise(() => page.getByRole("link", { name: "Show the current session" }).click())
      yield* Web.see(page, "No simulator is connected.")
      expect(new URL(page.url()).search).toBe("")
    })
  )
})
