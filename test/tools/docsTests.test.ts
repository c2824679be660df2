import { existsSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"

const root = new URL("../../", import.meta.url)

// Protects a promise from standing in a document when its test has gone, or has moved.
it.each(["docs/reliability.md", "docs/operations.md", "CONTRIBUTING.md"])(
  "%s names tests that there are",
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
