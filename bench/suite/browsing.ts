/** A browser that a benchmark opens pages in: Chromium, without a graphics card. */
import { chromium, type Page } from "playwright-core"
import * as onPath from "../../tools/provision/onPath.ts"

const executablePath = onPath.chromium()

export const hasBrowser = executablePath !== undefined

/** Runs `body` with a page of a browser that is started for it. */
export const browsing = async <A>(body: (page: Page) => Promise<A>): Promise<A> => {
  const browser = await chromium.launch({
    executablePath: executablePath!,
    args: ["--no-sandbox", "--disable-gpu"]
  })
  try {
    return await body(await browser.newPage({ viewport: { width: 1440, height: 900 } }))
  } finally {
    await browser.close()
  }
}

/** Opens the live page of a service, and waits until it shows the current drive. */
export const openLive = async (page: Page, url: string): Promise<void> => {
  await page.goto(url)
  await page.locator(".live-state", { hasText: "Live" }).waitFor()
}
