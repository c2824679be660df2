/** Numbers in another language and unit outside of tables: in the service's sentences, and on the axes of plots. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

const RECORDING = "ac-lime-rock"

/** Lap ids by lap number. */
const Driven = Web.shared(
  "test/Driven",
  Effect.gen(function* () {
    const service = yield* Drives.emptyService
    const { laps } = yield* Drives.recording(service, RECORDING)
    return { service, laps }
  })
)

type Page = Web.Opened["page"]

const GERMAN_MILES = JSON.stringify({ speed: "mph", temperature: "°F", zone: "UTC", language: "de" })

/** A page in miles and with commas, which keeps the texts of its canvases. */
const openGerman = Effect.fn(function* (path: string) {
  const { browser, service } = yield* Driven
  const opened = yield* Web.open(browser, service, "/settings")
  yield* Effect.promise(async () => {
    await opened.page.addInitScript(`
      localStorage.setItem("settings", ${JSON.stringify(GERMAN_MILES)})
      globalThis.written = new Set()
      const { fillText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        written.add(text)
        return fillText.call(this, text, ...place)
      }`)
    await opened.page.goto(service.address + path)
  })
  return opened
})

const written = (page: Page) =>
  Effect.promise(() => page.evaluate<ReadonlyArray<string>>("[...globalThis.written]"))

/** The speeds in a text of the page or the service: before each unit one, or two that are held against each other. */
const speedsIn = (text: string, unit: string) =>
  [...text.matchAll(new RegExp(`(?:(\\d+) against )?(\\d+) ${unit}`, "g"))].flatMap(([, ...speeds]) =>
    speeds.flatMap((speed) => (speed === undefined ? [] : Number(speed)))
  )

interface Reported {
  readonly losses: ReadonlyArray<{ readonly sentence: string }>
}

describe("numbers in the chosen language and unit", needing(Web.browserHere, recordingsHere), () => {
  layer(Driven.layer, { excludeTestServices: true })((it) => {
    it.scoped("are also those of a comparison's sentences and axes", () =>
      Effect.gen(function* () {
        const { laps, service } = yield* Driven
        const [one, other] = [7, 3].map((number) => laps.get(number)!)
        const { losses } = yield* Box.get<Reported>(service, `/compare?lap_ids=${one},${other}`)
        const { sentence } = losses.find((loss) => /against.* km\/h/.test(loss.sentence))!
        const { complaints, page } = yield* openGerman(`/compare?laps=${one},${other}`)
        const row = page.locator(".losses li", { hasText: sentence.split(":")[0]! }).first()
        const text = yield* Effect.promise(() => row.innerText())
        const metric = speedsIn(sentence, "km/h")
        const shown = speedsIn(text, "mph")
        expect(shown).toHaveLength(metric.length)
        for (const [k, speed] of shown.entries()) {
          expect(Math.abs(speed - metric[k]! / 1.609344)).toBeLessThanOrEqual(0.5)
        }
        expect(text).toMatch(/ and loses \d+,\d+ s\.$/)
        yield* Web.becomes(page, `[...globalThis.written].some((text) => /^\\d,\\d/.test(text))`)
        expect((yield* written(page)).filter((text) => /\d\.\d|-\d/.test(text))).toEqual([])
        expect(complaints).toEqual([])
      })
    )

    it.scoped("are also those of a session's incidents, and of their cost", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* openGerman("/sessions/1")
        // Others are signs of an incident with another sentence, and hidden.
        const sentence = /Lap 13 was \d+ mph slower than usual/
        yield* Web.see(page, sentence)
        const row = page.getByRole("row", { name: sentence })
        const text = yield* Effect.promise(() => row.innerText())
        expect(text).toMatch(/ lost \d+,\d+ s /)
        expect(text).toMatch(/\d+,\d+ ± \d+,\d+ s/)
        expect(text).not.toMatch(/\d\.\d/)
        expect(complaints).toEqual([])
      })
    )

    it.scoped("are also those of the live strips' axes", () =>
      Effect.gen(function* () {
        const { service } = yield* Driven
        const { complaints, page } = yield* openGerman("/")
        yield* Box.connect(service, yield* Box.startSimulator())
        // Texts of the throttle's axis, and of the time's, which only the last strip has.
        yield* Web.becomes(page, `globalThis.written.has("0,5") && globalThis.written.has("−60 s")`)
        const texts = yield* written(page)
        expect(texts.filter((text) => /\d\.\d|-\d/.test(text))).toEqual([])
        expect(complaints).toEqual([])
      })
    )
  })
})
