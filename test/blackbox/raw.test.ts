/** --keep-raw: a game's datagrams stay beside their session, make it anew, and go with it. */
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePort } from "../simulators/udp/udp.ts"
import * as Box from "../support/processes.ts"

interface Session {
  readonly id: number
  readonly circuit: string
  readonly driver: string
  readonly source: string
  readonly pinned: boolean
}

interface Lap {
  readonly lap_number: number
  readonly lap_time: number | null
  readonly sector1_time: number | null
  readonly valid: boolean
}

const lapsOf = (service: Box.Running, id: number) =>
  Effect.map(Box.get<ReadonlyArray<Lap>>(service, `/${id}/laps`), (laps) =>
    laps.map(({ lap_number, lap_time, sector1_time, valid }) => [lap_number, lap_time, sector1_time, valid])
  )

it.scopedLive("a session is made anew from its datagrams, which are replayed and removed", () =>
  Effect.gen(function* () {
    const [data, port] = [yield* Box.folder, yield* freePort]
    const file = (id: number) => join(data, "raw", `${id}.ndjson.gz`)
    const play = (...flags: ReadonlyArray<string>) =>
      Box.start("simulator/main.js", ["--port", String(port), "--speed", "30", ...flags])
    yield* Effect.scoped(
      Effect.gen(function* () {
        const service = yield* Box.startService(data, "--keep-raw", "--games", String(port))
        const game = yield* play("--protocol", "f1-2025")
        yield* Box.until(Box.lastSession(service), (id) => id === 1)
        yield* Box.until(lapsOf(service, 1), (laps) => laps.filter(([, time]) => time !== null).length >= 2)
        yield* Box.stop(game)
        yield* Box.ask(service, "PUT", "/sessions/1", { pinned: true })
        yield* Box.stop(service)
      })
    )
    expect(statSync(file(1)).size).toBeGreaterThan(10_000)
    const command = yield* Box.run("main.js", ["redecode", "1", "--data", data, "--log-level", "warn"])
    expect([command.code, command.output]).toEqual([0, expect.stringContaining("Made session 2 of")])
    const unknown = yield* Box.run("main.js", ["redecode", "7", "--data", data])
    expect([unknown.code, unknown.errors]).toEqual([1, expect.stringContaining("There is no session 7")])
    const service = yield* Box.startService(data, "--games", String(port))
    const [old, made] = [
      yield* Box.get<Session>(service, "/sessions/1"),
      yield* Box.get<Session>(service, "/sessions/2")
    ]
    expect([made.circuit, made.driver, made.source, made.pinned]).toEqual([
      old.circuit,
      old.driver,
      "import",
      true
    ])
    const laps = yield* lapsOf(service, 1)
    expect(yield* lapsOf(service, 2)).toEqual(laps)
    expect(existsSync(file(2))).toBe(true)
    expect((yield* Box.ask(service, "DELETE", "/sessions/1")).status).toBe(200)
    expect([existsSync(file(1)), existsSync(file(2))]).toEqual([false, true])
    // The bundled simulator plays it. Without the flag nothing is kept.
    yield* play("--capture", file(2), "--once")
    yield* Box.until(Box.lastSession(service), (id) => id === 3)
    const timed = (all: typeof laps) =>
      all.filter(([, time]) => time !== null).map(([number, time]) => [number, time])
    yield* Box.until(lapsOf(service, 3), (found) => timed(found).length === timed(laps).length)
    expect(timed(yield* lapsOf(service, 3))).toEqual(timed(laps))
    expect(existsSync(file(3))).toBe(false)
  })
)
