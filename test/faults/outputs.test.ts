/** A log that cannot be written stops neither the recording nor the end. */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { endWithThis } from "../../tools/provision/endWithThis.ts"
import * as Box from "../support/processes.ts"
import { alive } from "../blackbox/serviceProcesses.ts"

const main = join(Box.root, "dist/program/main.js")

/** A query of this length is logged whole. */
const LONG = "x".repeat(4000)

const lost = (service: Pick<Box.Running, "address">) =>
  Effect.promise(async () => {
    const text = await (await fetch(`${service.address}/metrics`)).text()
    const counts = [...text.matchAll(/^telemetry_log_lines_lost_total(?:\{.*\})? (\d+)/gm)]
    expect(counts.length).toBeGreaterThan(0)
    return counts.reduce((sum, [, count]) => sum + Number(count), 0)
  })

/** Makes the service log until lines are lost, while it records. */
const logsAndRecords = (service: Box.Running) =>
  Effect.gen(function* () {
    const simulator = yield* Box.startSimulator("--rate", "100")
    yield* Box.connect(service, simulator)
    yield* Box.until(
      Effect.zipRight(
        Effect.all(Array.from({ length: 50 }, () => Box.get(service, `/sessions/7?${LONG}`))),
        lost(service)
      ),
      (lines) => lines > 0
    )
    const before = (yield* Box.connectionOf(service))!.points_stored
    yield* Box.until(Box.connectionOf(service), (connection) => connection!.points_stored > before + 100)
  })

const flagsIn = (folder: string, workers: number) => [
  "--port",
  "0",
  "--data",
  folder,
  "--workers",
  String(workers),
  "--log-level",
  "debug",
  ...Box.FLAGS
]

describe.skipIf(process.platform !== "linux").each([1, 2])("with %s workers, standard error", (workers) => {
  it.scopedLive("may be on a full disk", () =>
    Effect.gen(function* () {
      const flags = flagsIn(yield* Box.folder, workers)
      const toFull = ["-c", 'exec "$@" 2>/dev/full', "sh", process.execPath, main, ...flags]
      const service = yield* Box.startProgram("sh", toFull)
      yield* logsAndRecords(service)
      expect(yield* service.signal("SIGTERM")).toBe(0)
    })
  )

  it.scopedLive("may lose its reader", () =>
    Effect.gen(function* () {
      const service = yield* Box.startProgram(process.execPath, [
        main,
        ...flagsIn(yield* Box.folder, workers)
      ])
      service.child.stderr!.destroy()
      yield* logsAndRecords(service)
      expect(yield* service.signal("SIGTERM")).toBe(0)
    })
  )

  it.scopedLive("may be a paused terminal", () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const [first, pid] = [join(folder, "first"), join(folder, "pid")]
      const flags = flagsIn(join(folder, "data"), workers).join(" ")
      // Nothing reads the output that `script` passes on from its terminal.
      const held = `echo $$ >${pid}; exec ${process.execPath} ${main} ${flags} >${first}`
      const child = endWithThis(
        spawn("script", ["-qefc", held, "/dev/null"], { stdio: ["ignore", "pipe", "ignore"] })
      )
      const ended = new Promise((done) => child.once("exit", done))
      const line = yield* Box.until(
        Effect.sync(() => (existsSync(first) ? readFileSync(first, "utf8") : "")),
        (text) => text.endsWith("\n")
      )
      const address = /\S+:\/\/\S+/.exec(line)![0]
      const service = { child, address, errors: () => "", signal: () => Effect.succeed(null) }
      yield* logsAndRecords(service)
      process.kill(Number(readFileSync(pid, "utf8")), "SIGTERM")
      yield* Box.until(
        Effect.sync(() => alive(Number(readFileSync(pid, "utf8")))),
        (isAlive) => !isAlive
      )
      child.stdout.resume()
      expect(yield* Effect.promise(() => ended)).toBe(0)
    })
  )
})

it.scopedLive("a command ends though nothing reads its output", () =>
  Effect.gen(function* () {
    const folder = yield* Box.folder
    const service = yield* Box.startService(folder)
    expect(yield* service.signal("SIGTERM")).toBe(0)
    const verify = `"$@" >/dev/full; echo "ended with $?"`
    const { output } = yield* Box.runProgram("sh", [
      "-c",
      verify,
      "sh",
      process.execPath,
      main,
      "verify",
      "--data",
      folder
    ])
    expect(output).toBe("ended with 0\n")
  })
)
