/** The table of parts in ARCHITECTURE.md names those of the table of imports, and says what each may import as it does. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { groups, importRules } from "./importRules.ts"
import { root } from "./sources.ts"

const architecture = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")

/** A path as the document has it: within `src`, and without what every file ends in. */
const short = (path: string) => path.replace(/^src\//, "").replace(/\.ts$/, "")

const list = (entries: ReadonlyArray<string>) =>
  entries.map((entry) => (entry in groups ? `*${entry}*` : short(entry))).join(", ") || "nothing of ours"

const mayImport = (part: string): string => {
  const { exceptions = {}, may } = importRules[part]!
  const besides = Object.entries(exceptions).map(
    ([file, exception]) => `; ${short(file)} also ${list(exception.may)}`
  )
  return list(may) + besides.join("")
}

it("has a row for each part that has a rule, with what it may import", () => {
  const [table] = /^\| part \|.*\n(?:\|.*\n)*/m.exec(architecture)!
  const rows = table
    .trim()
    .split("\n")
    .slice(2)
    .map((row) => /^\| `([^`]+?)\/?` \| .* \| (.*) \|$/.exec(row)?.slice(1) ?? row)
  const expected = Object.keys(importRules).map((part) => [part, mayImport(part)])
  expect(new Map(rows as Array<[string, string]>)).toEqual(new Map(expected as Array<[string, string]>))
  expect(rows).toHaveLength(expected.length)
})

it.each(Object.entries(groups))("says what *%s* are", (name, members) => {
  expect(architecture.replaceAll(/\s+/g, " ")).toContain(`*${name}*: ${list(members)}.`)
})
