/** The pages and overlays while the bundled simulator drives, and when the service goes away. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Browser, Page } from "playwright-core"
import { overlays } from "../../web/src/overlays/catalog.ts"
import { emulators } from "../../simulator/emulators/index.ts"
import { connectBody } from "../../simulator/emulators/serveEmulator.ts"
import { circuitNamed } from "../../simulator/model/Circuit.ts"
import { vehicles } from "../../simulator/model/vehicles.ts"
import * as Box from "../support/processes.ts"
import { seriousFindings } from "./accessible.ts"
import * as Web from "../support/pages.ts"
import { needing } from "../support/needing.ts"

const Driven = Web.shared(
  "test/Driven",
  Effect.gen(function* () {
    const data = yield* Box.folder
    return {
      data,
      service: yield* Box.startService(data),
      simulator: yield* Box.startSimulator("--circuit", "Larkspur Park")
    }
  })
)

const acc = emulators.find(({ protocol }) => protocol === "acc")!

const text = (page: Page, selector: string) =>
  Effect.promise(async () => (await page.locator(selector).first().textContent()) ?? "")

/** How opaque each pixel of a screenshot is, 0 to 255: in its corners, and at most. */
const opacities = (browser: Browser, png: Buffer) =>
  Effect.promise(async () => {
    const page = await browser.newPage()
    const script = `(async () => {
      const image = new Image()
      image.src = "data:image/png;base64,${png.toString("base64")}"
      await image.decode()
      const canvas = document.createElement("canvas")
      canvas.width = image.width
      canvas.height = image.height
      const context = canvas.getContext("2d")
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, image.width, image.height)
      const alpha = data.filter((_, k) => k % 4 === 3)
      return { corner: alpha[0], most: alpha.reduce((most, value) => Math.max(most, value), 0) }
    })()`
    const found = await page.evaluate<{ readonly corner: number; readonly most: number }>(script)
    await page.close()
    return found
  })

const overlayIs = (state: string) =>
  `document.querySelector(".plate")?.getAttribute("data-state") === "${state}"`

/** The service, with the simulator connected, also if it already is. */
const started = Effect.gen(function* () {
  const { service, simulator } = yield* Driven
  yield* Box.connect(service, simulator)
  return service
})

/** Expects drawn values to change shortly afterwards. */
const moves = (page: Page, selector: string) =>
  Effect.gen(function* () {
    const before = yield* text(page, selector)
    yield* Box.until(text(page, selector), (now) => now !== before && /\d/.test(now))
  })

/** From `hold()` on frames stand still, until `release()` paints the frames requested meanwhile, at once. */
const HELD_FRAMES = `
  const ask = requestAnimationFrame
  let held
  globalThis.hold = () => (held = [])
  globalThis.release = () => {
    const paints = held
    held = undefined
    for (const paint of paints) paint(performance.now())
  }
  globalThis.requestAnimationFrame = (paint) => (held === undefined ? ask(paint) : held.push(paint))`

/** On a busy machine the feed may stall for a moment, during which the page shows stale values pale. */
const withoutFindings = (page: Page) => Box.until(seriousFindings(page), (findings) => findings.length === 0)

describe("live pages", needing(Web.browserHere), () => {
  layer(Driven.layer, { excludeTestServices: true })((it) => {
    it.scoped("connect by the form, show the car, and show when it is stale", () =>
      Effect.gen(function* () {
        const { browser, service, simulator } = yield* Driven
        const { complaints, page } = yield* Web.open(browser, service, "/")
        yield* Web.see(page, "No simulator is connected.")
        // The simulator first: its choice fills in the port.
        yield* Effect.promise(() => page.getByLabel("Simulator").selectOption("native"))
        yield* Effect.promise(() =>
          page.getByRole("spinbutton", { name: "Port" }).fill(new URL(simulator.address).port)
        )
        yield* Effect.promise(() => page.getByRole("button", { name: "Connect", exact: true }).click())
        yield* Web.see(page, "Robin Vale · ")
        yield* Web.becomes(page, `document.querySelector(".live-state")?.textContent === "Live"`)
        yield* moves(page, ".dial-speed")
        yield* moves(page, ".wheel span")
        expect(yield* Effect.promise(() => page.locator(".uplot").count())).toBe(5)
        yield* Web.see(page, "none lost")
        yield* withoutFindings(page)
        yield* Effect.promise(() => page.getByRole("button", { name: "Disconnect" }).click())
        yield* Web.see(page, /No telemetry is coming/)
        expect(complaints).toEqual([])
      })
    )

    it.scoped("show a dash and no strip for channels that a simulator does not send", () =>
      Effect.gen(function* () {
        const { browser } = yield* Driven
        const circuit = circuitNamed("Larkspur Park")!
        const emulator = yield* Box.startSimulator("--protocol", "acc", "--circuit", circuit.name)
        const service = yield* Box.startService(yield* Box.folder, "--connect-timeout", "60")
        const { hostname, port } = new URL(emulator.address)
        const scene = { circuit, vehicle: vehicles[0]!, driver: "Robin Vale" }
        const body = connectBody(acc, scene, { host: hostname, port: Number(port) })
        expect(yield* Box.ask(service, "POST", "/connect", body)).toMatchObject({ status: 200 })
        const { complaints, page } = yield* Web.open(browser, service, "/")
        const overlay = yield* Web.open(browser, service, "/overlay/gauges")
        for (const shown of [page, overlay.page]) {
          yield* moves(shown, ".dial-speed")
          const dial = Effect.promise(() => shown.locator(".dial-unit").allTextContents())
          expect(yield* Box.until(dial, (texts) => texts.length === 2)).toEqual(["km/h", "– rpm"])
          expect(yield* Effect.promise(() => shown.locator(".pedal b").allTextContents())).toEqual(["–", "–"])
        }
        expect(yield* text(page, ".wheel span")).toBe("–")
        const strips = Effect.promise(() => page.locator(".strip p").allInnerTexts())
        // The missing channels are known after a second of points.
        expect(yield* Box.until(strips, (names) => names.length < 3)).toEqual(["Speed km/h", "Gear"])
        yield* Web.becomes(page, `document.querySelectorAll(".strip .uplot").length === 2`)
        yield* Web.becomes(page, `document.querySelectorAll(".map .car").length === 1`)
        yield* withoutFindings(page)
        expect([...complaints, ...overlay.complaints]).toEqual([])
      })
    )

    it.scoped("show the error if nothing answers", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Driven
        const { page } = yield* Web.open(browser, service, "/")
        yield* Web.see(page, "No simulator is connected.")
        yield* Effect.promise(() => page.getByRole("spinbutton", { name: "Port" }).fill("1"))
        yield* Effect.promise(() => page.getByRole("button", { name: "Connect", exact: true }).click())
        yield* Web.see(page, /Check (that )?host/)
      })
    )

    it.scoped("have overlays that are transparent, of any size, and themed by their address", () =>
      Effect.gen(function* () {
        const { browser } = yield* Driven
        const service = yield* started
        // One after another: each open page draws twenty times a second.
        const shown = Effect.fnUntraced(function* (name: string) {
          const { complaints, page } = yield* Web.open(
            browser,
            service,
            `/overlay/${name}?rate=20&accent=ff8800&scale=1.2&units=mph`,
            { viewport: { width: 420, height: 220 } }
          )
          yield* Web.becomes(page, overlayIs("live"))
          const shot = Effect.promise(() => page.screenshot({ omitBackground: true }))
          const seen = Effect.flatMap(shot, (png) => opacities(browser, png))
          // The track is drawn when a part of it has been driven.
          const { corner } = yield* Box.until(seen, ({ most }) => most > 150)
          expect([name, corner]).toEqual([name, 0])
          const style = yield* Effect.promise(() =>
            page.evaluate<string>(`document.documentElement.style.getPropertyValue("--accent")`)
          )
          expect([name, style, complaints]).toEqual([name, "#ff8800", []])
        }, Effect.scoped)
        yield* Effect.forEach(overlays, ({ name }) => shown(name))
      })
    )

    it.scoped("can be left while a point arrives, and move again when the user comes back", () =>
      Effect.gen(function* () {
        const { browser } = yield* Driven
        const service = yield* started
        const { complaints, page } = yield* Web.open(browser, service, "/settings")
        let messages = 0
        page.on("websocket", (socket) => socket.on("framereceived", () => void (messages += 1)))
        yield* Effect.promise(async () => {
          await page.addInitScript(HELD_FRAMES)
          await page.goto(service.address)
        })
        yield* moves(page, ".dial-speed")
        yield* Effect.promise(() => page.evaluate("hold()"))
        const before = messages
        // Points that no frame has shown yet.
        yield* Box.until(
          Effect.sync(() => messages),
          (now) => now > before + 10
        )
        // One frame comes after the page was left, and before it notices that.
        yield* Effect.promise(() =>
          page.evaluate(`(async () => {
            document.querySelector('nav a[href="/sessions"]').click()
            await new Promise((done) => setTimeout(done))
            release()
          })()`)
        )
        yield* Web.becomes(page, `document.querySelector(".dial") === null`)
        yield* Effect.promise(() => page.getByRole("link", { name: "Live", exact: true }).click())
        yield* moves(page, ".dial-speed")
        expect(complaints).toEqual([])
      })
    )

    it.scoped("list the overlays with live previews", () =>
      Effect.gen(function* () {
        const { browser } = yield* Driven
        const service = yield* started
        const { complaints, page } = yield* Web.open(browser, service, "/overlays", {
          permissions: ["clipboard-read", "clipboard-write"]
        })
        yield* Web.see(page, "Best-laps board")
        expect(yield* Effect.promise(() => page.locator("iframe").count())).toBe(overlays.length)
        yield* Effect.promise(() => page.getByLabel("Units").selectOption("mph"))
        const address = page.getByLabel("Address of Gauges and pedals")
        expect(yield* Effect.promise(() => address.inputValue())).toBe(
          `${service.address}/overlay/gauges?units=mph`
        )
        yield* Effect.promise(() => page.frameLocator("iframe").first().getByText("mph").waitFor())
        yield* Effect.promise(() => page.getByRole("button", { name: "Copy" }).first().click())
        yield* Web.see(page, "Copied")
        const copied = yield* Effect.promise(() => page.evaluate<string>("navigator.clipboard.readText()"))
        expect(copied).toBe(`${service.address}/overlay/gauges?units=mph`)
        yield* Effect.promise(() => page.getByLabel("Background").selectOption("0"))
        yield* Effect.promise(() => page.getByText("Copied").waitFor({ state: "hidden" }))
        expect(complaints).toEqual([])
      })
    )

    // The last test: it ends the service.
    it.scoped("go on by themselves after the service was away", () =>
      Effect.gen(function* () {
        const { browser, data, simulator } = yield* Driven
        const first = yield* started
        const { page } = yield* Web.open(browser, first, "/")
        const overlay = yield* Web.open(browser, first, "/overlay/gauges")
        yield* moves(page, ".dial-speed")
        yield* moves(overlay.page, ".dial-speed")
        yield* Web.becomes(overlay.page, overlayIs("live"))
        yield* first.signal("SIGTERM")
        yield* Web.see(page, "Reconnecting")
        yield* Web.becomes(overlay.page, overlayIs("reconnecting"))
        const { port } = new URL(first.address)
        const second = yield* Box.startService(data, "--port", port)
        yield* Box.connect(second, simulator)
        yield* moves(page, ".dial-speed")
        yield* Web.becomes(page, `document.querySelector(".live-state")?.textContent === "Live"`)
        yield* Web.becomes(overlay.page, overlayIs("live"))
      })
    )
  })
})
