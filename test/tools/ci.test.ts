/** `.ci/run`, with an npm that prints what the suite would. */
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { createInterface } from "node:readline"
import { afterEach, beforeEach, expect, it } from "vitest"
import { root } from "../support/processes.ts"

let folder = ""

/** The effect of each `npm COMMAND`; nothing is installed. */
const write = (npm: string) => {
  const bin = join(folder, "bin")
  mkdirSync(bin)
  const programs = { npm, "apt-get": "", sudo: "" }
  for (const [name, does] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/bash\n${does}\n`)
    chmodSync(join(bin, name), 0o755)
  }
}

const start = () =>
  spawn("bash", [".ci/run"], {
    cwd: join(folder, "clone"),
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}` }
  })

const linesOf = async (child: ChildProcess) => {
  const lines: Array<string> = []
  for await (const line of createInterface(child.stdout!)) lines.push(line)
  return lines
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "telemetry-ci-"))
  cpSync(join(root, ".ci/run"), join(folder, "clone/.ci/run"))
  writeFileSync(
    join(folder, "clone/package.json"),
    `{ "scripts": { "test:pages": "-", "test:faults": "-" } }`
  )
})
afterEach(() => rmSync(folder, { recursive: true }))

it.skipIf(process.platform === "win32")(
  ".ci/run lists unstable files, counts tests, and fails for failed parts",
  async () => {
    write(`
case "$*" in
  test)
    mkdir -p "$TELEMETRY_TEST_UNSTABLE"
    echo "test/racy.test.ts: twice" >"$TELEMETRY_TEST_UNSTABLE/list"
    echo "      Tests  1 failed | 8 passed (9)"
    echo "      Tests  0 failed | 9 passed | 2 skipped" ;;
  *test:pages) echo "      Tests  1 failed | 3 passed (4)"; exit 1 ;;
  *test:faults) kill -9 $$ ;;
esac`)
    const child = start()
    const status = new Promise((done) => child.once("close", done))
    const lines = await linesOf(child)
    expect(await status).toBe(1)
    expect(lines.slice(-3)).toEqual([
      "unstable:",
      "  test/racy.test.ts: twice",
      "12 passed, 1 failed, 2 skipped"
    ])
    // As `printf '%5d s  %-9s %s%s'` writes them.
    const results = lines.flatMap((line) =>
      /^ +\d+ s {2}\S+.* npm /.test(line) ? line.slice(9).split(": Tests")[0] : []
    )
    expect(results).toEqual([
      "ok        npm ci",
      "ok        npm audit",
      "ok        npm test",
      "FAILED    npm run test:pages",
      "NO TIME   npm run test:faults",
      "ok        two minutes of npm run soak"
    ])
  }
)

it.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const)(
  ".ci/run ends the processes of its part with %s",
  async (signal) => {
    // Its output ends when all processes that write to it have ended.
    write(`[ "$1" != test ] || { sleep 1000000 & echo started; wait; }`)
    const child = start()
    const lines = linesOf(child)
    createInterface(child.stdout).on("line", (line) => {
      if (line === "started") child.kill(signal)
    })
    expect(await lines).toContain("started")
  }
)
