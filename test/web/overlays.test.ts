/** Clicks on the Live page and the pages of overlays, and overlays that stay within their room, while two rigs drive. */
import { join } from "node:path"
import { describe, expect, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import type { Page, WebSocketRoute } from "playwright-core"
import { overlays } from "../../web/src/overlays/catalog.ts"
import { writeCircles } from "../blackbox/circles.ts"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { seriousFindings } from "./accessible.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"

const Rigs = Web.shared(
  "test/Rigs",
  Effect.gen(function* () {
    const service = yield* Drives.emptyService
    for (const driver of ["Robin Vale", "Ada Kerr"]) {
      const rig = yield* Box.startSimulator("--circuit", "Larkspur Park", "--driver", driver)
      yield* Box.connect(service, rig)
    }
    const status = Box.get<{
      readonly connections: ReadonlyArray<{ readonly session_id: number | null }>
    }>(service, "/status")
    const both = yield* Box.until(status, ({ connections }) =>
      connections.every(({ session_id }) => session_id !== null)
    )
    const ids = both.connections.map(({ session_id }) => session_id!)
    return { service, ids }
  })
)

const queryOf = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

/** A condition of the document, as a promise's effect. */
const counts = (page: Page, selector: string, count: number) =>
  Web.becomes(page, `document.querySelectorAll(${JSON.stringify(selector)}).length === ${count}`)

/** The overlays of which a part is cut off. */
const CUT_OFF = `[...document.querySelectorAll(".plate")].filter((plate) => {
  const { clientHeight, clientWidth, scrollHeight, scrollWidth } = plate.querySelector(".content")
  return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1
}).map((plate) => plate.dataset.overlay)`

const FONT_SIZES = `[...document.querySelectorAll(".content")].map((content) => getComputedStyle(content).fontSize)`

describe("overlays and channels", needing(Web.browserHere), () => {
  layer(Rigs.layer, { excludeTestServices: true })((it) => {
    it.scoped("show tyres, fuel and the chosen channels, which the address and the browser keep", () =>
      Effect.gen(function* () {
        const { browser, ids, service } = yield* Rigs
        const { complaints, page } = yield* Web.open(browser, service, `/?session_id=${ids[0]}`)
        yield* Web.becomes(page, `/^[0-9]+$/.test(document.querySelector(".tyre-heat b")?.textContent)`)
        yield* Web.becomes(page, `/^[0-9.]+$/.test(document.querySelector(".fuel-amount b")?.textContent)`)
        yield* counts(page, ".tyre", 4)
        yield* Effect.promise(() => page.getByText(/^\d+ of at most 32$/).click())
        yield* Effect.promise(() => page.getByRole("button", { name: "Forces" }).click())
        yield* counts(page, ".area-channels .uplot", 4)
        const chosen = queryOf(page, "channels")
        expect(chosen).toContain("g_lateral")
        expect(chosen).toContain("tyre_temperature_*")
        // On a busy machine values may be stale for a moment, and are pale then.
        yield* Box.until(seriousFindings(page), (findings) => findings.length === 0)
        // Channels beyond the limit are counted, and not drawn.
        yield* Effect.promise(async () => {
          for (const name of ["Suspension travel", "Wheel speed", "Slip ratio", "Slip angle", "Wheel load"]) {
            await page.getByRole("checkbox", { name }).check()
          }
        })
        yield* Web.see(page, /not shown: 32 channels are the most/)
        yield* Effect.promise(() => page.getByRole("button", { name: "None" }).click())
        yield* counts(page, ".area-channels .uplot, .tyre", 0)
        expect(queryOf(page, "channels")).toBe("none")
        yield* Effect.promise(() => page.getByRole("button", { name: "Forces" }).click())
        yield* counts(page, ".area-channels .uplot", 4)
        // The browser's choice counts if the address has none.
        yield* Effect.promise(() => page.goto(service.address))
        yield* counts(page, ".area-channels .uplot", 4)
        expect(queryOf(page, "channels")).toContain("g_lateral")
        expect(complaints).toEqual([])
      })
    )

    it.scoped("name the sessions to choose from, and have the chosen one in the address", () =>
      Effect.gen(function* () {
        const { browser, ids, service } = yield* Rigs
        const { page } = yield* Web.open(browser, service, `/?session_id=${ids[0]}`)
        const picker = page.getByLabel("Session", { exact: false }).first()
        yield* Box.until(
          Effect.promise(() => picker.locator("option").allTextContents()),
          (names) => names.some((name) => name.startsWith("Ada Kerr · ")) && names.length === 2
        )
        yield* Effect.promise(() => picker.selectOption(String(ids[1])))
        yield* Web.becomes(page, `document.querySelector(".who")?.textContent.includes("Ada Kerr")`)
        expect(queryOf(page, "session_id")).toBe(String(ids[1]))
        yield* Effect.promise(() => page.goBack())
        yield* Web.becomes(page, `document.querySelector(".who")?.textContent.includes("Robin Vale")`)
      })
    )

    it.scoped("name the driver, also if a lap is completed while the page requests the name", () =>
      Effect.gen(function* () {
        const { browser, ids, service } = yield* Rigs
        const [id] = ids
        const { page } = yield* Web.open(browser, service, "/statistics")
        const requested = yield* Deferred.make<void>()
        const released = yield* Deferred.make<void>()
        yield* Effect.promise(() =>
          page.route(/trpc\/sessions\.get/, async (route) => {
            Deferred.unsafeDone(requested, Effect.void)
            await Effect.runPromise(Deferred.await(released))
            await route.continue()
          })
        )
        const live = yield* Deferred.make<WebSocketRoute>()
        yield* Effect.promise(() =>
          page.routeWebSocket(/telemetry\/live/, (socket) => {
            socket.connectToServer()
            Deferred.unsafeDone(live, Effect.succeed(socket))
          })
        )
        yield* Effect.promise(() => page.goto(`${service.address}/?session_id=${id}`))
        const socket = yield* Deferred.await(live)
        yield* Deferred.await(requested)
        socket.send(JSON.stringify({ type: "lap", session_id: id, data: {} }))
        yield* Effect.promise(() => page.evaluate("new Promise((resolve) => setTimeout(resolve))"))
        yield* Deferred.succeed(released, undefined)
        yield* Web.becomes(page, `document.querySelector(".who")?.textContent.includes("Robin Vale")`)
      })
    )

    it.scoped("have the steering in sight on a screen of 900 pixels", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Rigs
        const { page } = yield* Web.open(browser, service, "/", { viewport: { width: 1440, height: 900 } })
        yield* counts(page, ".area-traces .uplot", 5)
        const below = Effect.promise(() =>
          page.evaluate<number>(
            `[...document.querySelectorAll(".area-traces .uplot")].at(-1).getBoundingClientRect().bottom`
          )
        )
        expect(yield* below).toBeLessThanOrEqual(900)
      })
    )

    it.scoped("cut nothing off at any scale, wide and tall, and have text of the requested size", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Rigs
        const [width, height] = [2000, 2000]
        const { complaints, page } = yield* Web.open(browser, service, "/overlay/layout", {
          viewport: { width, height }
        })
        // All in one document, each in its design size; their places do not matter.
        const show = (shape: "wide" | "tall", query: string) =>
          Effect.gen(function* () {
            const items = overlays.map(({ name, [shape]: [across, down] }) =>
              [name, 0, 0, (100 * across) / width, (100 * down) / height].join(",")
            )
            yield* Effect.promise(() =>
              page.goto(`${service.address}/overlay/layout?items=${items.join(";")}&${query}`)
            )
            yield* counts(page, `.plate[data-state="live"]`, overlays.length)
          })
        for (const shape of ["wide", "tall"] as const) {
          yield* show(shape, "scale=4")
          yield* Box.until(
            Effect.promise(() => page.evaluate<ReadonlyArray<string>>(CUT_OFF)),
            (cut) => cut.length === 0
          )
          // No element is squeezed away either, as a flexible item that hides its overflow would be.
          const wheel = yield* Effect.promise(async () => (await page.locator(".wheel").boundingBox())!)
          expect([shape, wheel.width > 100]).toEqual([shape, true])
          // The labels of the pedals keep apart, and the bars of a car's side are in line.
          const gaps = Effect.promise(() =>
            page.evaluate<ReadonlyArray<boolean>>(
              `[...document.querySelectorAll(".pedals")].map(({ children: [brake, throttle] }) =>
                throttle.getBoundingClientRect().left - brake.getBoundingClientRect().right >
                  0.5 * parseFloat(getComputedStyle(brake).fontSize))`
            )
          )
          expect([shape, yield* gaps]).toEqual([shape, [true, true]])
          const bars = Effect.promise(() =>
            page.evaluate<ReadonlyArray<number>>(
              `[...document.querySelectorAll(".tyre-grid .tyre-heat")].map((bar) =>
                bar.getBoundingClientRect().left)`
            )
          )
          const [fl, fr, rl, rr] = yield* bars
          expect([shape, rl, rr]).toEqual([shape, fl, fr])
        }
        yield* show("wide", "font_size=6&scale=1.5")
        const sizes = Effect.promise(() => page.evaluate<ReadonlyArray<string>>(FONT_SIZES))
        expect(yield* sizes).toEqual(overlays.map(() => "9px"))
        expect(complaints).toEqual([])
      })
    )

    it.scoped("show the oldest connection's car at every load, and all another when it is put on air", () =>
      Effect.gen(function* () {
        const { browser, ids, service } = yield* Rigs
        const { page: live } = yield* Web.open(browser, service, `/?session_id=${ids[0]}`)
        const { page } = yield* Web.open(browser, service, "/overlay/versus")
        const first = `document.querySelector(".rig.first strong")?.textContent`
        for (let load = 0; load < 5; load++) {
          yield* Web.becomes(page, `${first} === "Robin Vale"`)
          yield* Effect.promise(() => page.reload())
        }
        const choice = live.getByLabel("On air in overlays")
        const other = Effect.promise(() => choice.locator("option", { hasText: "Ada Kerr" }).count())
        yield* Box.until(other, (count) => count === 1)
        yield* Effect.promise(() => choice.selectOption(String(ids[1])))
        // An overlay that is open changes, too.
        yield* Web.becomes(page, `${first} === "Ada Kerr"`)
        expect(yield* Box.get(service, "/on-air")).toEqual({ mode: "session", session_id: ids[1] })
        yield* Effect.promise(() => choice.selectOption(""))
        yield* Web.becomes(page, `${first} === "Robin Vale"`)
      })
    )

    it.scoped("show two rigs against each other, and both on the map", () =>
      Effect.gen(function* () {
        const { browser, ids, service } = yield* Rigs
        const versus = yield* Web.open(browser, service, `/overlay/versus?session_id=${ids[0]}`)
        yield* Web.becomes(
          versus.page,
          `[...document.querySelectorAll(".rig strong")].map((name) => name.textContent).join() === "Robin Vale,Ada Kerr"`
        )
        yield* Web.becomes(
          versus.page,
          `[...document.querySelectorAll(".rig .now span:nth-child(2) b")].every((speed) => /[0-9]/.test(speed.textContent))`
        )
        const map = yield* Web.open(browser, service, `/overlay/map?session_id=${ids[0]}&cars=all`)
        yield* Web.becomes(
          map.page,
          `[...document.querySelectorAll(".car")].map((car) => car.dataset.label).sort().join() === "AK,RV"`
        )
      })
    )

    it.scoped(
      "are arranged by dragging, sizing and keys; the addresses of the page and the source have all of it",
      () =>
        Effect.gen(function* () {
          const { browser, service } = yield* Rigs
          const { complaints, page } = yield* Web.open(
            browser,
            service,
            "/overlays/layout?items=timer,10,10,20,20;revs,50,50,30,10"
          )
          const frame = page.frameLocator("iframe")
          yield* Effect.promise(() => frame.locator(".placed").nth(1).waitFor())
          const picture = yield* Effect.promise(async () => (await page.locator(".handles").boundingBox())!)
          const drag = (selector: string, across: number, down: number) =>
            Effect.promise(async () => {
              const { height, width, x, y } = (await page.locator(selector).first().boundingBox())!
              await page.mouse.move(x + width / 2, y + height / 2)
              await page.mouse.down()
              await page.mouse.move(
                x + width / 2 + (across * picture.width) / 100,
                y + height / 2 + (down * picture.height) / 100,
                { steps: 4 }
              )
              await page.mouse.up()
            })
          const items = Effect.sync(() => queryOf(page, "items"))
          yield* drag(".handle", 20, 30)
          // To a tenth of a percent, give or take the pixel that the mouse was at.
          const [x, y] = (yield* Box.until(
            items,
            (text) => text !== null && !text.startsWith("timer,10,10,")
          ))!
            .split(",")
            .slice(1, 3)
            .map(Number)
          expect(Math.abs(x! - 30)).toBeLessThan(0.3)
          expect(Math.abs(y! - 40)).toBeLessThan(0.3)
          yield* drag(".corner", 10, 5)
          yield* Box.until(items, (text) => Number(text!.split(",")[3]) > 29)
          yield* Effect.promise(async () => {
            await page.locator(".handle").nth(1).focus()
            await page.keyboard.press("ArrowLeft")
            await page.keyboard.press("Shift+ArrowDown")
          })
          yield* Box.until(items, (text) => text!.endsWith(";revs,49.5,50,30,10.5"))
          // The overlay has moved without being loaded again.
          yield* Box.until(
            Effect.promise(() => frame.locator(".placed").nth(1).getAttribute("style")),
            (style) => style!.includes("left: 49.5%") && style!.includes("height: 10.5%")
          )
          yield* Effect.promise(() =>
            page.locator("label", { hasText: "an overlay …" }).locator("select").selectOption("tyres")
          )
          yield* Effect.promise(() => frame.locator(".tyre").first().waitFor())
          yield* Effect.promise(() => page.getByRole("button", { name: "Remove Rev lights" }).click())
          const address = Effect.promise(() => page.getByLabel("Address of the layout").inputValue())
          const copied = yield* Box.until(address, (text) => !text.includes("revs"))
          expect(copied).toContain("tyres")
          expect(yield* seriousFindings(page)).toEqual([])
          // The same page again, and the address for OBS.
          yield* Effect.promise(() => page.reload())
          expect(yield* address).toBe(copied)
          const source = yield* Web.open(browser, service, copied.slice(service.address.length), {
            viewport: { width: 1920, height: 1080 }
          })
          yield* counts(source.page, `.plate[data-state="live"]`, 2)
          // They share a connection.
          const timer = yield* Effect.promise(
            async () => (await source.page.locator(".placed").first().boundingBox())!
          )
          expect(timer.x / 1920).toBeCloseTo(0.3, 2)
          expect(timer.y / 1080).toBeCloseTo(0.4, 2)
          yield* Effect.promise(() => page.getByLabel("Picture").selectOption("9x16"))
          yield* Web.see(page, /1080 × 1920/)
          expect([...complaints, ...source.complaints]).toEqual([])
        })
    )

    it.scoped("show nothing on the air while no car drives, if so configured", () =>
      Effect.gen(function* () {
        const { browser } = yield* Rigs
        const idle = yield* Drives.emptyService
        for (const [query, seen] of [
          ["", true],
          ["?idle=hide", false],
          ["?idle=keep", true]
        ] as const) {
          const { page } = yield* Web.open(browser, idle, `/overlay/gauges${query}`)
          yield* Web.becomes(
            page,
            `document.querySelector(".plate")?.dataset.state === "waiting for telemetry"`
          )
          const shown = yield* Effect.promise(() => page.locator(".content").isVisible())
          const badges = yield* Effect.promise(() => page.locator(".plate-state").count())
          expect([query, shown, badges]).toEqual([query, seen, query === "" ? 1 : 0])
        }
      })
    )

    it.scoped("list each driver once on the board", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Rigs
        const file = join(yield* Box.folder, "many.ndjson")
        writeCircles(file, 12)
        const replay = yield* Box.startSimulator("--replay", file, "--speed", "max")
        yield* Box.connect(service, replay)
        const best = Box.get<ReadonlyArray<unknown>>(service, "/stats/best-laps?circuit=Circle")
        yield* Box.until(best, (laps) => laps.length >= 10)
        const { page } = yield* Web.open(browser, service, "/overlay/board?circuit=Circle")
        yield* Web.see(page, "Many Laps")
        yield* counts(page, ".board li", 1)
      })
    )

    it.scoped("connect with a simulator's further options", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Rigs
        const emulator = yield* Box.startSimulator(
          "--protocol",
          "assetto-corsa",
          "--circuit",
          "Larkspur Park"
        )
        const { complaints, page } = yield* Web.open(browser, service, "/")
        yield* Effect.promise(() => page.getByRole("button", { name: "Connect another" }).click())
        const simulator = page.locator("select[name=simulator]")
        yield* Effect.promise(() => simulator.selectOption("gt7"))
        yield* Web.see(page, /record replays too/)
        yield* Effect.promise(() => simulator.selectOption("assetto-corsa"))
        yield* Effect.promise(() => page.getByLabel("Replays").waitFor({ state: "hidden" }))
        yield* Effect.promise(() =>
          page.getByRole("spinbutton", { name: "Port" }).fill(new URL(emulator.address).port)
        )
        yield* Effect.promise(() => page.getByLabel("Steering lock").fill("450"))
        const requested = page.waitForRequest((request) => request.url().includes("connections.connect"))
        yield* Effect.promise(() => page.getByRole("button", { name: "Connect", exact: true }).click())
        const sent = yield* Effect.promise(async () => (await requested).postDataJSON() as unknown)
        expect(JSON.stringify(sent)).toContain('"steering_lock":450')
        yield* Web.see(page, /Connected to/)
        expect(complaints).toEqual([])
      })
    )
  })
})
