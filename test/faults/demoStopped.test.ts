/** A demo that is asked to end, while its processes do not end. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { alive } from "../blackbox/serviceProcesses.ts"

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number)

it.scopedLive.skipIf(process.platform !== "linux")("a demo that is stopped leaves no process behind", () =>
  Effect.gen(function* () {
    const main = join(Box.root, "dist/program/main.js")
    const args = [
      main,
      "demo",
      "--port",
      "0",
      "--stop-within",
      "1",
      ...Box.FLAGS,
      "--data",
      yield* Box.folder
    ]
    const demo = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] })),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    const ended = new Promise<number | null>((done) => demo.once("close", done))
    let errors = ""
    demo.stderr.on("data", (data: Buffer) => (errors += data.toString()))
    const lines = createInterface(demo.stdout)
    yield* Effect.promise(
      () => new Promise<void>((done) => lines.on("line", (line) => line.startsWith("Ctrl+C") && done()))
    )
    const children = childrenOf(demo.pid!)
    expect(children).toHaveLength(2)
    for (const pid of children) process.kill(pid, "SIGSTOP")
    demo.kill("SIGINT")
    expect(yield* Effect.promise(() => ended)).toBe(1)
    expect(errors).toBe("Did not end within 6 s of the signal to stop. Its processes were killed.\n")
    yield* Box.until(
      Effect.sync(() => children.some(alive)),
      (any) => !any
    )
  })
)
