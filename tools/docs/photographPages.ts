/**
 * Takes README's pictures of the pages, with a real recording. `npm run build && npm run node tools/docs/photographPages.ts`; needs
 * Chromium and the recordings in ../shared/data.
 */
import { statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Console, Effect } from "effect"
import * as Box from "../../test/support/processes.ts"
import * as Web from "../../test/support/pages.ts"

const RECORDING = "ams2-road-america"
/** Laps driven before the live page is photographed, and the speed as a factor of real time. */
const LAPS_DRIVEN = 4
const SPEED = "24"
/** Limit for the size of pictures in the repository. */
const MAX_BYTES = 200_000

const shoot = (page: Web.Opened["page"], name: string) =>
  Effect.promise(async () => {
    const path = fileURLToPath(new URL(`../../docs/pages/${name}.png`, import.meta.url))
    await page.screenshot({ path })
    const { size } = statSync(path)
    if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes, which is over ${MAX_BYTES}`)
    return `${path}: ${size} bytes`
  })

const lapsOf = (service: Box.Running) =>
  Effect.map(
    Box.get<ReadonlyArray<{ readonly id: number; readonly lap_number: number }>>(service, "/1/laps"),
    (laps) => new Map(laps.map((lap) => [lap.lap_number, lap.id]))
  )

const comparePage = Effect.gen(function* () {
  const service = yield* Box.startService(yield* Box.folder)
  const simulator = yield* Box.startSimulator("--replay", Box.recordingFile(RECORDING), "--speed", "max")
  yield* Box.replayed(service, simulator, Box.readRecording(RECORDING).points.length)
  const laps = yield* lapsOf(service)
  const browser = yield* Web.browser
  const { page } = yield* Web.open(browser, service, `/compare?laps=${laps.get(14)},${laps.get(17)}`, {
    colorScheme: "dark",
    viewport: { width: 1280, height: 960 }
  })
  yield* Web.see(page, /Corner 6 /)
  // Moves to the slowest place of corner 6, so that plots, map and readout show the same.
  yield* Effect.promise(() =>
    page
      .locator(".u-over")
      .first()
      .hover({ position: { x: 368, y: 60 } })
  )
  yield* Web.see(page, /^At [\d,]+ m$/)
  yield* Console.log(yield* shoot(page, "compare"))
})

const livePage = Effect.gen(function* () {
  const service = yield* Box.startService(yield* Box.folder)
  const simulator = yield* Box.startSimulator("--replay", Box.recordingFile(RECORDING), "--speed", SPEED)
  const browser = yield* Web.browser
  const { page } = yield* Web.open(browser, service, "/", {
    colorScheme: "dark",
    viewport: { width: 1280, height: 860 }
  })
  yield* Box.connect(service, simulator)
  yield* Web.becomes(page, `document.querySelectorAll(".area-laps tbody tr").length >= ${LAPS_DRIVEN}`)
  yield* Web.becomes(page, `/\\d/.test(document.querySelector(".timing .delta")?.textContent ?? "")`)
  // In the middle of a lap.
  yield* Web.becomes(page, `/^[45][0-9][.][0-9]$/.test(document.querySelector(".clock").textContent)`)
  yield* Console.log(yield* shoot(page, "live"))
})

await Effect.runPromise(
  Effect.scoped(comparePage).pipe(Effect.zipRight(Effect.scoped(livePage)), Effect.withConcurrency(1))
)
