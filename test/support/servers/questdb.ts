/** A real QuestDB: at an address given by the environment, or from Maven Central. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Effect, Either, Scope } from "effect"
import { questdbJar, startQuestdb } from "../../../tools/provision/questdb.ts"
import { freePorts, type ServerProcess } from "../../../tools/provision/serverProcess.ts"
import { type QuestdbAddress, readQuestdbAddress } from "../../../src/platform/addresses/questdb.ts"
import type { Need } from "../needing.ts"
import { server } from "./server.ts"
import { ofThisProcess, sendCommand, shared } from "./shared.ts"

const given = process.env["TELEMETRY_TEST_QUESTDB"]
const jar = given === undefined ? questdbJar() : undefined

export const questdbHere = server(
  given !== undefined || jar !== undefined,
  "there is no QuestDB (it takes Java and Maven, or TELEMETRY_TEST_QUESTDB)"
)

/** A server that tests start, and configure, themselves. */
export const ownQuestdbHere: Need =
  given === undefined
    ? questdbHere
    : { missing: "there is no QuestDB of the tests' own (TELEMETRY_TEST_QUESTDB is set)" }

let prefixes = 0

const sql = async ({ host, port }: QuestdbAddress, query: string) => {
  const answer = await fetch(`http://${host}:${port}/exec?query=${encodeURIComponent(query)}`)
  const { dataset = [], error } = (await answer.json()) as {
    readonly dataset?: ReadonlyArray<ReadonlyArray<unknown>>
    readonly error?: string
  }
  if (error !== undefined) throw new Error(error)
  return dataset
}

const LOOKS = 6
const LOOK_EVERY_MS = 50

/**
 * Suspends a table, `how`: with which cause. QuestDB 9.3.4 forgets a suspension that it is asked for while it applies (41 of 200
 * on a busy machine, with a commit every 20 ms), so it is asked again until the table stays suspended.
 */
const suspend = async (address: QuestdbAddress, table: string, how: string) => {
  await sql(address, `SELECT wait_wal_table('${table}')`)
  for (let looks = 0; looks < LOOKS;) {
    if (looks === 0) await sql(address, `ALTER TABLE ${table} SUSPEND WAL ${how}`)
    await setTimeout(LOOK_EVERY_MS)
    const [row] = await sql(address, `SELECT suspended FROM wal_tables() WHERE name = '${table}'`)
    looks = row?.[0] === true ? looks + 1 : 0
  }
}

const addressOf = (url: string) => Either.getOrThrowWith(readQuestdbAddress(url), (why) => new Error(why))

/** A server as tests use it; its tables have a prefix of their own. */
const used = (server: string) => {
  const url = `${server}${server.includes("?") ? "&" : "?"}prefix=t${process.pid}_${++prefixes}_`
  const address = addressOf(url)
  return {
    address,
    url,
    sql: (query: string) => sql(address, query),
    /** `table`: its whole name; `how`: the cause that is given. */
    suspend: (table: string, how = "") => Effect.promise(() => suspend(address, table, how))
  }
}

/** The run's server, which other tests use as well. */
export const sharedQuestdb = Effect.map(given === undefined ? shared("questdb") : Effect.succeed(given), used)

/** A server until the scope ends. */
export const startOwnQuestdb = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "telemetry-questdb-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  )
  const [http = 0, pg = 0] = yield* Effect.promise(() => freePorts(2))
  const started = Effect.orDie(startQuestdb(jar!, { folder, http, pg, small: true })).pipe(
    Scope.extend(scope)
  )
  let running: ServerProcess | undefined = yield* started
  return {
    url: `questdb://127.0.0.1:${http}?pg=${pg}`,
    /** Kills it at once; acknowledged data stays. */
    kill: Effect.suspend(() => {
      const killed = running
      running = undefined
      return killed?.kill ?? Effect.void
    }),
    /** Makes it hang: it keeps its connections, and answers nothing. */
    stop: Effect.sync(() => void running?.child.kill("SIGSTOP")),
    /** Lets it go on. */
    goOn: Effect.sync(() => void running?.child.kill("SIGCONT")),
    /** Starts it after a kill, with the same data on the same ports. */
    start: Effect.suspend(() =>
      running === undefined
        ? Effect.map(started, (process) => {
            running = process
          })
        : Effect.void
    )
  }
})

const never = Effect.dieMessage("a server that the environment gave is not ours to kill")

/** A server that the test may kill, unless the environment gave it; the next test finds it started. */
export const questdbServer = Effect.suspend(() =>
  given === undefined
    ? Effect.map(ofThisProcess("killable-questdb"), (url) => ({
        ...used(url),
        kill: sendCommand("killable-questdb", "kill"),
        start: sendCommand("killable-questdb", "start")
      }))
    : Effect.succeed({ ...used(given), kill: never, start: never })
)
