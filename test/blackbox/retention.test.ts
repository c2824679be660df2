/** `--keep` on a folder with old sessions, in a service of several processes. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { samplePoints } from "../contracts/samples.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { Sessions } from "../../src/store/Sessions.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import * as Box from "../support/processes.ts"

const names = { circuit: "Spa", vehicle: "GT3", driver: "Anna" }
const COUNT = 20_000

/** Sessions of 2020, one of them pinned, and one of now. */
const filled = (data: string) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const points = yield* RowStore
    const ids: Array<number> = []
    for (const datetime of [1_600_000_000, 1_600_001_000, 1_600_002_000, Date.now() / 1000]) {
      const { id } = yield* sessions.createSession({ ...names, datetime }, { recording: false })
      const batch = samplePoints(datetime, COUNT)
      yield* points.write([{ sessionId: id, group: POINTS, batch }])
      yield* sessions.extendSessions(new Map([[id, { first: datetime, last: batch.timestamps[COUNT - 1]! }]]))
      ids.push(id)
    }
    yield* sessions.pinSession(ids[1]!, true)
    return ids
  }).pipe(Effect.provide(SqliteStore.layer(data)))

const exportsOf = (data: string) => join(data, "exports")

/** Automatic exports of these sessions, and a file of the user's. */
const exported = (data: string, ids: ReadonlyArray<number>) => {
  mkdirSync(exportsOf(data))
  for (const name of [...ids.map((id) => `session-${id}.csv`), "session-1.csv.mine"])
    writeFileSync(join(exportsOf(data), name), "")
}

interface Listed {
  readonly items: ReadonlyArray<{ readonly id: number }>
}

describe("--keep", () => {
  it.scopedLive("removes old sessions once, though several processes serve, and logs it", () =>
    Effect.gen(function* () {
      const data = yield* Box.folder
      const [first, pinned, third, now] = yield* filled(data)
      const service = yield* Box.startService(data, "--workers", "2", "--keep", "30")
      const list = Effect.map(Box.get<Listed>(service, "/sessions"), ({ items }) => items.map(({ id }) => id))
      yield* Box.until(list, (ids) => ids.length === 2)
      expect(yield* list).toEqual([now, pinned])
      const logged = () =>
        [...service.errors().matchAll(/Removed session (\d+), ended 2020/g)].map(([, id]) => Number(id))
      yield* Box.until(Effect.sync(logged), ({ length }) => length >= 2)
      expect(logged()).toEqual([first, third])
      const metrics = yield* Effect.promise(async () => (await fetch(`${service.address}/metrics`)).text())
      expect(metrics).toMatch(/^telemetry_sessions_removed_total\{reason="age"[^}]*\} 2$/m)
      expect((yield* Box.ask(service, "GET", `/telemetry/range?session_id=${first}`)).status).toBe(404)
      expect(yield* service.signal("SIGTERM")).toBe(0)
    })
  )

  it.scopedLive.each([
    [[], ["session-1.csv", "session-1.csv.mine", "session-2.csv", "session-3.csv", "session-4.csv"]],
    [["--remove-exports"], ["session-1.csv.mine", "session-2.csv", "session-4.csv"]]
  ])("leaves or removes automatic exports, as configured: %s", ([flags, left]) =>
    Effect.gen(function* () {
      const data = yield* Box.folder
      exported(data, yield* filled(data))
      const service = yield* Box.startService(data, "--keep", "30", ...flags!)
      const logged = Effect.sync(() => service.errors().match(/Removed session/g)?.length)
      yield* Box.until(logged, (times) => times === 2)
      expect(readdirSync(exportsOf(data)).toSorted()).toEqual(left)
    })
  )
})
