/**
 * The cost of the pages in a real browser (Chromium, no graphics card): the live page while a simulator sends 60 Hz,
 * compared with an empty page that requests every frame; and the time until a comparison of two laps of 6,000 points
 * can be used, compared with a page of a session's table. Every run has a browser and a service of its own; a
 * comparison is the first request of both.
 *
 *   npm run bench -- pages        (SECONDS, RUNS, CHROMIUM, ONLY=part of a title by environment)
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Locator, Page } from "playwright-core"
import { lap, pointsText, session, sessionEnd } from "../simulator/feed/messages.ts"
import { circuitNamed } from "../simulator/model/Circuit.ts"
import { SimulatedDrive } from "../simulator/model/SimulatedDrive.ts"
import { vehicles } from "../simulator/model/vehicles.ts"
import { browsing, hasBrowser, openLive } from "./suite/browsing.ts"
import { compare, type Figures, scaled, smoke, wanted } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"
import { type Service, untilQuiet } from "./suite/programs.ts"
import { simulated } from "./suite/simulated.ts"

const SECONDS = setting("SECONDS", scaled(10, 1))
/** By then, work that is left over from loading is done. */
const SETTLE_MS = scaled(6000, 500)
/** The time that a user takes to choose two laps on a session's page. */
const LOOKED_AT_MS = scaled(2000, 0)
const LAPS = 2
const LAP_POINTS = scaled(6000, 300)
const POINTS_A_MESSAGE = 500
const RATE = "frames a second"
const RENDERER = "% of a core, renderer"
const USABLE = "ms until usable"

/** Laps of some 6,000 points each, as a recording that can be replayed. */
const writeDrive = (file: string) => {
  const circuit = circuitNamed("Hollin Moor")!
  const drive = new SimulatedDrive({ circuit, vehicle: vehicles[0]!, seed: 1 })
  const rate = LAP_POINTS / drive.lap(1).lapTime
  const facts = {
    circuit: circuit.name,
    vehicle: "bench",
    driver: "bench",
    start_time: 1_700_000_000,
    circuit_length: circuit.length,
    start_line: circuit.startLine
  }
  const lines = [session(facts, false)]
  let sequence = 0
  for (let number = 1; number <= LAPS; number++) {
    const driven = drive.lap(number)
    for (const end = Math.ceil(driven.end * rate); sequence < end;) {
      const count = Math.min(POINTS_A_MESSAGE, end - sequence)
      lines.push(pointsText(sequence, drive.points(sequence, count, rate)))
      sequence += count
    }
    lines.push(lap(driven))
  }
  writeFileSync(file, [...lines, sessionEnd].join("\n"))
}

/** The laps' ids, once all laps have been recorded. */
const lapsOf = async ({ url }: Service): Promise<ReadonlyArray<number>> => {
  for (;;) {
    const answer = await fetch(`${url}/api/v1/1/laps`)
    const laps = answer.ok ? ((await answer.json()) as ReadonlyArray<{ readonly id: number }>) : []
    if (laps.length === LAPS) return laps.map(({ id }) => id)
    await sleep(20)
  }
}

interface Processes {
  readonly processInfo: ReadonlyArray<{ readonly type: string; readonly cpuTime: number }>
}

/** The frames that a page gets, and the CPU of its process and the browser's other processes. */
const watched = async (page: Page): Promise<Figures> => {
  const debug = await page.context().browser()!.newBrowserCDPSession()
  const cpu = async () => {
    const { processInfo } = (await debug.send("SystemInfo.getProcessInfo")) as Processes
    const sum = (renderers: boolean) =>
      processInfo
        .filter(({ type }) => (type === "renderer") === renderers)
        .reduce((total, { cpuTime }) => total + cpuTime, 0)
    return { renderer: sum(true), others: sum(false) }
  }
  await sleep(SETTLE_MS)
  const before = await cpu()
  await sleep(SECONDS * 1000)
  const after = await cpu()
  // Done only now, because counting frames takes time of the page. It is text because it runs in the browser and not in
  // Node.
  const { frames, longest, seconds } = await page.evaluate<{
    readonly frames: number
    readonly longest: number
    readonly seconds: number
  }>(`new Promise((resolve) => {
    const begin = performance.now()
    let frames = 0, longest = 0, last = begin
    const frame = (now) => {
      frames++
      longest = Math.max(longest, now - last)
      last = now
      if (now - begin < ${SECONDS * 1000}) requestAnimationFrame(frame)
      else resolve({ frames, longest, seconds: (now - begin) / 1000 })
    }
    requestAnimationFrame(frame)
  })`)
  return {
    [RATE]: frames / seconds,
    "ms between frames, at most": longest,
    [RENDERER]: ((after.renderer - before.renderer) / SECONDS) * 100,
    "% of a core, rest of the browser": ((after.others - before.others) / SECONDS) * 100
  }
}

const livePage = async () => {
  const { service, simulator } = await simulated("--rate", "60")
  const figures = await browsing(async (page) => {
    await openLive(page, service.url)
    return watched(page)
  })
  await Promise.all([service.stop(), simulator.stop()])
  return figures
}

const emptyPage = () =>
  browsing(async (page) => {
    await page.goto("data:text/html,<title>empty</title>")
    return watched(page)
  })

interface Shown {
  readonly pathOf: (laps: ReadonlyArray<number>) => string
  /** An element that appears when the whole page is there. */
  readonly sign: (page: Page) => Locator
}

const comparison: Shown = {
  pathOf: (laps) => `/compare?laps=${laps.join(",")}`,
  sign: (page) => page.getByText("Where the time went").first()
}

const sessionPage: Shown = {
  pathOf: () => "/sessions/1",
  sign: (page) => page.locator("tbody tr").nth(LAPS - 1)
}

/**
 * A page of the recorded session, from the request until all of it is there; `before`: a page that was opened first.
 */
const opened = async (shown: Shown, before?: Shown): Promise<Figures> => {
  const folder = mkdtempSync(join(tmpdir(), "telemetry-bench-"))
  const file = join(folder, "drive.ndjson")
  writeDrive(file)
  const { service, simulator } = await simulated("--replay", file, "--speed", "max")
  const laps = await lapsOf(service)
  await untilQuiet(service)
  const took = await browsing(async (page) => {
    const look = async ({ pathOf, sign }: Shown) => {
      await page.goto(service.url + pathOf(laps))
      await sign(page).waitFor()
    }
    if (before !== undefined) {
      await look(before)
      await sleep(LOOKED_AT_MS)
    }
    const begin = performance.now()
    await look(shown)
    return performance.now() - begin
  })
  await Promise.all([service.stop(), simulator.stop()])
  rmSync(folder, { recursive: true })
  return { [USABLE]: took }
}

const LIVE = "live page"
const EMPTY = "empty page"
const FIRST = "in a browser just started"
const NEXT = "from the session's page"
const TABLE = "the session's page itself"

const liveTitle = `a simulator at 60 Hz, watched for ${SECONDS} s`
const compareTitle = `the first comparison of ${LAPS} laps of ${LAP_POINTS} points`

if (!hasBrowser) {
  console.log("pages is skipped: there is no Chromium on PATH, nor where CHROMIUM says")
} else {
  if (wanted(liveTitle)) {
    await compare({
      title: liveTitle,
      subjects: [
        { name: LIVE, run: livePage },
        { name: EMPTY, run: emptyPage }
      ],
      ratios: [{ figure: RATE, of: LIVE, to: EMPTY, goal: { least: 0.98 } }]
    })
  }
  if (wanted(compareTitle)) {
    await compare({
      title: compareTitle,
      subjects: [
        // In smoke runs, one comparison checks as much as the other.
        ...(smoke ? [] : [{ name: FIRST, run: () => opened(comparison) }]),
        { name: NEXT, run: () => opened(comparison, sessionPage) },
        { name: TABLE, run: () => opened(sessionPage) }
      ],
      ratios: [...(smoke ? [] : [FIRST]), NEXT].map((of) => ({ figure: USABLE, of, to: TABLE }))
    })
  }
}
