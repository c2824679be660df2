/** `npm run package -- --platform PLATFORM-ARCH`: packages for other machines than this. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { list } from "tar"
import * as Box from "../support/processes.ts"

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64"]

const made = (root: string, platform: string) =>
  Box.runProgram(process.execPath, [join(root, "tools/package.mjs"), "--platform", platform])

/** A platform whose Node npm has not installed here. */
const foreign = process.arch === "arm64" ? "linux-x64" : "linux-arm64"

// No package for another platform can be made on Windows.
const onWindows = process.platform === "win32"

it.skipIf(onWindows)(
  "a package for another platform is an archive in which the program is executable",
  async () => {
    const { code, output } = await Effect.runPromise(made(Box.root, foreign))
    expect(code).toBe(0)
    const executable: Array<string> = []
    const names: Array<string> = []
    await list({
      file: output.slice(0, output.lastIndexOf(" ", output.lastIndexOf(" ") - 1)),
      onReadEntry: ({ mode = 0, path, type }) => {
        const name = path.split("/").slice(1).join("/")
        names.push(name)
        if (type === "File" && (mode & 0o111) === 0o111) executable.push(name)
      }
    })
    expect(executable).toEqual(expect.arrayContaining(["node", "telemetry"]))
    expect(names).toEqual(
      expect.arrayContaining(["LICENSE", "LICENSE-node", "dist/program/main.js", "web/dist/index.html"])
    )
    expect(names.filter((name) => name.includes(".compiled"))).toEqual([])
  }
)

it.scopedLive.skipIf(onWindows)("a Node other than the lock file's is refused, and no archive is made", () =>
  Effect.gen(function* () {
    const root = yield* Box.folder
    for (const path of ["tools", "LICENSE", "package.json"])
      cpSync(join(Box.root, path), join(root, path), { recursive: true })
    for (const path of ["dist/program", "web/dist"]) mkdirSync(join(root, path), { recursive: true })
    symlinkSync(join(Box.root, "node_modules"), join(root, "node_modules"))
    const lock = JSON.parse(readFileSync(join(Box.root, "package-lock.json"), "utf8")) as {
      readonly packages: Record<string, { integrity: string }>
    }
    const other = lock.packages["node_modules/tinypool"]!.integrity
    lock.packages[`node_modules/node-${foreign}`]!.integrity = other
    writeFileSync(join(root, "package-lock.json"), JSON.stringify(lock))
    const { code, errors, output } = yield* made(root, foreign)
    expect({ code, output }).toEqual({ code: 1, output: "" })
    expect(errors).toContain(`and package-lock.json has ${other}`)
  })
)

it("an unknown platform is refused with the list of existing ones", async () => {
  expect(await Effect.runPromise(made(Box.root, "sunos-x64"))).toEqual({
    code: 2,
    output: "",
    errors: `There is no package for sunos-x64: --platform is one of ${PLATFORMS.join(", ")}\n`
  })
})
