/** Parts that are built again, and parts that are not. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"

interface Part {
  readonly name: string
  readonly says: string
  readonly madeOf: ReadonlyArray<string>
  readonly leaves: string
  readonly make: () => Promise<void>
}

/** Plain JavaScript, which runs before anything is built. */
const { buildPart, isStale } = (await import(new URL("../../tools/parts.mjs", import.meta.url).href)) as {
  readonly buildPart: (part: Part, folder: string) => Promise<void>
  readonly isStale: (part: Part, folder: string) => boolean
}

let folder = ""
let fails = false

const write = (path: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), "")
}

const part: Part = {
  name: "it",
  says: "it",
  madeOf: ["src", "settings.json"],
  leaves: "dist/it.js",
  make: async () => {
    if (fails) throw new Error("does not build")
    write("dist/it.js")
  }
}

/** Sets the last change of every file to a minute ago. */
const age = () => {
  const before = new Date(Date.now() - 60_000)
  for (const path of ["src/deep/a.ts", "src/deep", "src", "settings.json", "package.json", ""]) {
    utimesSync(join(folder, path), before, before)
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "telemetry-parts-"))
  fails = false
  for (const path of ["src/deep/a.ts", "settings.json", "package.json"]) write(path)
  age()
})
afterEach(() => rmSync(folder, { recursive: true }))

it("a part is built once", async () => {
  expect(isStale(part, folder)).toBe(true)
  await buildPart(part, folder)
  expect(isStale(part, folder)).toBe(false)
})

it.each([
  ["a file that was changed", () => write("src/deep/a.ts")],
  ["a file that is new", () => write("src/deep/b.ts")],
  ["a file that is gone", () => rmSync(join(folder, "src/deep/a.ts"))],
  ["other settings", () => write("settings.json")],
  ["other libraries", () => write("node_modules/.package-lock.json")],
  ["what it left being gone", () => rmSync(join(folder, "dist/it.js"))]
])("a part is built again for %s", async (_, change) => {
  await buildPart(part, folder)
  change()
  expect(isStale(part, folder)).toBe(true)
})

it("a part is not built again for files that it does not use", async () => {
  await buildPart(part, folder)
  write("README.md")
  write("src/node_modules/x.js")
  age()
  expect(isStale(part, folder)).toBe(false)
})

it("a part is built again after a failure, though an earlier result exists", async () => {
  await buildPart(part, folder)
  fails = true
  await expect(buildPart(part, folder)).rejects.toThrow("does not build")
  expect(isStale(part, folder)).toBe(true)
})

it("a part is built again for files that changed during the build", async () => {
  const busy = { ...part, make: async () => (await part.make(), write("src/deep/a.ts")) }
  await buildPart(busy, folder)
  expect(isStale(part, folder)).toBe(true)
})
