/** The children of a process that is killed end with it, though it had no time to end them. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const module = fileURLToPath(new URL("../../../tools/provision/endWithThis.ts", import.meta.url))

/** Starts a process that has an endless child with the same output, and prints a line; then it runs `more`. */
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
  "a child ends with a process that is ended by %s",
  async (signal) => {
    const process = starting()
    await once(createInterface(process.stdout), "line")
    process.kill(signal)
    // The output ends when both processes have ended.
    const [, ended] = (await once(process, "close")) as [number | null, NodeJS.Signals | null]
    expect(ended).toBe(signal)
  }
)

it("endWithThis keeps no process running that has nothing else to do", async () => {
  const process = starting("child.unref()")
  const [code] = (await once(process, "close")) as [number | null]
  expect(code).toBe(0)
})
