/** The pages of a service with a token, and of a read-only one. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { seriousFindings } from "./accessible.ts"
import * as Web from "../support/pages.ts"

const TOKEN = "correct-horse-battery-staple"
const bearer = { authorization: `Bearer ${TOKEN}` }

const Guarded = Web.shared(
  "test/Guarded",
  Effect.gen(function* () {
    const narrowed = ["--token", TOKEN, "--allow-origin", "https://elsewhere.example"]
    const service = yield* Box.startService(yield* Box.folder, ...narrowed)
    const simulator = yield* Box.startSimulator()
    const { hostname, port } = new URL(simulator.address)
    const target = { host: hostname, port: Number(port), app_name: "pages", simulator: "native" }
    const connected = yield* Effect.promise(() =>
      fetch(`${service.address}/api/v1/connect`, {
        method: "POST",
        headers: bearer,
        body: JSON.stringify(target)
      })
    )
    expect(connected.status).toBe(200)
    return { service }
  })
)

/** The first message over the live WebSocket. */
const firstMessage = (page: Web.Opened["page"], path: string) =>
  Effect.promise(async () => {
    const message = new Promise<string>((resolve) =>
      page.on("websocket", (socket) =>
        socket.on("framereceived", ({ payload }) => resolve(payload.toString()))
      )
    )
    // Wait until it is loaded: another address, or the page's end, would break it off.
    await page.goto(path)
    return message
  })

const give = (page: Web.Opened["page"], token: string) =>
  Effect.promise(async () => {
    await page.getByRole("textbox", { name: "Token" }).fill(token)
    await page.getByRole("button", { name: "Save and continue" }).click()
  })

const refused = (complaint: string) => /40[13]|WebSocket/.test(complaint)

describe("pages of a service with a token", needing(Web.browserHere), () => {
  layer(Guarded.layer, { excludeTestServices: true })((it) => {
    it.scoped("ask for it once, keep it, and send it with every request, download and WebSocket", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Guarded
        const { complaints, page } = yield* Web.open(browser, service, "/sessions")
        yield* Web.see(page, "This service requires its access token")
        expect(yield* seriousFindings(page)).toEqual([])
        yield* give(page, "not-that-of-the-service")
        yield* Web.see(page, "this browser remembers is wrong")
        yield* give(page, TOKEN)
        yield* Effect.promise(() => page.locator("tbody a").first().click())
        const link = page.getByRole("link", { name: "Export CSV" })
        yield* Effect.promise(() => link.waitFor())
        const [download] = yield* Effect.promise(() =>
          Promise.all([page.waitForEvent("download"), link.click()])
        )
        expect(yield* Effect.promise(() => download.failure())).toBeNull()
        expect(download.suggestedFilename()).toMatch(/^session-\d+\.csv$/)
        // Another page of the same browser need not ask again.
        expect(JSON.parse(yield* firstMessage(page, `${service.address}/`))).toHaveProperty("type")
        yield* Web.becomes(page, `document.querySelector("dialog[open]") === null`)
        yield* Effect.promise(() => page.goto(`${service.address}/docs`))
        yield* Web.see(page, "Read a session's points between two instants")
        // Only requests from before the token were refused.
        expect(complaints.filter((complaint) => !refused(complaint))).toEqual([])
      })
    )

    it.scoped("give the token to overlays in their addresses", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Guarded
        const { page: pages } = yield* Web.open(browser, service, "/overlays")
        yield* Web.see(pages, "This service requires its access token")
        yield* give(pages, TOKEN)
        const field = pages.getByLabel("Address of Gauges and pedals")
        const address = yield* Box.until(
          Effect.promise(() => field.inputValue()),
          (value) => value.includes("token=")
        )
        // A browser without the token, like that of OBS.
        const { page } = yield* Web.open(browser, service, "/favicon.svg")
        expect(JSON.parse(yield* firstMessage(page, address))).toMatchObject({ type: "on_air" })
        // Without it the overlay says so, also where it is hidden while nobody drives.
        const bare = address.replace(/[?&]token=[^&]*/, "")
        yield* Effect.promise(() => page.goto(`${bare}${bare.includes("?") ? "&" : "?"}idle=hide`))
        yield* Web.see(page, "the access token in this overlay's address is missing or wrong")
      })
    )
  })
})

const Reading = Web.shared(
  "test/Reading",
  Effect.gen(function* () {
    const service = yield* Box.startService(yield* Box.folder, "--read-only")
    return { service }
  })
)

describe("pages of a read-only service", needing(Web.browserHere), () => {
  layer(Reading.layer, { excludeTestServices: true })((it) => {
    it.scoped("show the data, and explain why nothing can be changed", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Reading
        const { page } = yield* Web.open(browser, service, "/settings")
        yield* Effect.promise(() => page.getByRole("button", { name: "Save" }).click())
        yield* Web.see(page, "The service is read-only and refuses POST (--read-only).")
        yield* Effect.promise(() => page.goto(service.address))
        yield* Effect.promise(() => page.getByRole("button", { name: "Connect", exact: true }).click())
        yield* Web.see(page, "The service is read-only and refuses POST (--read-only).")
      })
    )
  })
})
