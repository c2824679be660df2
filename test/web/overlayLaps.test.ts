/** Overlays that show laps, at a scale for which they have no room, and before the first lap. */
import { describe, expect, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"

/** The session that a simulator drives, beside that of the circles. */
const DRIVEN = 2

const Circled = Web.shared(
  "test/CircledOnAir",
  Effect.gen(function* () {
    const service = yield* Drives.emptyService
    yield* Drives.circles(service, 12)
    // Its first lap takes longer than the tests.
    yield* Box.connect(service, yield* Box.startSimulator())
    // An overlay of a session that does not exist yet shows that permanently.
    yield* Box.until(Box.connectionOf(service), (connection) => connection?.session_id === DRIVEN)
    return { service }
  })
)

const openOverlay = Effect.fn(function* (path: string, width: number, height: number) {
  const { browser, service } = yield* Circled
  return yield* Web.open(browser, service, `/overlay/${path}`, { viewport: { width, height } })
})

/** Whether every text of a row begins behind the end of the one before. */
const APART = `(() => {
  const rows = [...document.querySelectorAll(".laps li")]
  return rows.length > 0 && rows.every((row) => {
    const texts = [...row.children].map((text) => {
      const range = document.createRange()
      range.selectNodeContents(text)
      return range.getBoundingClientRect()
    })
    return texts.every((text, k) => k === 0 || text.left >= texts[k - 1].right)
  })
})()`

/** Whether the texts of each sector end above the line under them. */
const ABOVE_LINES = `(() => {
  const sectors = [...document.querySelectorAll(".sector")]
  return sectors.length === 4 && sectors.every((sector) => {
    const line = sector.getBoundingClientRect().bottom - parseFloat(getComputedStyle(sector).borderBottomWidth)
    return [...sector.children].every((text) => text.getBoundingClientRect().bottom <= line + 0.5)
  })
})()`

/** Whether anything is drawn on the map. */
const IS_MAP_DRAWN = `(() => {
  const map = document.querySelector(".map canvas")
  const { data } = map.getContext("2d").getImageData(0, 0, map.width, map.height)
  return data.some((value) => value > 0)
})()`

/** Starts counting the frames, and those in which a part of the overlay is cut off. */
const WATCH = `
  globalThis.pictures = 0
  globalThis.clipped = 0
  const look = () => {
    const { clientHeight, clientWidth, scrollHeight, scrollWidth } = document.querySelector(".content")
    pictures += 1
    if (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1) clipped += 1
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)`

describe("overlays of laps", needing(Web.browserHere), () => {
  layer(Circled.layer, { excludeTestServices: true })((it) => {
    for (const scale of [1, 2, 4]) {
      it.scoped(`lay no text over another one, nor over a line, at scale ${scale}`, () =>
        Effect.gen(function* () {
          const ticker = yield* openOverlay(`laps?session_id=1&limit=1&idle=keep&scale=${scale}`, 420, 520)
          yield* Web.becomes(ticker.page, APART)
          const wide = yield* openOverlay(`sectors?session_id=${DRIVEN}&scale=${scale}`, 560, 120)
          yield* Web.becomes(wide.page, ABOVE_LINES)
          const tall = yield* openOverlay(`sectors?session_id=${DRIVEN}&scale=${scale}`, 420, 520)
          yield* Web.becomes(tall.page, ABOVE_LINES)
          expect([...ticker.complaints, ...wide.complaints, ...tall.complaints]).toEqual([])
        })
      )
    }

    it.scoped("cut nothing off in any frame when a second rig comes", () =>
      Effect.gen(function* () {
        const { service } = yield* Circled
        const { complaints, page } = yield* openOverlay(`versus?session_id=${DRIVEN}&scale=4`, 760, 240)
        yield* Web.becomes(page, `/[0-9]/.test(document.querySelector(".rig .now b")?.textContent)`)
        yield* Effect.promise(() => page.evaluate(WATCH))
        const rival = "Maximilian Featherstonehaugh-Larsen"
        yield* Box.connect(service, yield* Box.startSimulator("--driver", rival))
        yield* Web.see(page, rival)
        // Its clock and its speed come after its name; by then texts are shrunk to fit.
        yield* Web.becomes(page, `/[0-9]/.test(document.querySelectorAll(".rig .now b")[4]?.textContent)`)
        const drawn = yield* Effect.promise(() => page.evaluate<number>("pictures"))
        yield* Web.becomes(page, `pictures > ${drawn + 20}`)
        expect(yield* Effect.promise(() => page.evaluate<number>("clipped"))).toBe(0)
        expect(complaints).toEqual([])
      })
    )

    it.scoped("claim no lap, no track and no end of the revolutions before they are known", () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Circled
        const { page } = yield* Web.open(browser, service, "/statistics")
        const released = yield* Deferred.make<void>()
        yield* Effect.promise(() =>
          page.route(/trpc\/.*laps/, async (route) => {
            await Effect.runPromise(Deferred.await(released))
            await route.continue()
          })
        )
        const items = "timer,0,0,40,40;laps,0,50,40,20;map,50,0,40,40;gauges,50,50,40,40"
        yield* Effect.promise(() =>
          page.goto(`${service.address}/overlay/layout?session_id=${DRIVEN}&items=${items}`)
        )
        yield* Web.becomes(page, `/[0-9]/.test(document.querySelector(".dial-speed")?.textContent)`)
        // The driven line is drawn each second, if at all.
        yield* Effect.promise(() => page.waitForTimeout(1500))
        const texts = (selector: string) =>
          Effect.promise(() => page.locator(selector).evaluateAll((all) => all.map((one) => one.textContent)))
        expect([yield* texts(".timer-label"), yield* texts(".laps-none")]).toEqual([["Lap –"], []])
        expect(yield* Effect.promise(() => page.evaluate(IS_MAP_DRAWN))).toBe(false)
        yield* Web.becomes(
          page,
          `document.querySelector(".dial-value[data-unknown=true][data-shift=false]") !== null`
        )
        // An unknown delta is not a gain.
        yield* Web.becomes(page, `document.querySelector(".timer-delta:not(.gain):not(.loss)") !== null`)
        yield* Deferred.succeed(released, undefined)
        yield* Web.see(page, "First lap")
        expect(yield* texts(".timer-label")).toEqual(["Lap 1"])
        yield* Web.becomes(page, IS_MAP_DRAWN)
      })
    )

    it.scoped("cut a long name of a circuit, and keep the size of their text", () =>
      Effect.gen(function* () {
        const long = encodeURIComponent("The Grand Circuit of ".repeat(6))
        const { page } = yield* openOverlay(`board?circuit=${long}`, 420, 340)
        yield* Web.see(page, "No lap yet")
        yield* Web.becomes(
          page,
          `(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth)(document.querySelector(".board-title"))`
        )
        // Texts are fitted five times a second.
        yield* Effect.promise(() => page.waitForTimeout(500))
        const fit = Effect.promise(() =>
          page.evaluate<string>(`document.querySelector(".content").style.getPropertyValue("--fit") || "1"`)
        )
        expect(yield* fit).toBe("1")
      })
    )

    it.scoped("show that there is no lap yet", () =>
      Effect.gen(function* () {
        const { page } = yield* openOverlay("board?circuit=Elsewhere", 420, 340)
        yield* Web.see(page, "No lap yet")
      })
    )
  })
})
