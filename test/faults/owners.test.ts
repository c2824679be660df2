/** Services that share servers: nodes of one catalog, and catalogs that must keep apart. */
import { cpSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Client } from "pg"
import { postgresHere, sharedPostgres } from "../support/servers/postgres.ts"
import { needing } from "../support/needing.ts"
import { questdbHere, sharedQuestdb } from "../support/servers/questdb.ts"
import * as Box from "../support/processes.ts"
import { NEVER_S } from "../support/never.ts"
import { endlessDrive } from "./endlessDrive.ts"

/** Time limit of tests with many starts; on a busy machine each takes seconds. */
const TIME_LIMIT = 600_000

interface Session {
  readonly id: number
  readonly circuit: string
}
interface Sessions {
  readonly items: ReadonlyArray<Session>
}
interface Lap {
  readonly lap_number: number
  readonly valid: boolean
}
interface Range {
  readonly total_points: number
}

const idsOf = (service: Box.Running) =>
  Effect.map(Box.get<Sessions>(service, "/sessions"), ({ items }) => items.map(({ id }) => id).sort())

/** The number of points that a service reads of a session; undefined while it answers that it cannot. */
const pointsOf = (service: Box.Running, id: number) =>
  Effect.map(
    Box.ask<Partial<Range>>(service, "GET", `/telemetry/range?session_id=${id}&sample_rate=100000`),
    ({ body }) => body.total_points
  )

const lapsOf = (service: Box.Running, id: number) => Box.get<ReadonlyArray<Lap>>(service, `/${id}/laps`)
const statusOfDelete = (service: Box.Running, id: number) =>
  Effect.map(Box.ask(service, "DELETE", `/sessions/${id}`), ({ status }) => status)

/** Records from this simulator; returns the session. */
const recording = Effect.fn(function* (service: Box.Running, simulator: Pick<Box.Running, "address">) {
  yield* Box.connect(service, simulator)
  const counts = yield* Box.stored(service, 101)
  return counts!.session_id!
})

/** Waits until the service stores more into the session. */
const recordsOn = Effect.fn(function* (service: Box.Running, id: number) {
  const before = (yield* Box.connectionOf(service))!
  const after = yield* Box.until(
    Box.connectionOf(service),
    (connection) => connection!.points_stored > before.points_stored + 100
  )
  expect(after).toMatchObject({ session_id: id, points_dropped: 0, points_rejected: 0 })
})

const pidOf = (service: Box.Running) => service.child.pid!

describe("two nodes of one PostgreSQL and QuestDB", needing(postgresHere, questdbHere), () => {
  it.scopedLive(
    "record, list and read each other's sessions, and end only their own",
    () =>
      Effect.gen(function* () {
        const postgres = yield* sharedPostgres
        const questdb = yield* sharedQuestdb
        const flags = ["--points", questdb.url, "--catalog", postgres.url]
        const query = (text: string) =>
          Effect.promise(async () => {
            const client = new Client(postgres.url)
            await client.connect()
            try {
              return (await client.query(text)).rows as ReadonlyArray<unknown>
            } finally {
              await client.end()
            }
          })
        const [dataA, dataB] = [yield* Box.folder, yield* Box.folder]
        // Both find an empty database, and servers without tables.
        const starting = [yield* Box.beginService(dataA, ...flags), yield* Box.beginService(dataB, ...flags)]
        const [a, b] = (yield* Effect.forEach(starting, ({ ready }) => ready)) as [Box.Running, Box.Running]
        const [ofA, ofB] = [
          yield* recording(a, yield* endlessDrive),
          yield* recording(b, yield* endlessDrive)
        ]
        for (const node of [a, b]) {
          expect(yield* idsOf(node)).toEqual([ofA, ofB].sort())
          expect(yield* pointsOf(node, ofA)).toBeGreaterThan(100)
          expect(yield* pointsOf(node, ofB)).toBeGreaterThan(100)
        }
        expect([yield* statusOfDelete(a, ofB), yield* statusOfDelete(b, ofA)]).toEqual([409, 409])

        // One crashes and comes back at once: it ends its own session, and none of the other's.
        yield* b.signal("SIGKILL")
        const again = yield* Box.startService(dataB, ...flags)
        yield* Box.untilLogged(again, `Session ${ofB} was being recorded when the service stopped`)
        expect(yield* lapsOf(a, ofB)).toMatchObject([{ lap_number: 1, valid: false }])
        expect(yield* query(`SELECT recording FROM sessions WHERE id = ${ofA}`)).toEqual([{ recording: 1 }])
        expect(yield* statusOfDelete(again, ofA)).toBe(409)
        yield* recordsOn(a, ofA)
        expect(yield* lapsOf(again, ofA)).toEqual([])

        // A copy of a node's folder is refused while the node runs.
        const copy = join(yield* Box.folder, "copy")
        cpSync(dataA, copy, { recursive: true })
        const refused = yield* Box.run("main.js", ["--port", "0", "--data", copy, ...flags])
        expect({ code: refused.code, output: refused.output }).toEqual({ code: 1, output: "" })
        expect(refused.errors).toContain(`The node of this data folder is process ${pidOf(a)} on `)
        expect(refused.errors).toContain(`in ${dataA}: if this folder is a copy, delete its node.json`)
        yield* recordsOn(a, ofA)
        rmSync(join(copy, "node.json"))
        const third = yield* Box.startService(copy, ...flags)
        expect(yield* pointsOf(third, ofB)).toBeGreaterThan(100)
        expect(yield* Box.stop(third)).toBe(0)

        // A session that one deletes is gone for the other.
        expect(yield* statusOfDelete(a, ofB)).toBe(200)
        expect(yield* idsOf(again)).toEqual([ofA])
        expect(yield* query("SELECT session_id, pending FROM deleted_sessions")).toEqual([
          { session_id: ofB, pending: 0 }
        ])

        // A node that does not come back is given up by hand, once its lease is over.
        yield* a.signal("SIGKILL")
        const node = (JSON.parse(readFileSync(join(dataA, "node.json"), "utf8")) as { readonly id: string })
          .id
        const giveUp = Box.run("main.js", ["adopt", "--catalog", postgres.url, "--node", node])
        // However long the request takes.
        yield* query("UPDATE nodes SET expires = expires + 3600")
        const lives = yield* giveUp
        expect({ code: lives.code, output: lives.output }).toEqual({ code: 1, output: "" })
        expect(lives.errors).toMatch(/ has not ended: it is .*, and its lease lasts another \d+ s\n$/)
        yield* query("UPDATE nodes SET expires = expires - 7200")
        yield* again.signal("SIGTERM")
        const lonely = yield* Box.startService(dataB, ...flags)
        yield* Box.untilLogged(lonely, `Sessions ${ofA} were being recorded by process ${pidOf(a)} on `)
        expect(yield* statusOfDelete(lonely, ofA)).toBe(409)
        yield* lonely.signal("SIGTERM")
        expect(yield* giveUp).toEqual({
          code: 0,
          errors: "",
          output: `The next start of a service ends the sessions ${ofA}\n`
        })
        const last = yield* Box.startService(dataB, ...flags)
        expect(yield* lapsOf(last, ofA)).toMatchObject([{ lap_number: 1, valid: false }])
        expect(yield* statusOfDelete(last, ofA)).toBe(200)
        expect(yield* Box.stop(last)).toBe(0)
      }),
    TIME_LIMIT
  )
})

describe("a service with a catalog of its own", needing(questdbHere), () => {
  it.scopedLive(
    "does not begin on another service's QuestDB, removes nothing there, and gets a lost catalog rebuilt",
    () =>
      Effect.gen(function* () {
        const questdb = yield* sharedQuestdb
        const store = ["--points", questdb.url]
        // The busy server may take long for the last points.
        const flags = [...store, "--stop-within", String(NEVER_S)]
        const points = Effect.promise(() =>
          questdb.sql(`SELECT count() FROM ${questdb.address.prefix}points`)
        )
        const data = yield* Box.folder
        const service = yield* Box.startService(data, ...flags)
        // With groups beside the points.
        const simulator = yield* Box.startSimulator("--rate", "200")
        const id = yield* recording(service, simulator)
        yield* Box.ask(service, "POST", "/disconnect")
        const kept = (yield* pointsOf(service, id))!
        yield* Box.until(points, ([row]) => row![0] === kept)

        const other = yield* Box.folder
        const start = ["--port", "0", "--data", other, ...flags]
        for (const more of [[], ["--workers", "2"]]) {
          const { code, errors, output } = yield* Box.run("main.js", [...start, ...more])
          expect({ code, output }).toEqual({ code: 1, output: "" })
          expect(errors).toMatch(
            /^The points in the questdb store belong to another catalog\..* prefix=NAME_ in --points, .* "telemetry adopt"$/m
          )
        }
        expect(yield* points).toEqual([[kept]])
        expect(yield* pointsOf(service, id)).toBe(kept)
        // With tables of its own it begins, and goes on as long as these do not become the other's.
        const apart = yield* Box.startService(yield* Box.folder, "--points", `${questdb.url}apart_`)
        expect(yield* idsOf(apart)).toEqual([])
        yield* apart.signal("SIGTERM")

        // The data folder is lost, and with it the catalog.
        const paths = [`/sessions/${id}`, `/${id}/laps`, `/telemetry/range?session_id=${id}`]
        const answers = (service: Box.Running) =>
          Effect.forEach(paths, (path) => Box.get<unknown>(service, path))
        const before = yield* answers(service)
        const laps = (yield* lapsOf(service, id)).length
        expect(yield* Box.stop(service)).toBe(0)
        const adopted = yield* Box.run("main.js", ["adopt", "--data", other, ...store])
        expect(adopted.errors).toBe("")
        expect(adopted.output).toMatch(
          new RegExp(
            `^Session ${id}: .+; ${laps} laps?, ${kept} points, \\d+ samples\\nAdopted 1 session; the points now belong to this catalog\\n$`
          )
        )
        expect(adopted.code).toBe(0)
        const rebuilt = yield* Box.startService(other, ...flags)
        expect(yield* answers(rebuilt)).toEqual(before)
        expect(yield* recording(rebuilt, simulator)).toBe(id + 1)
        // When the old folder is found again, it is the foreign one.
        const late = yield* Box.run("main.js", ["--port", "0", "--data", data, ...flags])
        expect(late.code).toBe(1)
        expect(yield* Box.stop(rebuilt)).toBe(0)
      }),
    TIME_LIMIT
  )
})
