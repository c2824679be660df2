/** Each part of the tree imports only what it may (importRules.ts). */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { describe, expect, it } from "vitest"
import { importRules } from "./importRules.ts"
import { forbidden, importsOf, type Source } from "./imports.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Every source in the folders of the table. */
const sources = (): ReadonlyArray<Source> =>
  [...new Set(Object.keys(importRules).map((part) => part.split("/")[0]!))].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
  )

describe("imports", () => {
  it("are those that the table allows", () => {
    expect(forbidden(sources(), importRules)).toEqual([])
  })

  it("are named in the table by paths that there are, and each is needed", () => {
    const known = sources()
    for (const [part, { may }] of Object.entries(importRules)) {
      const imported = known
        .filter(({ path }) => path === part || path.startsWith(`${part}/`))
        .flatMap((source) => importsOf(source))
      const unused = may.filter(
        (allowed) => !imported.some((path) => path === allowed || path.startsWith(`${allowed}/`))
      )
      expect([part, unused]).toEqual([part, []])
    }
  })

  it("are found wherever esbuild finds one", async () => {
    const known = new Map(sources().map((source) => [source.path, importsOf(source)]))
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: ["src/main.ts", "simulator/main.ts"],
      outdir: "dist/none",
      bundle: true,
      splitting: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "node",
      packages: "external"
    })
    let compared = 0
    for (const [path, { imports }] of Object.entries(metafile.inputs)) {
      const found = known.get(path)
      for (const { external, path: imported } of imports) {
        if (external === true) continue
        expect([path, found]).toEqual([path, expect.arrayContaining([imported])])
        compared++
      }
    }
    expect(compared).toBeGreaterThan(1000)
  })
})

describe("a forbidden import", () => {
  const rules = {
    a: { may: ["b/open.ts", "c"], because: "it is a product of its own" },
    "a/main.ts": { may: ["a", "b"], because: "it starts everything" }
  }
  const said = (path: string, text: string) => forbidden([{ path, text }], rules)

  it.each([
    ["a value", 'import { x } from "../b/closed.ts"'],
    ["a type", 'import type { X } from "../b/closed.ts"'],
    ["several over lines", 'import {\n  x,\n  y\n} from "../b/closed.ts"'],
    ["all of a module", 'import * as X from "../b/closed.ts"'],
    ["what it does when it is loaded", 'import "../b/closed.ts"'],
    ["what goes on to others", 'export { x } from "../b/closed.ts"'],
    ["what is loaded later", 'const x = async () => (await import("../b/closed.ts")).x'],
    ["a type in its place", 'type X = import("../b/closed.ts").X']
  ])("is named with its file and rule: %s", (_, text) => {
    expect(said("a/part.ts", `import { z } from "./own.ts"\n${text}\n`)).toEqual([
      "a/part.ts imports b/closed.ts, but a may import only a, b/open.ts, c: it is a product of its own"
    ])
  })

  it("is one only for those that may not", () => {
    const text =
      'import { x } from "../b/open.ts"\nimport { y } from "../c/deep/y.ts"\nimport { z } from "effect"\n'
    expect(said("a/part.ts", text)).toEqual([])
    expect(said("a/main.ts", 'import { x } from "../b/closed.ts"')).toEqual([])
    expect(said("d/part.ts", 'import { x } from "../b/closed.ts"')).toEqual([])
    expect(said("a/part.ts", 'import { x } from "../b/open.tsx"')).toHaveLength(1)
  })
})
