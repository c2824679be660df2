/** Each part of the tree imports only what it may (importRules.ts). */
import { build } from "esbuild"
import { describe, expect, it } from "vitest"
import * as rules from "./importRules.ts"
import {
  covers,
  forbidden,
  importsOf,
  isIn,
  packageRuleOf,
  packagesOf,
  partOf,
  type Rules
} from "./imports.ts"
import { root, sourcesIn } from "./sources.ts"

/** Every source in the folders of the table. */
const sources = sourcesIn(
  [...new Set(Object.keys(rules.importRules).map((part) => part.split("/")[0]!))],
  /\.(?:tsx?|mjs)$/
)

/** What is imported by the files that `which` takes. */
const imported = (which: (path: string) => boolean): ReadonlyArray<string> =>
  sources.filter(({ path }) => which(path)).flatMap(importsOf)

/** Entries of `may` that none of the paths needs. */
const needless = (part: string, may: ReadonlyArray<string>, paths: ReadonlyArray<string>) =>
  may.filter((entry) => !paths.some((path) => covers(entry, path, rules))).map((entry) => `${part}: ${entry}`)

describe("imports", () => {
  it("are those that the tables allow", () => {
    expect(forbidden(sources, rules)).toEqual([])
  })

  it("are each needed by the part that may have them", () => {
    const unused = Object.entries(rules.importRules).flatMap(([part, { exceptions = {}, may }]) => [
      ...needless(
        part,
        may,
        imported((path) => partOf(path, rules) === part && !(path in exceptions))
      ),
      ...Object.entries(exceptions).flatMap(([file, exception]) =>
        needless(
          file,
          exception.may,
          imported((path) => path === file)
        )
      )
    ])
    expect(unused).toEqual([])
  })

  it("of packages are each needed where they may be", () => {
    const packages = sources.flatMap((source) =>
      packagesOf(source).map((name) => [source.path, name] as const)
    )
    const unused = Object.entries(rules.packageRules).flatMap(([rule, { in: places }]) => {
      const paths = packages.filter(([, name]) => packageRuleOf(name, rules) === rule).map(([path]) => path)
      return places
        .filter((place) => !paths.some((path) => isIn(path, place)))
        .map((place) => `${rule}: ${place}`)
    })
    expect(unused).toEqual([])
  })

  it("are found wherever esbuild finds one", async () => {
    const known = new Map(
      sources.map((source) => [source.path, new Set([...importsOf(source), ...packagesOf(source)])])
    )
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
    const missed: Array<string> = []
    let compared = 0
    for (const [path, { imports }] of Object.entries(metafile.inputs)) {
      for (const { path: imported } of imports) {
        // What esbuild itself puts in.
        if (imported === "<runtime>") continue
        compared++
        if (known.get(path)?.has(imported) !== true) missed.push(`${path}: ${imported}`)
      }
    }
    expect(missed).toEqual([])
    expect(compared).toBeGreaterThan(1000)
  })
})

/** For each rule, a file that is not there and what it must not import: the direction of the design, in examples. */
const madeUp: Readonly<Record<string, ReadonlyArray<readonly [file: string, imported: string]>>> = {
  src: [["src/madeUp.ts", "./domain/Lap.ts"]],
  "src/starter.ts": [["src/starter.ts", "./commands.ts"]],
  "src/main.ts": [["src/main.ts", "./roles/serve.ts"]],
  "src/commands.ts": [["src/commands.ts", "./store/sqlite/SqliteStore.ts"]],
  "src/roles": [["src/roles/madeUp.ts", "../../simulator/command.ts"]],
  "src/Settings.ts": [
    ["src/Settings.ts", "./store/PointStore.ts"],
    ["src/Settings.ts", "./store/questdb/QuestdbStore.ts"]
  ],
  "src/addresses": [["src/addresses/madeUp.ts", "../store/questdb/QuestdbStore.ts"]],
  "src/exit.ts": [["src/exit.ts", "./store/Catalog.ts"]],
  "src/startFailures.ts": [["src/startFailures.ts", "./store/sqlite/SqliteStore.ts"]],
  "src/folder": [["src/folder/madeUp.ts", "../store/sqlite/SqliteFile.ts"]],
  "src/domain": [
    ["src/domain/madeUp.ts", "../store/Catalog.ts"],
    ["src/domain/madeUp.ts", "../Timing.ts"]
  ],
  "src/simulators": [["src/simulators/madeUp.ts", "./drivers/lfs/insim.ts"]],
  "src/simulators/drivers": [["src/simulators/drivers/madeUp/Driver.ts", "../../../store/Catalog.ts"]],
  "src/recording": [
    ["src/recording/madeUp.ts", "../store/sqlite/SqliteStore.ts"],
    ["src/recording/madeUp.ts", "../store/SqlCatalog.ts"],
    ["src/recording/madeUp.ts", "../live/LiveHub.ts"]
  ],
  "src/store": [["src/store/madeUp.ts", "./sqlite/SqliteStore.ts"]],
  "src/store/chosenStores.ts": [["src/store/chosenStores.ts", "./questdb/QuestdbStore.ts"]],
  "src/store/sqlite": [["src/store/sqlite/madeUp.ts", "../questdb/schema.ts"]],
  "src/store/questdb": [["src/store/questdb/madeUp.ts", "../sqlite/SqliteSpool.ts"]],
  "src/store/postgres": [["src/store/postgres/madeUp.ts", "../sqlite/SqliteFile.ts"]],
  "src/migrate": [["src/migrate/madeUp.ts", "../recording/recovery.ts"]],
  "src/adopt": [["src/adopt/madeUp.ts", "../recording/recovery.ts"]],
  "src/restore": [["src/restore/madeUp.ts", "../store/questdb/schema.ts"]],
  "src/autostart": [["src/autostart/madeUp.ts", "../Settings.ts"]],
  "src/verify": [["src/verify/madeUp.ts", "../store/questdb/schema.ts"]],
  "src/provision": [["src/provision/madeUp.ts", "../store/questdb/schema.ts"]],
  "src/live": [
    ["src/live/madeUp.ts", "../http/Api.ts"],
    ["src/live/madeUp.ts", "../trpc/router.ts"]
  ],
  "src/analysis": [
    ["src/analysis/madeUp.ts", "../store/PointStore.ts"],
    ["src/analysis/madeUp.ts", "../operations/analysis.ts"]
  ],
  "src/archive": [["src/archive/madeUp.ts", "../store/sqlite/SqliteStore.ts"]],
  "src/threads": [["src/threads/madeUp.ts", "../analysis/comparison.ts"]],
  "src/export": [["src/export/madeUp.ts", "../http/streaming.ts"]],
  "src/operations": [
    ["src/operations/madeUp.ts", "../http/problems.ts"],
    ["src/operations/madeUp.ts", "../trpc/router.ts"],
    ["src/operations/madeUp.ts", "../store/sqlite/SqliteStore.ts"]
  ],
  "src/http": [
    ["src/http/madeUp.ts", "../trpc/router.ts"],
    ["src/http/routes/madeUp.ts", "../../store/sqlite/SqliteStore.ts"]
  ],
  "src/trpc": [
    ["src/trpc/madeUp.ts", "../http/problems.ts"],
    ["src/trpc/madeUp.ts", "../store/questdb/QuestdbStore.ts"]
  ],
  "src/server.ts": [["src/server.ts", "./store/Catalog.ts"]],
  "src/relay": [["src/relay/madeUp.ts", "../http/Api.ts"]],
  "src/observability": [["src/observability/madeUp.ts", "../recording/metrics.ts"]],
  tools: [["tools/madeUp.mjs", "../src/Settings.ts"]],
  web: [["web/src/madeUp.tsx", "../../src/domain/Lap.ts"]],
  simulator: [["simulator/emulators/madeUp.ts", "../../src/simulators/drivers/f1/decode.ts"]],
  demo: [["demo/madeUp.ts", "../src/roles/serve.ts"]],
  bench: [["bench/madeUp.ts", "../src/http/Api.ts"]]
}

/** For each rule of packages, a file that is not there and what it must not import. */
const madeUpPackages: Readonly<Record<string, readonly [file: string, imported: string]>> = {
  effect: ["web/src/madeUp.ts", "effect"],
  "tiny-invariant": ["web/src/madeUp.ts", "tiny-invariant"],
  "node:*": ["src/analysis/madeUp.ts", "node:fs"],
  "node:http*": ["src/live/madeUp.ts", "node:http"],
  "@effect/platform": ["src/domain/madeUp.ts", "@effect/platform/FileSystem"],
  "@effect/platform/Http*": ["src/operations/madeUp.ts", "@effect/platform/HttpServerResponse"],
  "@effect/platform/FetchHttpClient": ["src/archive/madeUp.ts", "@effect/platform/FetchHttpClient"],
  "@effect/platform-node": ["src/recording/madeUp.ts", "@effect/platform-node/NodeContext"],
  "@effect/platform-node/NodeHttp*": ["src/live/madeUp.ts", "@effect/platform-node/NodeHttpServer"],
  "@effect/opentelemetry": ["src/store/madeUp.ts", "@effect/opentelemetry/Otlp"],
  "@effect/sql": ["src/archive/madeUp.ts", "@effect/sql/SqlClient"],
  "@effect/sql-pg": ["src/store/sqlite/madeUp.ts", "@effect/sql-pg"],
  "@effect/experimental": ["src/http/madeUp.ts", "@effect/experimental/Reactivity"],
  "node:sqlite": ["src/recording/madeUp.ts", "node:sqlite"],
  pg: ["src/store/madeUp.ts", "pg"],
  "@questdb/nodejs-client": ["src/export/madeUp.ts", "@questdb/nodejs-client"],
  ws: ["src/trpc/madeUp.ts", "ws"],
  "@trpc/server": ["src/http/madeUp.ts", "@trpc/server/http"],
  "@trpc/client": ["web/src/pages/madeUp.tsx", "@trpc/client"],
  negotiator: ["src/trpc/madeUp.ts", "negotiator"],
  "apache-arrow": ["src/export/madeUp.ts", "apache-arrow"],
  "@noble/ciphers": ["src/simulators/drivers/f1/madeUp.ts", "@noble/ciphers/salsa.js"],
  "fastest-levenshtein": ["src/http/madeUp.ts", "fastest-levenshtein"],
  tinypool: ["src/archive/madeUp.ts", "tinypool"],
  preact: ["src/http/madeUp.ts", "preact/hooks"],
  "@preact/signals": ["src/http/madeUp.ts", "@preact/signals"],
  uplot: ["src/http/madeUp.ts", "uplot"],
  "swagger-ui-dist": ["src/http/madeUp.ts", "swagger-ui-dist/swagger-ui-es-bundle.js"],
  vite: ["tools/madeUp.mjs", "vite"],
  esbuild: ["src/threads/madeUp.ts", "esbuild"],
  tar: ["src/export/madeUp.ts", "tar"],
  yazl: ["src/export/madeUp.ts", "yazl"],
  fastify: ["src/http/madeUp.ts", "fastify"],
  "socket.io": ["src/live/madeUp.ts", "socket.io"],
  "playwright-core": ["tools/madeUp.mjs", "playwright-core"]
}

describe("each rule", () => {
  it("is tried", () => {
    expect(Object.keys(madeUp)).toEqual(Object.keys(rules.importRules))
    expect(Object.keys(madeUpPackages)).toEqual(Object.keys(rules.packageRules))
  })

  it.each(Object.entries(madeUp).flatMap(([part, tries]) => tries.map((one) => [part, ...one] as const)))(
    "of %s forbids %s %s",
    (part, path, imported) => {
      const [said, ...others] = forbidden([{ path, text: `import type { X } from "${imported}"\n` }], rules)
      expect(others).toEqual([])
      expect(said).toMatch(new RegExp(`^${path} imports .*, but ${part} may import only `))
      expect(said).toContain(rules.importRules[part]!.because)
    }
  )

  it.each(Object.entries(madeUpPackages).map(([name, one]) => [name, ...one] as const))(
    "of %s forbids %s %s",
    (name, path, imported) => {
      const [said, ...others] = forbidden([{ path, text: `import { x } from "${imported}"\n` }], rules)
      expect(others).toEqual([])
      expect(said).toContain(`${path} imports ${imported}, but ${name} is imported only in `)
      expect(said).toContain(rules.packageRules[name]!.because)
    }
  )

  it.each(["src/domain/madeUp.ts", "src/analysis/madeUp.ts"])("leaves %s two packages", (path) => {
    const text = Object.values(madeUpPackages)
      .map(([, name]) => `import { x } from "${name}"\n`)
      .join("")
    expect(forbidden([{ path, text }], rules)).toHaveLength(Object.keys(madeUpPackages).length - 2)
    expect(forbidden([{ path, text: 'import "effect"\nimport "tiny-invariant"\n' }], rules)).toEqual([])
  })
})

describe("a forbidden import", () => {
  const made: Rules = {
    groups: { shared: ["e/one.ts"] },
    importRules: {
      a: {
        may: ["b/open.ts", "c", "shared"],
        because: "it is a product of its own",
        exceptions: { "a/odd.ts": { may: ["b/closed.ts"], because: "it is odd" } }
      },
      "a/main.ts": { may: ["a", "b"], because: "it starts everything" },
      "c/inner": { may: [], because: "it is nobody's" }
    },
    packageRules: { effect: { in: ["a"], because: "it is for a" } }
  }
  const said = (path: string, text: string) => forbidden([{ path, text }], made)

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
      "a/part.ts imports b/closed.ts, but a may import only a, b/open.ts, c, shared: it is a product of its own"
    ])
  })

  it("is one only for those that may not", () => {
    const text =
      'import { x } from "../b/open.ts"\nimport { y } from "../c/deep/y.ts"\nimport { z } from "effect"\n'
    expect(said("a/part.ts", text)).toEqual([])
    expect(said("a/main.ts", 'import { x } from "../b/closed.ts"')).toEqual([])
    expect(said("d/part.ts", 'import { x } from "../b/closed.ts"')).toEqual([])
    expect(said("a/part.ts", 'import { x } from "../b/open.tsx"')).toHaveLength(1)
    expect(said("a/odd.ts", 'import { x } from "../b/closed.ts"')).toEqual([])
    expect(said("a/part.ts", 'import { x } from "../e/one.ts"')).toEqual([])
  })

  it("is one of what is not the file that any folder may have", () => {
    const entry = "src/simulators/drivers/*/layout.ts"
    const isCovered = (path: string) => covers(entry, `src/simulators/drivers/${path}`, rules)
    expect(["doom/layout.ts", "doom/channels.ts", "doom/deep/layout.ts", "layout.ts"].map(isCovered)).toEqual(
      [true, false, false, false]
    )
  })

  it("is one of what has a row of its own, where only what is around it may be had", () => {
    expect(said("a/part.ts", 'import { x } from "../c/inner/y.ts"')).toHaveLength(1)
    expect(said("a/part.ts", 'import { x } from "./main.ts"')).toHaveLength(1)
  })

  it("is one of a package that no rule knows", () => {
    expect(said("a/part.ts", 'import { x } from "left-pad"')).toEqual([
      "a/part.ts imports left-pad, which has no rule"
    ])
    expect(said("a/part.ts", 'import { x } from "effects"')).toHaveLength(1)
    expect(said("d/part.ts", 'import { x } from "effect/Schema"')).toEqual([
      "d/part.ts imports effect/Schema, but effect is imported only in a: it is for a"
    ])
  })
})
