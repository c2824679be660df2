/** Bundles in CommonJS, with and without the code that V8 compiled of them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { spawnSync } from "node:child_process"
import * as modules from "node:module"
import { afterAll, describe, expect, it } from "vitest"
import { codeOf, compileBundle, runBundle } from "../src/compiledCode.ts"
import { root } from "./blackbox/processes.ts"

const folder = mkdtempSync(join(tmpdir(), "telemetry-code-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Says where it is, and adds by a function that is compiled when it is called. */
const SOURCE = `"use strict"
const add = (a, b) => a + b
globalThis.said.push([__filename, require("node:path").basename(__dirname), module.exports === exports, add(1, 2)])`

const bundle = (name: string, source = SOURCE) => {
  const path = join(folder, name)
  writeFileSync(path, source)
  return path
}

/** What it says when it is run, and whether V8 refused the code; undefined if there was none. */
const ran = (path: string) => {
  const heard: Array<unknown> = []
  Object.assign(globalThis, { said: heard })
  const script = compileBundle(path)
  runBundle(path, script)
  return { said: heard, refused: script.cachedDataRejected, code: script.createCachedData() }
}

const said = (path: string) => [[path, basename(folder), true, 3]]

describe("a bundle", () => {
  it("runs without code", () => {
    const path = bundle("none.cjs")
    expect(ran(path)).toMatchObject({ said: said(path), refused: undefined })
  })

  it("runs with the code that was kept of it", () => {
    const path = bundle("kept.cjs")
    writeFileSync(codeOf(path), ran(bundle("kept elsewhere.cjs")).code)
    expect(ran(path)).toMatchObject({ said: said(path), refused: false })
  })

  it.each([
    ["nothing", () => Buffer.alloc(0)],
    ["no code", () => Buffer.from("no code")],
    ["half of it", (code: Buffer) => code.subarray(0, code.length / 2)],
    ["another source's", () => ran(bundle("other.cjs", `${SOURCE};`)).code]
  ])("runs beside a file that is %s", (name, made) => {
    const path = bundle(`${name}.cjs`)
    // Of the same source elsewhere: V8 asks for no code of what this process has compiled.
    writeFileSync(codeOf(path), made(ran(bundle(`${name} elsewhere.cjs`)).code))
    expect(ran(path)).toMatchObject({ said: said(path), refused: true })
  })
})

describe.skipIf("enableCompileCache" in modules)("the programs, where Node keeps no code by itself", () => {
  it.each(["main", "simulator/main"])("%s was built with code, which V8 takes", (name) => {
    // A process with the flags that a user's has.
    const { stdout } = spawnSync(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `import { compileBundle } from "./compiledCode.js"; console.log(compileBundle(${JSON.stringify(join(root, "dist/program", `${name}.cjs`))}).cachedDataRejected)`
      ],
      { cwd: join(root, "dist/program"), encoding: "utf8", env: {} }
    )
    expect(stdout).toBe("false\n")
  })
})
