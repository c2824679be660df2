/** The page that imports files: every state of a file, by pointer, keyboard and drop, at two sizes. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { fileReaders } from "../../src/imports/fileReaders.ts"
import { LDX } from "../../src/imports/companions.ts"
import { ENDINGS } from "../../web/src/imports/endings.ts"
import { recordingText, session, textOf } from "../imports/recordingText.ts"
import { needing } from "../support/needing.ts"
import * as Web from "../support/pages.ts"
import * as Box from "../support/processes.ts"
import { seriousFindings } from "./accessible.ts"

/** Where pictures of the states are to be left, for people. */
const pictures = process.env["TELEMETRY_TEST_PICTURES"]

const WIDE = { width: 1280, height: 720 }
const PHONE = { width: 390, height: 844 }

/** Checks the page at both sizes. */
const look = Effect.fn(function* (page: Page, state: string) {
  for (const [name, viewport] of Object.entries({ wide: WIDE, phone: PHONE })) {
    yield* Effect.promise(() => page.setViewportSize(viewport))
    if (pictures !== undefined && existsSync(pictures)) {
      yield* Effect.promise(() => page.screenshot({ path: join(pictures, `${state}-${name}.png`) }))
    }
    expect([state, name, yield* seriousFindings(page)]).toEqual([state, name, []])
    const width = yield* Effect.promise(() => page.evaluate<number>("document.documentElement.scrollWidth"))
    expect([state, name, width <= viewport.width]).toEqual([state, name, true])
  }
  yield* Effect.promise(() => page.setViewportSize(WIDE))
})

const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name })

const choose = (page: Page, label: string, files: string | ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      // By keyboard.
      page.getByRole("button", { name: label }).press("Enter")
    ])
    await chooser.setFiles(typeof files === "string" ? files : [...files])
  })

it("folders are searched by the endings of all readers", () => {
  expect(new Set(ENDINGS)).toEqual(new Set([...fileReaders.flatMap(({ endings }) => endings), LDX.ending]))
})

describe("the import page", needing(Web.browserHere), () => {
  it.scopedLive("imports files and folders, shows what became of each, and sends a broken one again", () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const path = (name: string, text: string) => {
        writeFileSync(join(folder, name), text)
        return join(folder, name)
      }
      mkdirSync(join(folder, "logs"))
      path("logs/two.ndjson", recordingText(2, "Bea"))
      path("logs/readme.txt", "left out")
      const one = path("one.ndjson", recordingText(20))
      const cut = path("cut.ndjson", recordingText(2, "Cleo").slice(0, -20))
      const notes = path("notes.txt", "no telemetry")
      const empty = path("empty.ndjson", textOf([session]))
      const service = yield* Box.startService(join(folder, "data"))
      const browser = yield* Web.browser
      const { complaints, page } = yield* Web.open(browser, service, "/", { viewport: WIDE })
      yield* Effect.promise(() => page.getByRole("link", { name: "Import", exact: true }).click())
      yield* Web.see(page, "Drop files or folders here")
      yield* look(page, "empty")
      yield* choose(page, "Choose files", [one, cut, notes, empty])
      yield* Web.see(page, "4 of 4 done")
      yield* Effect.promise(() =>
        row(page, "one.ndjson")
          .getByRole("link", { name: /Spa.* · GT3 · Anna/ })
          .waitFor()
      )
      yield* Effect.promise(() => row(page, "cut.ndjson").getByText("Partly: The file ends within").waitFor())
      yield* Effect.promise(() => row(page, "empty.ndjson").getByText("The file has no rows").waitFor())
      yield* Effect.promise(() => row(page, "notes.txt").getByText("of no known format").waitFor())
      yield* look(page, "done")
      yield* Effect.promise(() => page.getByRole("button", { name: "Import notes.txt again" }).press("Enter"))
      yield* Web.see(page, "4 of 4 done")
      yield* choose(page, "Choose a folder", join(folder, "logs"))
      yield* Web.see(page, "5 of 5 done")
      expect(yield* Box.get(service, "/sessions")).toMatchObject({ total: 3 })
      // The same bytes have the same session.
      yield* choose(page, "Choose files", one)
      yield* Web.see(page, "6 of 6 done")
      yield* Web.see(page, "Imported before: nothing is stored twice")
      expect(yield* Box.get(service, "/sessions")).toMatchObject({ total: 3 })
      yield* look(page, "duplicate")
      // The refused file is an answer that the browser logs.
      expect(complaints.filter((text) => !text.includes("415"))).toEqual([])
      yield* Effect.promise(() => row(page, "one.ndjson").first().getByRole("link").click())
      yield* Web.see(page, "Spa")
      expect(new URL(page.url()).pathname).toMatch(/^\/sessions\/\d+$/)
    })
  )

  it.scopedLive(
    "takes files dropped on the sessions, shows progress, and asks before the document is left",
    () =>
      Effect.gen(function* () {
        const service = yield* Box.startService(yield* Box.folder)
        const { page } = yield* Web.open(yield* Web.browser, service, "/sessions", { viewport: WIDE })
        yield* Web.see(page, "Drop files of other programs here")
        // The rest of each file is held back until the test lets it go.
        const held: Array<() => void> = []
        yield* Effect.promise(() =>
          page.route("**/api/v1/imports/*", async (route) => {
            if (route.request().method() === "PATCH") await new Promise<void>((go) => held.push(go))
            await route.continue()
          })
        )
        const drop = (name: string, text: string) =>
          Effect.promise(async () => {
            const transfer = await page.evaluateHandle(
              `(() => {
              const data = new DataTransfer()
              data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}))
              return data
            })()`
            )
            await page.locator(".drop").dispatchEvent("dragover", { dataTransfer: transfer })
            await page.locator(".drop").dispatchEvent("drop", { dataTransfer: transfer })
          })
        yield* drop("large.ndjson", recordingText(20))
        yield* Web.see(page, "0 of 1 done")
        yield* drop("other.ndjson", recordingText(20, "Bea"))
        yield* drop("third.ndjson", recordingText(1, "Cleo"))
        yield* Box.until(
          Effect.sync(() => held.length),
          (count) => count === 2
        )
        // Two at a time.
        expect(yield* Effect.promise(() => row(page, "third.ndjson").textContent())).toContain("Waiting")
        yield* look(page, "sending")
        const asked = page.waitForEvent("dialog")
        yield* Effect.promise(async () => {
          const closing = page.close({ runBeforeUnload: true })
          const dialog = await asked
          expect(dialog.type()).toBe("beforeunload")
          await dialog.dismiss()
          await closing
        })
        yield* Effect.promise(() => page.getByRole("button", { name: "Cancel other.ndjson" }).click())
        for (const go of held) go()
        yield* Web.see(page, "3 of 3 done")
        yield* Effect.promise(() => row(page, "other.ndjson").getByText("It was cancelled").waitFor())
        expect(yield* Box.get(service, "/sessions")).toMatchObject({ total: 2 })
        yield* look(page, "cancelled")
      })
  )

  it.scopedLive("shows how far a file is read, and which one waits for it", () =>
    Effect.gen(function* () {
      const service = yield* Box.startService(yield* Box.folder)
      const { page } = yield* Web.open(yield* Web.browser, service, "/import", { viewport: WIDE })
      const both = Box.until(
        Box.get<{ readonly items: ReadonlyArray<{ readonly id: number }> }>(service, "/imports"),
        ({ items }) => items.length === 2
      )
      // The service reads the files faster than the page is looked at: the states are told in its place.
      const told = (id: number, state: object) =>
        Effect.map(Box.get<object>(service, `/imports/${id}`), (found) => {
          const data = JSON.stringify({ id, import: { ...found, finished: null, ...state } })
          return `id: ${id}\ndata: ${data}\n\n`
        })
      const events = Effect.gen(function* () {
        yield* both
        const reading = yield* told(1, { state: "reading", progress: 0.24, rows_per_second: 139_266 })
        return `event: connected\ndata: {}\n\n${reading}${yield* told(2, { state: "queued" })}`
      })
      yield* Effect.promise(() =>
        page.route("**/trpc/imports.changes*", async (route) =>
          route.fulfill({ contentType: "text/event-stream", body: await Effect.runPromise(events) })
        )
      )
      const add = (name: string) => {
        const file = { name, mimeType: "", buffer: Buffer.from(recordingText(1, name)) }
        return Effect.promise(() => page.locator("input[type=file]").first().setInputFiles(file))
      }
      yield* add("long.ndjson")
      yield* Box.until(Box.get<{ readonly total: number }>(service, "/imports"), ({ total }) => total === 1)
      yield* add("next.ndjson")
      yield* Effect.promise(() => row(page, "next.ndjson").getByText("Waits to be read").waitFor())
      yield* Effect.promise(() => row(page, "long.ndjson").getByText("read 24 %, 139,266 rows/s").waitFor())
      yield* look(page, "reading")
    })
  )

  it.scopedLive("asks which sessions are to stay of a drive that was also recorded live", () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const [data, file] = [join(folder, "data"), join(folder, "one.ndjson")]
      writeFileSync(file, recordingText(2))
      const first = yield* Box.run("main.js", ["import", "--data", data, file])
      expect(first.code).toBe(0)
      // From now on it is no session of a file.
      const catalog = new DatabaseSync(join(data, "telemetry.sqlite"))
      catalog.exec("DELETE FROM session_sources")
      catalog.close()
      const service = yield* Box.startService(data)
      const { page } = yield* Web.open(yield* Web.browser, service, "/import", { viewport: WIDE })
      yield* choose(page, "Choose files", file)
      yield* Web.see(page, "1 of 1 done")
      yield* Web.see(page, "This drive was also recorded live")
      expect(yield* Box.get(service, "/imports/2")).toMatchObject({ sessions: [2], overlaps: [1] })
      yield* look(page, "overlap")
      yield* Effect.promise(() =>
        page.getByRole("button", { name: "Delete the live recording" }).press("Enter")
      )
      yield* Web.see(page, "The live recording was deleted")
      expect(yield* Box.get(service, "/sessions")).toMatchObject({
        total: 1,
        items: [{ id: 2, source: "import" }]
      })
    })
  )
})
