/** Pages and overlays follow when a lap is corrected or taken back, and when a session has other names. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../support/processes.ts"
import { serviceInside } from "../support/inside.ts"
import { storeDrive } from "../api/stored.ts"
import { needing } from "../support/needing.ts"
import * as Web from "../support/pages.ts"

/** A session whose second of four laps is its best, and later messages of its simulator. */
const driven = Effect.gen(function* () {
  const running = yield* serviceInside()
  const { laps, session } = yield* storeDrive(running, { count: 3600, laps: 4, lapPoints: 900 })
  const change = Effect.fnUntraced(function* (how: Parameters<typeof running.catalog.changeLap>[2]) {
    const lap = yield* running.catalog.changeLap(session.id, laps[1]!.startTime, how)
    running.hub.announce({
      type: "lap",
      sessionId: session.id,
      data: lap!,
      changed: ["lap_time", "valid", "withdrawn"]
    })
  })
  const rename = Effect.fnUntraced(function* (driver: string) {
    const data = yield* running.catalog.renameSession(session.id, { ...session, driver })
    running.hub.announce({ type: "session", sessionId: session.id, data, changed: ["driver"] })
  })
  yield* change({ lapTime: 14.5 })
  const browser = yield* Web.browser
  const open = (path: string, width = 1280, height = 800) =>
    Effect.gen(function* () {
      const opened = yield* Web.open(browser, { address: running.url }, path, { viewport: { width, height } })
      yield* Web.becomes(opened.page, `document.body.textContent.includes("14.5")`)
      return opened
    })
  /** Waits until so many clients listen, since a page does not get earlier events. */
  const listening = (count: number) => until(running.subscribers, (found) => found >= count)
  return { change, rename, open, listening }
}).pipe(Effect.orDie)

/** The texts of lap 2's row, and of all elements marked as the best. */
const row = (text: string) =>
  `[...document.querySelectorAll("tbody tr")].some((row) =>
    row.children[0].textContent === "2" && row.textContent.includes(${JSON.stringify(text)}) && !row.querySelector(".best"))`

/** The text of lap 2's row in the table of its session. */
const second = (text: string) =>
  `document.querySelectorAll("table.laps tbody tr")[1].textContent.includes(${JSON.stringify(text)})`

/** Whether a page has the first text, and not the second. */
const has = (text: string, not: string) =>
  `document.body.textContent.includes("${text}") && !document.body.textContent.includes("${not}")`

describe("a lap that is corrected while it is shown", needing(Web.browserHere), () => {
  it.scopedLive("changes in the live page's table, and is not the best once it is taken back", () =>
    Effect.gen(function* () {
      const { change, listening, open, rename } = yield* driven
      const { complaints, page } = yield* open("/?session_id=1")
      yield* listening(1)
      yield* change({ lapTime: 14.25 })
      yield* Web.becomes(page, `document.querySelector(".area-laps td.best").textContent.includes("14.250")`)
      yield* change({ withdrawn: true })
      yield* Web.becomes(page, row("taken back"))
      yield* Web.becomes(page, `document.querySelector(".timing dd.gain").textContent === "15.000"`)
      yield* rename("Zoë Late")
      yield* Web.see(page, /Zoë Late/)
      expect(complaints).toEqual([])
    })
  )

  it.scopedLive(
    "is neither the best nor a delta's reference in overlays, and its session has its new names",
    () =>
      Effect.gen(function* () {
        const { change, listening, open, rename } = yield* driven
        const timer = yield* open("/overlay/timer?session_id=1&idle=keep", 640, 200)
        const ticker = yield* open("/overlay/laps?session_id=1&idle=keep&limit=4", 900, 90)
        const board = yield* open("/overlay/board?session_id=1&idle=keep", 420, 340)
        const versus = yield* open("/overlay/versus?session_id=1&idle=keep", 760, 240)
        yield* listening(4)
        yield* change({ withdrawn: true })
        yield* Web.becomes(timer.page, has("Best 15.000", "14.5"))
        yield* Web.becomes(ticker.page, has("taken back", "14.500best"))
        yield* Web.becomes(board.page, has("15.000", "14.5"))
        yield* Web.becomes(versus.page, has("Best 15.000", "14.5"))
        yield* rename("Zoë Late")
        yield* Web.see(versus.page, "Zoë Late")
        for (const { complaints } of [timer, ticker, board, versus]) expect(complaints).toEqual([])
      })
  )

  it.scopedLive("changes on its session's page, whose analyses are asked for again, one at a time", () =>
    Effect.gen(function* () {
      const { change, listening, open, rename } = yield* driven
      const { complaints, page } = yield* open("/sessions/1")
      yield* Web.becomes(page, `!document.body.textContent.includes("Loading")`)
      yield* listening(1)
      const waiting: Array<() => void> = []
      const asked: Array<string> = []
      yield* Effect.promise(() =>
        page.route(/trpc/, async (route) => {
          const name = new URL(route.request().url()).pathname
          if (!name.includes("analysis.")) return route.continue()
          asked.push(...name.split("/").at(-1)!.split(","))
          await new Promise<void>((go) => waiting.push(go))
          return route.continue()
        })
      )
      yield* change({ lapTime: 14.25 })
      yield* Web.becomes(page, second("14.250"))
      const each = ["analysis.anomalies", "analysis.consistency", "analysis.predictions"]
      const asking = Effect.sync(() => asked.toSorted().join())
      yield* until(asking, (names) => names === each.join())
      yield* change({ withdrawn: true })
      yield* Web.becomes(page, second("taken back"))
      yield* rename("Zoë Late")
      yield* Web.see(page, /Zoë Late/)
      // The analyses under way are of the laps before, and the next ones wait for them.
      expect(asked.toSorted()).toEqual(each)
      for (const go of waiting.splice(0)) go()
      yield* until(asking, (names) => names === [...each, ...each].toSorted().join())
      for (const go of waiting.splice(0)) go()
      expect(complaints).toEqual([])
    })
  )

  it.scopedLive("is marked as taken back on its session's page", () =>
    Effect.gen(function* () {
      const { change, open } = yield* driven
      yield* change({ withdrawn: true })
      const { page } = yield* open("/sessions/1")
      yield* Web.see(page, "taken back")
      yield* Web.becomes(
        page,
        `[...document.querySelectorAll("tr")].some((row) =>
          row.querySelector(".best")?.textContent === "15.000" && !row.textContent.includes("taken back"))`
      )
      yield* Web.see(page, "3 valid")
    })
  )
})
