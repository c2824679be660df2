/** `telemetry import`, as a process. */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as Box from "../support/processes.ts"

const line = (message: unknown) => `${JSON.stringify(message)}\n`
const session = {
  type: "session",
  circuit: "Spa",
  vehicle: "GT3",
  driver: "Anna",
  datetime: "2020-05-01T10:00:00"
}
const points = (from: number, count: number) => ({
  type: "points",
  points: Array.from({ length: count }, (_, n) => ({
    timestamp: from + n / 10,
    speed: n % 300,
    rpm: 5000 + (n % 999)
  }))
})

/** The number of sessions in a catalog that another process has open. */
const sessionsIn = (file: string): number => {
  if (!existsSync(file)) return 0
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    return Number(database.prepare("SELECT count(*) AS count FROM sessions").get()!["count"])
  } catch {
    // Its tables are not there yet.
    return 0
  } finally {
    database.close()
  }
}

it.scopedLive(
  "killed in the midst, it leaves nothing for the service, and imports the same file afterwards",
  () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const [data, file] = [join(folder, "data"), join(folder, "long.ndjson")]
      const messages = [session, ...Array.from({ length: 300 }, (_, n) => points(n * 100, 1000))]
      writeFileSync(file, messages.map(line).join(""))
      const flags = ["import", "--data", data, "--log-level", "warn", file]
      const command = yield* Effect.fork(Box.run("main.js", flags))
      yield* Box.until(
        Effect.sync(() => sessionsIn(join(data, "telemetry.sqlite"))),
        (sessions) => sessions > 0
      )
      // As kill -9.
      yield* Fiber.interrupt(command)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const service = yield* Box.startService(data)
          expect(yield* Box.get(service, "/sessions")).toMatchObject({ total: 0 })
          expect(yield* Box.get(service, "/imports")).toMatchObject({
            items: [
              {
                name: "long.ndjson",
                state: "failed",
                detail: "It was cut off: import it again",
                sessions: []
              }
            ]
          })
        })
      )
      const again = yield* Box.run("main.js", flags)
      expect([again.code, again.output]).toEqual([0, expect.stringContaining("ok: 1 session, 1 lap")])
      const twice = yield* Box.run("main.js", flags)
      expect(twice.output).toContain("same as import 2")
    })
)
