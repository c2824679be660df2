/** A data folder belongs to one service: a second start on it is refused, and changes nothing. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePorts } from "../../tools/provision/serverProcess.ts"
import * as Box from "../support/processes.ts"
import { alive, processesOf } from "../blackbox/serviceProcesses.ts"
import { endlessDrive } from "./endlessDrive.ts"
import { openSqlite, valueOf } from "../support/sqliteFile.ts"

/** Time limit of tests with many starts; on a busy machine each takes seconds. */
const TIME_LIMIT = 300_000

interface Lap {
  readonly lap_number: number
  readonly valid: boolean
}

const second = (data: string, ...flags: ReadonlyArray<string>) =>
  Box.run("main.js", ["--port", "0", "--data", data, ...flags])

const inUse = (data: string, pid: number) => `${data} is in use by process ${pid}\n`

/** The rows of a table of the store's file. */
const rowsOf = (data: string, query: string): ReadonlyArray<unknown> => {
  const file = openSqlite(join(data, "telemetry.sqlite"), { readOnly: true })
  try {
    return file.prepare(query).all()
  } finally {
    file.close()
  }
}

const recordingFrom = Effect.fn(function* (service: Box.Running) {
  yield* Box.connect(service, yield* endlessDrive)
  yield* Box.stored(service, 201)
})

/** A port that another program uses. */
const takenPort = Effect.map(
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((done) => {
          const server = createServer().listen(0, "127.0.0.1", () => done(server))
        })
    ),
    (server) => Effect.promise(() => new Promise((done) => server.close(done)))
  ),
  (server) => String((server.address() as AddressInfo).port)
)

describe("a data folder in use", () => {
  it.scopedLive(
    "is refused to a second service and to commands that would change it, and the first records on",
    () =>
      Effect.gen(function* () {
        const elsewhere = yield* Box.folder
        yield* Effect.scoped(Box.startService(elsewhere))
        const data = yield* Box.folder
        const first = yield* Box.startService(data)
        yield* recordingFrom(first)
        const before = rowsOf(data, "SELECT * FROM sessions")
        expect(before).toMatchObject([{ id: 1, recording: 1 }])
        const refusal = { code: 1, output: "", errors: inUse(data, first.child.pid!) }

        expect(yield* second(data)).toEqual(refusal)
        expect(yield* second(data, "--workers", "2")).toEqual(refusal)
        // By any of its names.
        expect(yield* second(`${data}/../${data.split("/").at(-1)}`)).toEqual(refusal)
        const { port } = new URL(first.address)
        expect(yield* Box.run("main.js", ["--data", data, "--port", port])).toEqual(refusal)
        expect(yield* Box.run("main.js", ["adopt", "--data", data])).toEqual(refusal)
        expect(yield* Box.run("main.js", ["migrate", "--from", elsewhere, "--to", data])).toEqual(refusal)

        // The session is recorded on, into one lap, and is not deleted.
        const counts = (yield* Box.connectionOf(first))!
        const after = yield* Box.until(
          Box.connectionOf(first),
          (connection) => connection!.points_stored > counts.points_stored + 200
        )
        expect(after).toMatchObject({ session_id: 1, points_dropped: 0, points_rejected: 0 })
        expect(rowsOf(data, "SELECT recording FROM sessions")).toEqual([{ recording: 1 }])
        expect((yield* Box.ask(first, "DELETE", "/sessions/1")).status).toBe(409)
        expect(yield* Box.get<ReadonlyArray<Lap>>(first, "/1/laps")).toEqual([])
        // Meanwhile it may be copied.
        const copied = yield* Box.run("main.js", ["migrate", "--from", data, "--to", elsewhere])
        expect(copied.errors).toContain("Not copied, because they are being recorded")

        // The system releases the folder, however the process ends.
        yield* first.signal("SIGKILL")
        const next = yield* Box.startService(data)
        const { total_points } = yield* Box.get<{ readonly total_points: number }>(
          next,
          "/telemetry/range?session_id=1&sample_rate=1000000"
        )
        expect(total_points).toBeGreaterThanOrEqual(after!.points_stored)
        expect(yield* Box.get<ReadonlyArray<Lap>>(next, "/1/laps")).toMatchObject([
          { lap_number: 1, valid: false }
        ])
        expect(yield* next.signal("SIGTERM")).toBe(0)
        expect(existsSync(join(data, "service.pid"))).toBe(false)
      }),
    TIME_LIMIT
  )

  it.scopedLive(
    "is held by the supervisor of several processes; the next service waits for a recorder that still stores",
    () =>
      Effect.gen(function* () {
        const data = yield* Box.folder
        const first = yield* Box.startService(data, "--workers", "2")
        yield* recordingFrom(first)
        expect(yield* second(data)).toEqual({
          code: 1,
          output: "",
          errors: inUse(data, first.child.pid!)
        })
        const recorder = processesOf(first).get("recorder")!
        const { points_stored } = (yield* Box.connectionOf(first))!
        // It is paused before it can notice that its supervisor is gone: it still has points to store.
        process.kill(recorder, "SIGSTOP")
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => alive(recorder) && process.kill(recorder, "SIGKILL"))
        )
        first.child.kill("SIGKILL")
        yield* Box.until(
          Effect.sync(() => alive(first.child.pid!)),
          (still) => !still
        )
        const next = yield* Box.beginService(data, "--workers", "2")
        yield* Box.untilLogged(next, `process ${recorder} of a service that was killed still stores`)
        // The next service touches nothing before the recorder has ended.
        expect(rowsOf(data, "SELECT recording FROM sessions")).toEqual([{ recording: 1 }])
        expect(alive(recorder)).toBe(true)
        process.kill(recorder, "SIGCONT")
        const running = yield* next.ready
        expect(alive(recorder)).toBe(false)
        const { points } = yield* Box.get<{ readonly points: ReadonlyArray<unknown> }>(
          running,
          "/telemetry/range?session_id=1"
        )
        expect(points.length).toBeGreaterThanOrEqual(points_stored)
        // The recorder had ended its session itself: there was nothing to recover.
        expect(next.errors()).not.toContain("it is closed")
        expect(yield* next.signal("SIGTERM")).toBe(0)
      }),
    TIME_LIMIT
  )
})

describe("a port in use", () => {
  it.scopedLive(
    "is reported before anything is recovered",
    () =>
      Effect.gen(function* () {
        const data = yield* Box.folder
        const crashed = yield* Box.startService(data)
        yield* recordingFrom(crashed)
        yield* crashed.signal("SIGKILL")
        const port = yield* takenPort
        const left = () => rowsOf(data, "SELECT recording FROM sessions")
        for (const flags of [[], ["--workers", "2"]]) {
          const { code, errors, output } = yield* Box.run("main.js", [
            "--data",
            data,
            "--port",
            port,
            ...flags
          ])
          expect({ code, output }).toEqual({ code: 1, output: "" })
          expect(errors).toBe(`Cannot listen on 127.0.0.1:${port}: the port is in use\n`)
          expect(left()).toEqual([{ recording: 1 }])
        }
        // With workers the supervisor keeps the port until they run.
        const [free = 0] = yield* Effect.promise(() => freePorts(1))
        const service = yield* Box.start("main.js", [
          "--data",
          data,
          "--port",
          String(free),
          "--workers",
          "2"
        ])
        expect(new URL(service.address).port).toBe(String(free))
        expect(left()).toEqual([{ recording: 0 }])
      }),
    TIME_LIMIT
  )
})

describe("a data folder that cannot be used", () => {
  it.scopedLive(
    "ends the start at once, with a sentence",
    () =>
      Effect.gen(function* () {
        const folder = yield* Box.folder
        const file = join(folder, "file")
        writeFileSync(file, "in the way")
        const places: ReadonlyArray<readonly [string, RegExp]> = [
          ["/proc/nope", /no such file or directory/],
          ["/proc/nope/below", /no such file or directory/],
          [file, /a part of the path is a file/],
          [join(file, "below"), /a part of the path is a file/]
        ]
        for (const [data, why] of places) {
          for (const flags of [[], ["--workers", "2"]]) {
            const { code, errors, output } = yield* second(data, ...flags)
            expect({ data, code, output }).toEqual({ data, code: 1, output: "" })
            expect(errors).toContain(`Cannot use the data folder ${data}: `)
            expect(errors).toMatch(why)
            expect(errors.trim().split("\n")).toHaveLength(1)
          }
        }
        expect(readFileSync(file, "utf8")).toBe("in the way")
      }),
    TIME_LIMIT
  )
})

describe("a session that is deleted while it is recorded", () => {
  it.scopedLive(
    "counts no further points as stored, and recording goes on in a new one",
    () =>
      Effect.gen(function* () {
        const data = yield* Box.folder
        const service = yield* Box.startService(data)
        yield* recordingFrom(service)
        // The service refuses this to everyone: the test does it from outside, as a DELETE does.
        const file = openSqlite(join(data, "telemetry.sqlite"))
        file.exec("BEGIN IMMEDIATE")
        const before = Number(valueOf(file, "SELECT sum(length) FROM blocks WHERE group_name = 'points'"))
        file.exec(
          "DELETE FROM sessions WHERE id = 1; INSERT INTO deleted_sessions (session_id, pending) VALUES (1, 0)"
        )
        file.exec("DELETE FROM blocks WHERE session_id = 1")
        file.exec("COMMIT")
        yield* Box.until(Box.connectionOf(service), (connection) => connection?.session_id === 2)
        const { body } = yield* Box.ask<{ readonly message: string }>(service, "POST", "/disconnect")
        expect(body.message).toBe("Ended 1 connection")
        const metrics = yield* Effect.promise(async () => (await fetch(`${service.address}/metrics`)).text())
        const count = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(metrics)![1])
        const gone = count('telemetry_points_rejected_total\\{reason="session_gone"\\}')
        expect(gone).toBeGreaterThan(0)
        const kept = file
          .prepare(
            "SELECT session_id, sum(length) AS points FROM blocks WHERE group_name = 'points' GROUP BY 1"
          )
          .all()
        file.close()
        const points = Number(kept[0]?.["points"])
        expect(kept).toEqual([{ session_id: 2, points }])
        const storedTotal = count("telemetry_points_stored_total")
        // Points written at that moment may not have been counted yet.
        expect(storedTotal).toBeGreaterThan(points)
        expect(storedTotal).toBeLessThanOrEqual(before + points)
        expect(count("telemetry_points_received_total")).toBe(storedTotal + gone)
      }),
    TIME_LIMIT
  )
})
