/** Overlays in the browser of OBS 28 to 30.2, which is Chromium 103: without later features of scripts and styles. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { overlays } from "../../web/src/overlays/catalog.ts"
import { serviceInside } from "../support/inside.ts"
import { storeDrive } from "../api/stored.ts"
import { needing } from "../support/needing.ts"
import * as Web from "../support/pages.ts"

/** Removes the features that Chromium got after version 103. */
const TAKE_AWAY = `
  for (const of of [Array, Object.getPrototypeOf(Uint8Array)]) {
    for (const name of ["toSorted", "toReversed", "toSpliced", "with"]) delete of.prototype[name]
  }
  for (const name of ["fromAsync"]) delete Array[name]
  for (const of of [Object, Map]) delete of.groupBy
  for (const name of ["withResolvers", "try"]) delete Promise[name]
  for (const name of ["union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isSupersetOf", "isDisjointFrom"]) {
    delete Set.prototype[name]
  }
  for (const name of ["isWellFormed", "toWellFormed"]) delete String.prototype[name]
  for (const name of ["canParse", "parse"]) delete URL[name]
  delete AbortSignal.any
  delete ReadableStream.from
  delete ReadableStream.prototype[Symbol.asyncIterator]
  for (const name of ["map", "filter", "take", "drop", "flatMap", "reduce", "toArray", "forEach", "some", "every", "find"]) {
    delete Iterator.prototype[name]
  }
  delete globalThis.Iterator
  delete globalThis.scheduler
`

/** Features that styles may not use, with the version of Chromium that introduced them. */
const tooNew: ReadonlyArray<readonly [name: string, since: number, found: RegExp]> = [
  ["container queries", 105, /@container|container(-type|-name)?:/],
  ["container units", 105, /\dcq(w|h|i|b|min|max)\b/],
  [":has()", 105, /:has\(/],
  ["color-mix()", 111, /color-mix\(/],
  ["nesting", 112, /[{;]\s*&/],
  ["dynamic viewports", 108, /\d[dsl]v(w|h|i|b|min|max)\b/],
  ["ranges of media queries", 104, /@media[^{]*[<>]/],
  ["individual transforms", 104, /[{;]\s*(translate|rotate|scale):/],
  ["subgrid", 117, /subgrid/],
  ["@scope, @starting-style", 117, /@scope|@starting-style/],
  ["colours of wider spaces", 111, /\b(oklch|oklab|lch|lab|color)\(/],
  ["light-dark()", 123, /light-dark\(/],
  ["text-wrap", 114, /text-wrap/],
  ["functions of numbers", 104, /[^-\w](round|mod|rem|sin|cos|tan|hypot|sqrt|abs|sign)\(/]
]

const built = fileURLToPath(new URL("../../web/dist/", import.meta.url))

describe("styles of overlays", () => {
  it("use no feature newer than Chromium 103", () => {
    const sheets = readdirSync(`${built}assets`).filter((name) => /^overlay-.*\.css$/.test(name))
    expect(sheets).toHaveLength(1)
    const css = readFileSync(`${built}assets/${sheets[0]}`, "utf8")
    // If the feature is guarded, a browser without it uses the line before.
    const found = tooNew
      .filter(([, , pattern]) => pattern.test(css))
      .map(([name, since]) => `${name} (${since})`)
    expect(found).toEqual([])
  })

  it("with a newer feature would be found", () => {
    const samples = [
      "@container (width > 1px){",
      "a{width:4cqw}",
      "a:has(b){}",
      "a{color:color-mix(in srgb,red,blue)}",
      "a{&b{}}",
      "a{height:100dvh}",
      "@media (width<=1px){}",
      "a{rotate:4deg}"
    ]
    for (const [k, sample] of samples.entries())
      expect([sample, tooNew[k]![2].test(sample)]).toEqual([sample, true])
  })
})

/** Whether the overlay shows its content: a text, a drawing, or lines on a canvas. */
const DRAWN = `(() => {
  const content = document.querySelector(".content")
  if (content === null || content.clientWidth === 0) return false
  const isPainted = (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
    return data.some((value, k) => k % 4 === 3 && value > 0)
  }
  const texts = content.textContent.trim() !== "" && parseFloat(getComputedStyle(content).fontSize) >= 4
  return texts || content.querySelector("svg") !== null ||
    [...content.querySelectorAll("canvas")].some((canvas) => canvas.width > 0 && isPainted(canvas))
})()`

/** These overlays show a simulator's channels once it drives; their text has a size before. */
const SHOWN_LATER: ReadonlySet<string> = new Set(["tyres", "fuel"])
const SIZED = `parseFloat(getComputedStyle(document.querySelector(".content")).fontSize) > 6`

describe("overlays in Chromium 103", needing(Web.browserHere), () => {
  it.scopedLive("draw the same as in a newer one, each alone and several in a layout", () =>
    Effect.gen(function* () {
      const running = yield* serviceInside()
      yield* storeDrive(running, { count: 3600, laps: 4, lapPoints: 900 })
      const browser = yield* Web.browser
      const service = { address: running.url }
      for (const { name, tall, wide } of overlays) {
        const viewport = { width: wide[0], height: wide[1] }
        const path = `/overlay/${name}?session_id=1&idle=keep`
        const { complaints, page } = yield* Web.open(browser, service, path, { viewport }, TAKE_AWAY)
        for (const [width, height] of [wide, tall]) {
          yield* Effect.promise(() => page.setViewportSize({ width, height }))
          yield* Web.becomes(
            page,
            `document.querySelector(".frame")?.style.getPropertyValue("--w") === "${width / 100}px"`
          )
          yield* Web.becomes(page, SHOWN_LATER.has(name) ? SIZED : DRAWN)
        }
        expect([name, complaints]).toEqual([name, []])
      }
      const items = "laps,0,0,50,20;timer,0,50,50,50"
      const layout = yield* Web.open(
        browser,
        service,
        `/overlay/layout?session_id=1&idle=keep&items=${encodeURIComponent(items)}`,
        { viewport: { width: 1920, height: 1080 } },
        TAKE_AWAY
      )
      yield* Web.becomes(layout.page, `document.querySelectorAll(".laps li").length === 4`)
      // Each is sized by its place.
      yield* Web.becomes(
        layout.page,
        `[...document.querySelectorAll(".frame")].map((frame) => frame.style.getPropertyValue("--w")).join() === "9.6px,9.6px"`
      )
      expect(layout.complaints).toEqual([])
    })
  )

  it.scopedLive("show their requirements in a browser that does not run them", () =>
    Effect.gen(function* () {
      const running = yield* serviceInside()
      const browser = yield* Web.browser
      const { page } = yield* Web.open(browser, { address: running.url }, "/overlay/timer", {
        javaScriptEnabled: false
      })
      yield* Web.see(page, /too old for overlays/)
    })
  )
})
