/** A session's file is written when it ends, where the configuration says so; the configuration outlives a restart. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "./processes.ts"

it.scopedLive("exports each session that ends, also one that the service's stop ends", () =>
  Effect.gen(function* () {
    const data = yield* Box.folder
    const first = yield* Box.startService(data)
    const config = yield* Box.get<object>(first, "/config")
    yield* Box.ask(first, "PUT", "/config", { ...config, auto_export: true, export_format: "csv" })
    yield* first.signal("SIGTERM")

    const second = yield* Box.startService(data)
    expect(yield* Box.get(second, "/config")).toEqual({ ...config, auto_export: true, export_format: "csv" })
    const simulator = yield* Box.startSimulator("--rate", "1000")
    yield* Box.connect(second, simulator)
    yield* Box.until(Box.connectionOf(second), (connection) => (connection?.points_stored ?? 0) > 1000)
    yield* Box.ask(second, "POST", "/disconnect")
    const file = join(data, "exports", "session-1.csv")
    yield* Box.until(
      Effect.sync(() => existsSync(file)),
      (exists) => exists
    )
    const served = yield* Effect.promise(async () =>
      (await fetch(`${second.address}/api/v1/export/session/1`)).text()
    )
    expect(readFileSync(file, "utf8")).toBe(served)

    yield* Box.connect(second, simulator)
    yield* Box.until(Box.connectionOf(second), (connection) => (connection?.points_stored ?? 0) > 1000)
    expect(yield* second.signal("SIGTERM")).toBe(0)
    expect(readdirSync(join(data, "exports")).sort()).toEqual(["session-1.csv", "session-2.csv"])
  })
)
