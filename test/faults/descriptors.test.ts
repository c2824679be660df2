/** A service that may open few files. */
import { readdirSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"

/** The number of a process's descriptors of a file. */
const timesOpen = (pid: number, file: string) =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`) === file
    } catch {
      // It was closed in the meantime.
      return false
    }
  }).length

describe.skipIf(process.platform !== "linux")("file descriptors", () => {
  it.scopedLive("too few for a service end it with a sentence", () =>
    Effect.gen(function* () {
      const data = yield* Box.folder
      const main = join(Box.root, "dist/program/main.js")
      for (const few of [32, 64, 127]) {
        const line = `ulimit -n ${few} && exec "${process.execPath}" "${main}" --port 0 --data "${data}"`
        const { code, errors, output } = yield* Box.runProgram("sh", ["-c", line])
        expect(code).toBe(1)
        expect(errors).toContain(`Too few file descriptors: this process may open ${few}`)
        expect(output).toBe("")
      }
      expect(readdirSync(data)).toEqual([])
    })
  )

  it.scopedLive("just enough of them let it record: its writer opens its files before the first feed", () =>
    Effect.gen(function* () {
      const data = yield* Box.folder
      const main = join(Box.root, "dist/program/main.js")
      const line = `ulimit -n 128 && exec "${process.execPath}" "${main}" --port 0 --data "${data}" ${Box.FLAGS.join(" ")}`
      const service = yield* Box.startProgram("sh", ["-c", line])
      const open = Effect.sync(() => timesOpen(service.child.pid!, join(data, "telemetry.sqlite")))
      // The catalog's connection, and the writer's.
      yield* Box.until(open, (times) => times >= 2)
      const simulator = yield* Box.startSimulator("--rate", "100")
      yield* Box.connect(service, simulator)
      yield* Box.until(Box.connectionOf(service), (now) => (now?.points_stored ?? 0) > 100)
      expect(yield* service.signal("SIGTERM")).toBe(0)
    })
  )
})
