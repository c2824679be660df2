/** kill -9 of the process that moves a spool to QuestDB: nothing is lost or doubled of the points, nor of any group. */
import { once } from "node:events"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { RowStore } from "../../src/store/RowStore.ts"
import * as QuestdbStore from "../../src/store/questdb/QuestdbStore.ts"
import * as SqliteSpool from "../../src/store/sqlite/SqliteSpool.ts"
import { ownerOf } from "../contracts/rowStoreOwning.ts"
import { expectGroup } from "../contracts/rowStoreSamplesSupport.ts"
import { expectStored } from "../contracts/rowStoreSupport.ts"
import { needing } from "../support/needing.ts"
import { ownQuestdbHere, questdbServer } from "../support/servers/questdb.ts"
import { temporaryFolder } from "../store/sqlite/folder.ts"
import { CATALOG, spooledGroups } from "./spooledGroups.ts"

const script = fileURLToPath(new URL("./moveUntilKilled.ts", import.meta.url))

const COMMITS = 100
/** Points before the server goes away. */
const DIRECT = 2
const session = spooledGroups(COMMITS)

const until = <A>(question: Effect.Effect<A>, wanted: (answer: A) => boolean): Effect.Effect<A> =>
  question.pipe(Effect.delay("5 millis"), Effect.repeat({ until: wanted }))

const spooledSessions = (folder: string) =>
  Effect.flatMap(SqliteSpool.make(folder, 1e9), ({ store }) => store.sessionIds).pipe(Effect.scoped)

/** Rows of a table; -1 while the server does not answer. */
const rowsOf = ({ sql }: Effect.Effect.Success<typeof questdbServer>, table: string) =>
  Effect.tryPromise(() => sql(`SELECT count() FROM ${table}`)).pipe(
    Effect.map((answer) => Number(answer[0]?.[0])),
    Effect.orElseSucceed(() => -1)
  )

describe("a spool that is being moved to QuestDB", needing(ownQuestdbHere), () => {
  // While a group is on its way, and while the points are: these come last.
  for (const [what, direct] of [
    ["tyres", (DIRECT * session.tyres.length) / COMMITS],
    ["points", (DIRECT * session.points.length) / COMMITS]
  ] as const) {
    it.scopedLive(`loses and doubles nothing if its process is killed among the ${what}`, () =>
      Effect.gen(function* () {
        const questdb = yield* questdbServer
        const folder = yield* temporaryFolder
        const stores = QuestdbStore.layer(folder, questdb.address, { writes: true })
        const table = `${questdb.address.prefix}${what}`

        yield* Effect.gen(function* () {
          const store = yield* RowStore
          yield* store.claim(ownerOf(CATALOG, [1]))
          for (let n = 0; n < DIRECT; n++) yield* store.write(session.commit(n))
          yield* questdb.kill
          for (let n = DIRECT; n < COMMITS; n++) yield* store.write(session.commit(n))
        }).pipe(Effect.provide(stores))
        yield* questdb.start

        const mover = yield* Effect.acquireRelease(
          Effect.sync(() =>
            spawn(process.execPath, [script, folder, questdb.url], {
              stdio: ["ignore", "ignore", "inherit"]
            })
          ),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        const exited = once(mover, "exit")
        yield* until(rowsOf(questdb, table), (rows) => rows > direct)
        mover.kill("SIGKILL")
        yield* Effect.promise(() => exited)
        // The move was under way.
        expect(yield* spooledSessions(folder)).toEqual([1])
        expect(yield* rowsOf(questdb, `${questdb.address.prefix}points`)).toBeLessThan(session.points.length)

        yield* Effect.gen(function* () {
          const store = yield* RowStore
          yield* store.claim(ownerOf(CATALOG, [1]))
          const whole = Effect.gen(function* () {
            yield* expectStored(1, session.points)
            yield* expectGroup(1, "tyres", session.tyres)
            yield* expectGroup(1, "fuel", session.fuel)
          })
          // Reads come from both sides while the rest moves, and then from the server alone.
          yield* whole
          yield* until(Effect.orDie(spooledSessions(folder)), (ids) => ids.length === 0)
          yield* whole
        }).pipe(Effect.provide(stores))
        for (const [name, { length }] of Object.entries({
          points: session.points,
          tyres: session.tyres,
          fuel: session.fuel
        }))
          expect([name, yield* rowsOf(questdb, `${questdb.address.prefix}${name}`)]).toEqual([name, length])
      })
    )
  }
})
