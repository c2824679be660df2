/** A real browser on a real service: Debian's Chromium by playwright-core. */
import { Context, Effect, Layer, type Scope } from "effect"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import * as onPath from "../../tools/provision/onPath.ts"
import { type Running, until } from "./processes.ts"
import { NEVER_MS } from "./never.ts"
import { server } from "./servers/server.ts"

const executablePath = onPath.chromium()

export const browserHere = server(
  executablePath !== undefined,
  "there is no Chromium (on PATH, or where CHROMIUM says)"
)

export const browser: Effect.Effect<Browser, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() =>
    chromium.launch({
      executablePath: executablePath!,
      timeout: NEVER_MS,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
    })
  ),
  (open) => Effect.promise(() => open.close())
)

/** What the tests of a file share, and a browser: made for the first of them, and ended after the last. */
export const shared = <A extends object, E>(name: string, made: Effect.Effect<A, E, Scope.Scope>) => {
  type Shared = A & { readonly browser: Browser }
  const tag = Context.GenericTag<Shared>(name)
  const both = Effect.map(Effect.all([made, browser]), ([own, on]): Shared => ({ ...own, browser: on }))
  return Object.assign(tag, { layer: Layer.scoped(tag, both) })
}

/** A page and its errors: thrown, logged, or received as answers. */
export interface Opened {
  readonly page: Page
  readonly complaints: Array<string>
}

/** A page of its own context (theme, size), at a path of the service. */
export const open = (
  on: Browser,
  service: Pick<Running, "address">,
  path: string,
  options: BrowserContextOptions = {},
  /** A script that runs before those of the page. */
  before = ""
) =>
  Effect.acquireRelease(
    Effect.promise(async (): Promise<Opened> => {
      const context = await on.newContext({ viewport: { width: 1280, height: 800 }, ...options })
      context.setDefaultTimeout(NEVER_MS)
      const page = await context.newPage()
      if (before !== "") await page.addInitScript({ content: before })
      const complaints: Array<string> = []
      page.on("pageerror", (error) => complaints.push(error.message))
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text())
      })
      page.on("request", (request) => {
        if (!request.url().startsWith(service.address)) complaints.push(`asked ${request.url()}`)
      })
      await page.goto(service.address + path)
      return { page, complaints }
    }),
    ({ page }) => Effect.promise(() => page.context().close())
  )

export const see = (page: Page, text: string | RegExp) =>
  Effect.promise(() => page.getByText(text).first().waitFor())

/** Unfolds the table of the compared laps. */
export const unfoldLaps = (page: Page) =>
  Effect.promise(() => page.getByRole("button", { name: "Sectors, sessions, remove" }).click())

/** Waits for the plots of a comparison, which are drawn a frame after the text beside them. */
export const plots = (page: Page, count: number) =>
  becomes(page, `document.querySelectorAll(".strip .u-over").length === ${count}`)

/** Evaluates an expression in the document until it is true; the test's own time limit bounds it. */
export const becomes = (page: Page, condition: string) =>
  until(
    // Through the debugger: the page's content security policy forbids evaluation in the page.
    Effect.promise(() => page.evaluate<boolean>(condition)),
    (met) => met
  )
