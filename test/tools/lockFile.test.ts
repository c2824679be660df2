/** package-lock.json ties an installation to the tested bytes, from any registry. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

interface Entry {
  readonly integrity?: string
  readonly resolved?: string
}

const file = new URL("../../package-lock.json", import.meta.url)
const { packages } = JSON.parse(readFileSync(file, "utf8")) as {
  readonly packages: Readonly<Record<string, Entry>>
}
const entries = Object.entries(packages).filter(([path]) => path !== "")

/** The registry of the lock file's author does not have these: they check types on other kinds of machines. */
const NOT_TO_BE_HAD = [
  "darwin-arm64",
  "darwin-x64",
  "linux-arm",
  "linux-arm64",
  "win32-arm64",
  "win32-x64"
].map((platform) => `node_modules/@effect/tsgo-${platform}`)

it("package-lock.json has the integrity of each package", () => {
  expect(entries.length).toBeGreaterThan(300)
  const without = entries.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))
  expect(without.map(([path]) => path)).toEqual(NOT_TO_BE_HAD)
})

it("package-lock.json names no registry", () => {
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})
