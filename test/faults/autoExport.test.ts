/** A session's file is written when it ends, if so configured; the configuration survives a restart. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { questdbHere, questdbServer } from "../support/servers/questdb.ts"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"

/** Waits for the file of a session, which must equal the service's export. */
const expectExported = Effect.fn(function* (data: string, service: Box.Running, session: number) {
  const file = join(data, "exports", `session-${session}.csv`)
  yield* Box.until(
    Effect.sync(() => existsSync(file)),
    (exists) => exists
  )
  const served = yield* Effect.promise(async () =>
    (await fetch(`${service.address}/api/v1/export/session/${session}`)).text()
  )
  expect(readFileSync(file, "utf8")).toBe(served)
})

const recordSome = Effect.fn(function* (service: Box.Running, simulator: Box.Running) {
  yield* Box.connect(service, simulator)
  yield* Box.stored(service, 1001)
})

it.scopedLive("the service exports each session that ends, also one that its own stop ends", () =>
  Effect.gen(function* () {
    const data = yield* Box.folder
    const first = yield* Box.startService(data)
    const config = yield* Box.get<object>(first, "/config")
    yield* Box.ask(first, "PUT", "/config", { ...config, auto_export: true, export_format: "csv" })
    yield* first.signal("SIGTERM")

    const second = yield* Box.startService(data)
    expect(yield* Box.get(second, "/config")).toEqual({ ...config, auto_export: true, export_format: "csv" })
    const simulator = yield* Box.startSimulator("--rate", "1000")
    yield* recordSome(second, simulator)
    yield* Box.ask(second, "POST", "/disconnect")
    yield* expectExported(data, second, 1)

    yield* recordSome(second, simulator)
    expect(yield* second.signal("SIGTERM")).toBe(0)
    expect(readdirSync(join(data, "exports")).sort()).toEqual(["session-1.csv", "session-2.csv"])
  })
)

describe("while QuestDB is away", needing(questdbHere), () => {
  it.scopedLive(
    "a session that ends is exported when QuestDB is back, also by a service that was killed",
    () =>
      Effect.gen(function* () {
        const questdb = yield* questdbServer
        const data = yield* Box.folder
        const start = Box.startService(data, "--points", questdb.url)
        const first = yield* start
        const config = yield* Box.get<object>(first, "/config")
        yield* Box.ask(first, "PUT", "/config", { ...config, auto_export: true })
        const simulator = yield* Box.startSimulator("--rate", "1000")
        const exports = Effect.sync(() => readdirSync(join(data, "exports")).sort())
        const endedWhileAway = Effect.fn(function* (session: number) {
          yield* recordSome(first, simulator)
          yield* questdb.kill
          yield* Box.ask(first, "POST", "/disconnect")
          yield* Box.until(Effect.sync(first.errors), (errors) =>
            errors.includes(`session ${session} is exported when it is back`)
          )
        })

        yield* endedWhileAway(1)
        expect(yield* exports).toEqual(["session-1.part"])
        yield* questdb.start
        yield* expectExported(data, first, 1)
        expect(yield* exports).toEqual(["session-1.csv"])

        yield* endedWhileAway(2)
        yield* first.signal("SIGKILL")
        const second = yield* start
        yield* questdb.start
        yield* expectExported(data, second, 2)
        expect(yield* exports).toEqual(["session-1.csv", "session-2.csv"])
      })
  )
})
