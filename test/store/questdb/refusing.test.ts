/** A QuestDB that answers, and refuses: it requires a user, is read-only, or has tables that differ from the service's. */
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Either, Layer } from "effect"
import { questdbJar, startQuestdb } from "../../../tools/provision/questdb.ts"
import { freePorts } from "../../../tools/provision/serverProcess.ts"
import { readQuestdbAddress } from "../../../src/platform/addresses/questdb.ts"
import type { StoreUnavailable } from "../../../src/domain/errors.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import { Connections } from "../../../src/store/questdb/Connections.ts"
import * as QuestdbStore from "../../../src/store/questdb/QuestdbStore.ts"
import { ownerOf } from "../../contracts/rowStoreOwning.ts"
import { groupSamples } from "../../contracts/groupSamples.ts"
import { expectStored, readAll, write } from "../../contracts/rowStoreSupport.ts"
import { samplePoints } from "../../contracts/samples.ts"
import { needing } from "../../support/needing.ts"
import { ownQuestdbHere, sharedQuestdb } from "../../support/servers/questdb.ts"
import { temporaryFolder } from "../sqlite/folder.ts"

const points = samplePoints(1.7e9, 300)
const later = samplePoints(1.7e9 + 3600, 10)

const addressOf = (url: string) => Either.getOrThrowWith(readQuestdbAddress(url), (why) => new Error(why))

const opened = (url: string) =>
  Effect.map(Layer.build(Layer.fresh(QuestdbStore.server(addressOf(url)))), Context.get(RowStore))

/** A server with these additional lines of configuration, and a way to restart it with others. */
const configured = Effect.fn(function* (...settings: ReadonlyArray<string>) {
  const folder = join(yield* temporaryFolder, "questdb")
  const [http = 0, pg = 0] = yield* Effect.promise(() => freePorts(2))
  const start = (lines: ReadonlyArray<string>) =>
    startQuestdb(questdbJar()!, { folder, http, pg, small: true, settings: lines })
  let running = yield* start(settings)
  return {
    url: (user = "") => `questdb://${user}127.0.0.1:${http}?pg=${pg}`,
    restart: Effect.fn(function* (...lines: ReadonlyArray<string>) {
      yield* running.kill
      running = yield* start(lines)
    })
  }
})

describe("a QuestDB that requires a user", needing(ownQuestdbHere), () => {
  it.scopedLive("is unhealthy until the address names the user", () =>
    Effect.gen(function* () {
      const { url } = yield* configured(
        "http.user=rig",
        "http.password=a;b@c",
        "pg.user=rig",
        "pg.password=a;b@c"
      )
      const unnamed = yield* configuredHealth(url("rig:wrong@"))
      expect(unnamed).toMatch(/password/)
      const store = yield* opened(url("rig:a%3Bb%40c@"))
      yield* store.claim(ownerOf("a catalog", [1]))
      yield* store.check
      yield* Effect.provideService(write(1, points), RowStore, store)
      yield* Effect.provideService(expectStored(1, points), RowStore, store)
    })
  )

  it.scopedLive("for HTTP alone is unhealthy as well", () =>
    Effect.gen(function* () {
      const { url } = yield* configured("http.user=rig", "http.password=secret")
      expect(yield* configuredHealth(url())).toMatch(
        /QuestDB answers 401 to a write: Unauthorized; the address names its http\.user: questdb:\/\/USER:PASSWORD@/
      )
    })
  )
})

/** The reason why the store of an address is unhealthy. */
const configuredHealth = Effect.fn(function* (url: string) {
  const store = yield* opened(url)
  const { cause, reason } = yield* Effect.flip(store.check)
  return reason ?? String(cause)
})

describe("a QuestDB that is read-only", needing(ownQuestdbHere), () => {
  it.scopedLive("is read, and is unhealthy until it takes a row", () =>
    Effect.gen(function* () {
      const server = yield* configured()
      const store = yield* opened(server.url())
      yield* store.claim(ownerOf("a catalog", [1]))
      yield* Effect.provideService(write(1, points), RowStore, store)
      yield* store.check
      yield* server.restart("readonly=true")
      yield* Effect.flip(Effect.provideService(write(1, later), RowStore, store))
      const failure = yield* Effect.flip(store.check)
      expect(String(failure.cause)).toMatch(/QuestDB answers 421 to a write: .*cannot receive writes/)
      yield* Effect.provideService(expectStored(1, points), RowStore, store)
      yield* server.restart()
      yield* Effect.eventually(store.check)
    })
  )
})

const shared = Effect.gen(function* () {
  const questdb = yield* sharedQuestdb
  const sql = (text: string) =>
    Effect.promise(() => questdb.sql(text.replaceAll("~", questdb.address.prefix)))
  return { ...questdb, sql }
})

describe("a QuestDB whose tables an analyst has changed", needing(ownQuestdbHere), () => {
  it.scopedLive("gives no points without their values, and names the missing column", () =>
    Effect.gen(function* () {
      const { address, sql, url } = yield* shared
      const store = yield* opened(url)
      const warm = groupSamples(1.7e9, 30, { rate: 6 })
      yield* store.claim(ownerOf("a catalog", [1]))
      yield* Effect.provideService(write(1, points), RowStore, store)
      yield* store.write([{ sessionId: 1, group: "tyres", batch: warm }])
      const channel = warm.channels[1]!
      const altered = (table: string, column: string, type: string) =>
        sql(`ALTER TABLE ~${table} ALTER COLUMN ${column} TYPE ${type}`).pipe(
          Effect.zipRight(sql(`SELECT wait_wal_table('~${table}')`))
        )

      yield* altered("tyres", channel, "FLOAT")
      // A process that has never read the group.
      const other = yield* opened(url)
      const last = yield* Effect.flip(
        other.last({ sessionId: 1, group: "tyres" }, 1.8e9, ["timestamp", channel])
      )
      expect(String((last as StoreUnavailable).cause)).toContain(`${channel} of its answer is no DOUBLE`)
      expect((yield* Effect.flip(other.check)).reason).toContain(`${channel} is FLOAT, and has to be DOUBLE`)
      yield* altered("tyres", channel, "DOUBLE")
      yield* other.check

      yield* altered("points", "rpm", "FLOAT")
      const failure = yield* Effect.flip(Effect.provideService(readAll(1), RowStore, store))
      expect(String((failure as StoreUnavailable).cause)).toMatch(/column \d+ rpm of its answer is no DOUBLE/)
      // Queries without that column find everything.
      const speeds = yield* Effect.provideService(
        readAll(1, undefined, ["timestamp", "speed"]),
        RowStore,
        store
      )
      expect(speeds.length).toBe(points.length)
      const { reason } = yield* Effect.flip((yield* opened(url)).check)
      expect(reason).toContain(
        `QuestDB's table ${address.prefix}points is not as the service made it: rpm is FLOAT, and has to be DOUBLE`
      )
      yield* altered("points", "rpm", "DOUBLE")
      expect((yield* Effect.provideService(readAll(1), RowStore, store)).length).toBe(points.length)
    })
  )
})

describe("a QuestDB with another program's table", needing(ownQuestdbHere), () => {
  it.scopedLive("is not written to, and the error names that table", () =>
    Effect.gen(function* () {
      const { address, sql, url } = yield* shared
      yield* sql("CREATE TABLE ~sessions (theirs LONG, ts TIMESTAMP) TIMESTAMP(ts) PARTITION BY DAY WAL")
      const store = yield* opened(url)
      const { reason } = yield* Effect.flip(
        Effect.catchTag(store.claim(ownerOf("a catalog")), "PointsOfAnother", Effect.die)
      )
      expect(reason).toMatch(
        /table \S+sessions is not as the service made it: session is lacking, .*prefix=NAME_/
      )
      expect(yield* Effect.map(Effect.flip(store.check), (failure) => failure.reason)).toBe(reason)
      const { rows } = Context.get(yield* Layer.build(Connections.layer(address)), Connections)
      const made = yield* rows("SELECT table_name FROM tables() WHERE table_name = $1", [
        `${address.prefix}points`
      ])
      expect(made).toEqual([])
    })
  )
})
