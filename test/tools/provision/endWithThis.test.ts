/** What a process started ends when it is killed, and had no time to end it. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const module = fileURLToPath(new URL("../../../tools/provision/endWithThis.ts", import.meta.url))

/** Starts a process that never ends by itself and whose output is its own, and says its id; with `more`, goes on. */
const starting = (more = "setInterval(() => {}, 1e6)") => {
  const started = `spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "inherit" })`
  const script = `
    import { spawn } from "node:child_process"
    import { endWithThis } from ${JSON.stringify(module)}
    const child = endWithThis(${started})
    console.log("started")
    ${more}`
  const args = ["--input-type=module", "-e", script]
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], detached: true })
}

it.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
  "ends with a process that is ended by %s",
  async (signal) => {
    const process = starting()
    await once(createInterface(process.stdout), "line")
    process.kill(signal)
    // Its output ends when both have ended.
    const [, ended] = (await once(process, "close")) as [number | null, NodeJS.Signals | null]
    expect(ended).toBe(signal)
  }
)

it("keeps no process running that has nothing else to do", async () => {
  const process = starting("child.unref()")
  const [code] = (await once(process, "close")) as [number | null]
  expect(code).toBe(0)
})
