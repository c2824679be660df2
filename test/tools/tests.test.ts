/** A file that fails is run once more, alone: on small suites of their own. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { once } from "node:events"
import { createServer, type AddressInfo, type Socket } from "node:net"
import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import * as Box from "../support/processes.ts"

let folder = ""
const unstable = () => join(folder, "unstable")

const HELD = `it("holds", () => {})`
/** A test that fails in the first run of its file. */
const failingOnce = (failing: string) => `
import { existsSync, writeFileSync } from "node:fs"
it("fails once", () => {
  const ran = import.meta.filename + ".ran"
  if (existsSync(ran)) return
  writeFileSync(ran, "")
  ${failing}
})`
const FAILS = `throw new Error("at first")`
const ALWAYS = `it("fails", () => { throw new Error("always") })`

const ours = (name: string) => JSON.stringify(join(Box.root, "test/support", name))

const write = (files: Readonly<Record<string, string>>, more = "", names = ["one"]) => {
  writeFileSync(
    join(folder, "vitest.config.ts"),
    `import { Results } from ${ours("Results.ts")}
export default { test: { reporters: ["default", new Results()], projects: ${JSON.stringify(names)}.map((name) => ({
  test: { name, isolate: false, maxWorkers: 1, setupFiles: [${ours("endWithRun.ts")}]${more} } })) } }`
  )
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, `${name}.test.ts`), `import { it } from "vitest"\n${text}`)
  }
}

const args = [join(Box.root, "tools/tests.mjs"), "--project", "*"]

const environment = (env: NodeJS.ProcessEnv) => {
  // Without the variables of this run.
  const rest = Object.entries(process.env).filter(([name]) => !/^(VITEST|TELEMETRY)/.test(name))
  return { ...Object.fromEntries(rest), NO_COLOR: "1", ...env }
}

/** The output of a part's run, and its summary of tests at the end, as .ci/run reads it. */
const run = async (env: NodeJS.ProcessEnv = { TELEMETRY_TEST_UNSTABLE: unstable() }) => {
  const { code, errors, output } = await Effect.runPromise(
    Box.runProgram(process.execPath, args, { cwd: folder, env: environment(env) })
  )
  const counts = output.match(/^ +Tests +\d.*$/gm)?.at(-1) ?? ""
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(counts)?.[1] ?? 0)
  const list = existsSync(unstable()) ? readFileSync(join(unstable(), "list"), "utf8") : ""
  return {
    code,
    printed: output + errors,
    tests: { passed: count("passed"), failed: count("failed"), skipped: count("skipped") },
    unstable: list.split("\n").flatMap((line) => (line === "" ? [] : [line.split(":")[0]]))
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "telemetry-tests-"))
  symlinkSync(join(Box.root, "node_modules"), join(folder, "node_modules"))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Shown with the failure. */
const printed: unknown = expect.any(String)

it("a failed file is run once more, alone, and listed with both outputs if it then passes", async () => {
  write({ held: `${HELD}\nit.skip("later", () => {})`, racy: `${failingOnce(FAILS)}\n${HELD}` })
  const tests = { passed: 3, failed: 0, skipped: 1 }
  expect(await run()).toEqual({ code: 0, printed, tests, unstable: ["racy.test.ts (one)"] })
  const kept = join(unstable(), "racy.test.ts-one-")
  expect(readdirSync(kept).sort()).toEqual(["again.txt", "first.txt"])
  expect(readFileSync(join(kept, "first.txt"), "utf8")).toContain("at first")
  const again = readFileSync(join(kept, "again.txt"), "utf8")
  expect(again).toContain("racy.test.ts")
  expect(again).not.toContain("held.test.ts")
})

it("a run fails if a file fails again, and counts each file by its last run", async () => {
  write({ held: HELD, racy: failingOnce(FAILS), wrong: `${ALWAYS}\n${HELD}` })
  const tests = { passed: 3, failed: 1, skipped: 0 }
  expect(await run()).toEqual({ code: 1, printed, tests, unstable: ["racy.test.ts (one)"] })
})

it("no file is run again if more than five fail", async () => {
  write(Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [name, failingOnce(FAILS)])))
  const tests = { passed: 0, failed: 6, skipped: 0 }
  const message: unknown = expect.stringContaining("6 files failed, more than 5: none is run again.")
  expect(await run()).toEqual({ code: 1, printed: message, tests, unstable: [] })
})

it("a file whose process ended is run again", async () => {
  write({ aborted: failingOnce(`process.kill(process.pid, "SIGKILL")\n  return new Promise(() => {})`) })
  const tests = { passed: 1, failed: 0, skipped: 0 }
  expect(await run()).toEqual({ code: 0, printed, tests, unstable: ["aborted.test.ts (one)"] })
})

it("a file with an error outside of its tests is run again", async () => {
  const thrown = `process.once("uncaughtExceptionMonitor", () => done())`
  write({
    thrown: failingOnce(`setTimeout(() => { throw new Error("outside") })
  return new Promise((done) => ${thrown})`)
  })
  const tests = { passed: 1, failed: 0, skipped: 0 }
  expect(await run()).toEqual({ code: 0, printed, tests, unstable: ["thrown.test.ts (one)"] })
})

it("no file is run again if the run itself failed", async () => {
  writeFileSync(join(folder, "setup.ts"), `export default () => { throw new Error("outside") }`)
  write({ racy: failingOnce(FAILS) }, `, globalSetup: ["setup.ts"]`)
  const tests = { passed: 0, failed: 0, skipped: 0 }
  const message: unknown = expect.stringContaining("outside")
  expect(await run()).toEqual({ code: 1, printed: message, tests, unstable: [] })
})

it("a file is run again in the project in which it failed", async () => {
  write({ racy: failingOnce(FAILS) }, "", ["one", "two"])
  const tests = { passed: 2, failed: 0, skipped: 0 }
  const listed: unknown = expect.stringMatching(/^racy\.test\.ts \((one|two)\)$/)
  expect(await run()).toEqual({ code: 0, printed, tests, unstable: [listed] })
})

it("no file is run again outside CI", async () => {
  write({ racy: failingOnce(FAILS) })
  const tests = { passed: 0, failed: 1, skipped: 0 }
  expect(await run({})).toEqual({ code: 1, printed, tests, unstable: [] })
})

it("the processes of tests end with a run that is killed, though a test waits", async () => {
  const server = createServer()
  const connected = once(server, "connection") as Promise<[Socket]>
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  write({
    waits: `import { connect } from "node:net"
it("waits", () => new Promise(() => connect(${port}, "127.0.0.1")), 1e9)`
  })
  const runs = spawn(process.execPath, args, { cwd: folder, env: environment({}), stdio: "ignore" })
  const [socket] = await connected
  socket.on("error", () => undefined).resume()
  runs.kill("SIGKILL")
  await new Promise((done) => socket.once("close", done))
  expect(socket.closed).toBe(true)
  server.close()
})
