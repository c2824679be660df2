/**
 * Writes the guides of the connect form from the documents: the simulators' names, ports and sides from the table of
 * docs/simulators.md, and what to set in the game from "Set up the game" of each page, as HTML:
 * `npm run node tools/docs/writeGuides.ts`. A test compares them.
 */
import { readFileSync, writeFileSync } from "node:fs"

const docs = new URL("../../docs/", import.meta.url)
export const folder = new URL("../../web/src/guides/", import.meta.url)

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Code, strong and emphasised text; a link is its text, because the pages have no documents. */
const inline = (text: string): string =>
  escaped(text)
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith("`")
        ? `<code>${part.slice(1, -1)}</code>`
        : part.replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>").replace(/\*(.+?)\*/g, "<em>$1</em>")
    )
    .join("")

const withoutLinks = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")

const ITEM = /^(?:\d+\.|-) /

/** Paragraphs, lists of one level, and code. */
const htmlOf = (markdown: string): string => {
  const out: Array<string> = []
  for (const [k, part] of markdown.split(/^```\w*\n([^]*?)^```$/m).entries()) {
    if (k % 2 === 1) {
      out.push(`<pre tabindex="0">${escaped(part.trimEnd())}</pre>`)
      continue
    }
    for (const block of withoutLinks(part).split(/\n{2,}/)) {
      const lines = block.split("\n").filter((line) => line.trim() !== "")
      if (lines.length === 0) continue
      const items: Array<string> = []
      for (const line of lines) {
        if (ITEM.test(line) || items.length === 0) items.push(line)
        else items[items.length - 1] += ` ${line.trim()}`
      }
      if (ITEM.test(items[0]!)) {
        const list = /^\d/.test(items[0]!) ? "ol" : "ul"
        const start = Number(/^\d+/.exec(items[0]!)?.[0] ?? 1)
        const entries = items.map((item) => `<li>${inline(item.replace(ITEM, ""))}</li>`).join("")
        out.push(`<${list}${start > 1 ? ` start="${start}"` : ""}>${entries}</${list}>`)
      } else out.push(`<p>${inline(items.join(" "))}</p>`)
    }
  }
  return out.join("")
}

const ROW =
  /^\| (?:\[([^\]]+)\]\(simulators\/([\w-]+)\.md\)|([^|[]+?)) \| `([\w-]+)` \| (\w+) \| the (game sends|service \w+) \|/gm

const rows = [...readFileSync(new URL("simulators.md", docs), "utf8").matchAll(ROW)].map(
  ([, linked, page, plain, name, port, begins]) => ({
    name: name!,
    title: linked ?? plain!,
    page,
    port: Number(port),
    sends: begins === "game sends"
  })
)

const setupOf = (page: string): string =>
  /^## Set up the game\n([^]*?)^## /m.exec(readFileSync(new URL(`simulators/${page}.md`, docs), "utf8"))![1]!

/** Of a game that has no usual port, the one that its page proposes. */
const proposedIn = (page: string | undefined): number | null =>
  page === undefined
    ? null
    : Number(/(\d+) is a\s+good choice/.exec(setupOf(page))?.[1] ?? Number.NaN) || null

/** The title of each simulator, its port, and whether its game sends by itself. */
export const titles = Object.fromEntries(
  rows.map(({ name, page, port, sends, title }) => [name, { title, port: port || proposedIn(page), sends }])
)

/** What to set in each game; a native feed is set up by a program, not in a game. */
export const steps = Object.fromEntries(
  rows.flatMap(({ name, page }) =>
    page === undefined || name === "native" ? [] : [[name, htmlOf(setupOf(page))] as const]
  )
)

if (process.argv[1]?.endsWith("writeGuides.ts") === true) {
  writeFileSync(new URL("titles.json", folder), `${JSON.stringify(titles, null, 2)}\n`)
  writeFileSync(new URL("steps.json", folder), `${JSON.stringify(steps, null, 2)}\n`)
}
