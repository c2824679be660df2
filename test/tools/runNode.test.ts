/** tools/run-node.mjs, in a folder whose Node is the test's own, or a program that imitates one. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { root } from "../support/processes.ts"

let folder = ""

const { nodePackageOf } = (await import(new URL("../../tools/nodePackage.mjs", import.meta.url).href)) as {
  readonly nodePackageOf: (platform: string, arch: string) => string
}
const nodePackage = nodePackageOf(process.platform, process.arch)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "telemetry-node-"))
  for (const file of ["tools/run-node.mjs", "tools/nodePackage.mjs", "package.json"])
    cpSync(join(root, file), join(folder, file))
  mkdirSync(join(folder, "node_modules", nodePackage, "bin"), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

const installed = () => join(folder, "node_modules", nodePackage, "bin/node")

/** Code that runs in the starter before its own, and in none of its children. */
const before = (code: string) => {
  const file = join(folder, "before.cjs")
  writeFileSync(file, `delete process.env.NODE_OPTIONS\n${code}`)
  return { ...process.env, NODE_OPTIONS: `--require ${file}` }
}
const older = `Object.defineProperty(process.versions, "node", { value: "20.20.2" })`
/** As before Node 22.15, which cannot become another program. */
const stays = "delete process.execve"

const started = (env: NodeJS.ProcessEnv, program: string, ...words: ReadonlyArray<string>) => {
  const file = join(folder, "program.mjs")
  writeFileSync(file, program)
  return spawn(process.execPath, [join(folder, "tools/run-node.mjs"), file, ...words], { env })
}

const ended = async (child: ReturnType<typeof started>) => {
  let printed = ""
  let errors = ""
  child.stdout.on("data", (data: Buffer) => (printed += data.toString()))
  child.stderr.on("data", (data: Buffer) => (errors += data.toString()))
  const [status, signal] = (await once(child, "close")) as [number | null, string | null]
  return { status, signal, printed, errors }
}

const PRINTS = "console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 3"

// On Windows the program is node.exe, which the test cannot imitate.
describe.skipIf(process.platform === "win32")("the starter", () => {
  it.each([
    ["becomes the program", ""],
    ["stays as its parent", stays]
  ])("%s with the Node that npm installed, and passes on words and status", async (_, how) => {
    symlinkSync(process.execPath, installed())
    expect(await ended(started(before(`${older}\n${how}`), PRINTS, "a b", "--c"))).toEqual({
      status: 3,
      signal: null,
      printed: `["a b","--c"]\n`,
      errors: ""
    })
  })

  it("takes the machine's Node if the other does not start", async () => {
    writeFileSync(installed(), "#!/bin/sh\nexit 1\n")
    chmodSync(installed(), 0o755)
    expect(await ended(started(before(""), PRINTS))).toMatchObject({ status: 3, printed: "[]\n" })
  })

  it("names the required version if neither is suitable", async () => {
    expect(await ended(started(before(older), PRINTS))).toEqual({
      status: 1,
      signal: null,
      printed: "",
      errors: `Node 24.9 or later is needed. This is Node 20.20.2, and the one that npm installs for ${process.platform} on ${process.arch} is not there or does not start here: ${installed()}\n`
    })
  })

  it.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("passes on %s as the parent", async (signal) => {
    symlinkSync(process.execPath, installed())
    const child = started(
      before(stays),
      `process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1e6); console.log("ready")`
    )
    await once(createInterface(child.stdout), "line")
    child.kill(signal)
    expect(await ended(child)).toMatchObject({ status: 7, signal: null })
  })

  it("reports a signal that ended the program as a shell does", async () => {
    symlinkSync(process.execPath, installed())
    const killed = started(before(stays), `process.kill(process.pid, "SIGKILL")`)
    expect(await ended(killed)).toMatchObject({ status: 137 })
  })
})
