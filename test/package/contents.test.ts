/** The files that `npm pack` would ship: all that run, and no others. The tarball itself: `npm run test:package`. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { join, posix } from "node:path"
import { build } from "esbuild"
import { expect, it } from "vitest"
import { root } from "../support/processes.ts"

interface Manifest {
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly private?: boolean
}

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest

/** The files that `npm test` has built; on Windows npm is a script of its shell. */
const [packed] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32"
  })
) as ReadonlyArray<{ readonly files: ReadonlyArray<{ readonly path: string }> }>
const shipped = new Set(packed!.files.map(({ path }) => path))

/** Modules that are loaded if they are installed. */
const OPTIONAL: ReadonlySet<string> = new Set([
  "pg-native",
  "bufferutil",
  "utf-8-validate",
  "@duckdb/node-api"
])
/** Node's own modules; undici loads one that only later versions have, if it exists. */
const isBuiltin = (name: string) => name.startsWith("node:") || builtinModules.includes(name)

it("the package may be published, with a program for each of its names", () => {
  expect(manifest.private).toBeUndefined()
  expect(Object.keys(manifest.bin).sort()).toEqual([
    "telemetry",
    "telemetry-session-service",
    "telemetry-simulator"
  ])
  for (const path of Object.values(manifest.bin)) expect(shipped).toContain(path)
  for (const target of Object.values(manifest.exports["./client"]!))
    expect(shipped).toContain(posix.normalize(target))
  for (const path of [
    "web/dist/index.html",
    "web/dist/overlay.html",
    "README.md",
    "LICENSE",
    "dist/program/LICENSES.txt"
  ])
    expect(shipped).toContain(path)
})

it("the package has every module that it imports, or the library is a dependency", async () => {
  const modules = [...shipped].filter((path) => path.startsWith("dist/program/") && /\.c?js$/.test(path))
  // The threads, and the process that opens databases, are started by name.
  for (const entry of ["writerWorker.js", "workers/computations.js", "databaseProcess.js"]) {
    expect(modules).toContain(`dist/program/${entry}`)
  }
  // A missing module fails the build.
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: modules.map((path) => ({ in: path, out: path })),
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outdir: "unwritten",
    write: false,
    metafile: true,
    logLevel: "silent"
  })
  const inputs = Object.keys(metafile.inputs)
  expect(inputs.filter((path) => !shipped.has(path))).toEqual([])
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  const libraries = new Set(
    imported.filter((name) => !inputs.includes(name) && !isBuiltin(name) && !OPTIONAL.has(name))
  )
  expect([...libraries].sort()).toEqual(Object.keys(manifest.dependencies).sort())
})

it("the package has no tests, no sources, no maps, and no code for one version of V8", () => {
  const strange = [...shipped].filter(
    (path) =>
      path.endsWith(".map") ||
      path.includes("/.compiled/") ||
      path.startsWith("test/") ||
      (path.endsWith(".ts") && !path.endsWith(".d.ts"))
  )
  expect(strange).toEqual([])
})
