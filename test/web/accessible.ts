/** The findings of axe-core on a page. It runs through the debugger, so that the page's content security policy stays in force. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Effect } from "effect"
import type { Page } from "playwright-core"

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface Finding {
  readonly id: string
  readonly impact: string | null
  readonly nodes: ReadonlyArray<{ readonly html: string }>
}

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]

/** The rules that another theme's colours can break. */
export const COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] }

/** Findings of impact serious or critical, by the rules of WCAG 2.1 A and AA or some of them: rule and element. */
export const seriousFindings = (page: Page, rules: object = { type: "tag", values: WCAG }) =>
  Effect.promise(async () => {
    await page.evaluate(source)
    // Frames have no axe in them, and would never answer.
    const violations = await page.evaluate<ReadonlyArray<Finding>>(
      `axe.run(document, { runOnly: ${JSON.stringify(rules)}, iframes: false }).then((run) => run.violations)`
    )
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  })
