import { existsSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"

const root = new URL("../../", import.meta.url)

// Keeps promises of a document from outliving their test, or its path.
it.each(["docs/reliability.md", "docs/operations.md", "docs/testing.md"])(
  "%s names existing tests",
  (document) => {
    const text = readFileSync(new URL(document, root), "utf8")
    const named = [...text.matchAll(/`(test\/[\w./-]+)/g)].map(([, path]) => path!)
    expect(named).not.toEqual([])
    const missing = named.filter(
      (path) => !["", ".test.ts"].some((end) => existsSync(new URL(path + end, root)))
    )
    expect(missing).toEqual([])
  }
)

const read = (document: string) => readFileSync(new URL(document, root), "utf8")

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-")

// Keeps links to figures valid when a benchmark is renamed.
it("docs/operations.md links to existing figures", () => {
  const headings = read("docs/benchmarks.md").matchAll(/^##+ (.*)$/gm)
  const slugs = new Set([...headings].map(([, heading]) => slugOf(heading!)))
  const links = read("docs/operations.md").matchAll(/\(benchmarks\.md#([^)]+)\)/g)
  const named = [...links].map(([, slug]) => slug!)
  expect(named).not.toEqual([])
  expect(named.filter((slug) => !slugs.has(slug))).toEqual([])
})
