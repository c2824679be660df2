/** A real QuestDB: at an address given by the environment, or from Maven Central. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Either, Scope } from "effect"
import { type QuestdbAddress, readQuestdbAddress } from "../../src/store/questdb/address.ts"
import { cacheFolder, freePorts, mustHaveServers, ready, serverProcess } from "./serverProcess.ts"

/** The last of 9.3 that Maven Central gave where this was written, which is the last that runs on JDK 17. */
export const QUESTDB_VERSION = "9.3.4"

const given = process.env["TELEMETRY_TEST_QUESTDB"]
const jar = join(cacheFolder, `questdb-${QUESTDB_VERSION}.jar`)

const provision = (): boolean => {
  if (given !== undefined || existsSync(jar)) return true
  try {
    mkdirSync(cacheFolder, { recursive: true })
    const artifact = `-Dartifact=org.questdb:questdb:${QUESTDB_VERSION}`
    const goal = ["dependency:copy", artifact, `-DoutputDirectory=${cacheFolder}`]
    execFileSync("mvn", ["-q", "-B", ...goal], { stdio: "ignore" })
    return existsSync(jar)
  } catch {
    return false
  }
}

/** Whether suites that need it can run. */
export const haveQuestdb = provision()
if (!haveQuestdb && mustHaveServers) {
  throw new Error("QuestDB could not be had: Maven and a JDK are needed, or TELEMETRY_TEST_QUESTDB")
}

/** Small and quick to start; `config.validation.strict` lets no misspelt setting pass. */
const configuration = (http: number, pg: number) =>
  `config.validation.strict=true
http.bind.to=127.0.0.1:${http}
pg.net.bind.to=127.0.0.1:${pg}
http.min.enabled=false
line.tcp.enabled=false
line.udp.enabled=false
telemetry.enabled=false
shared.worker.count=1
http.worker.count=1
pg.worker.count=1
wal.apply.worker.count=1
cairo.mat.view.enabled=false
cairo.writer.data.append.page.size=256k
cairo.wal.writer.data.append.page.size=128k
cairo.o3.column.memory.size=256k
line.auto.create.new.tables=false
`

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

const addressOf = (url: string) => Either.getOrThrowWith(readQuestdbAddress(url), (why) => new Error(why))

const started = (folder: string, http: number) =>
  Effect.gen(function* () {
    const heap = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    const main = ["-cp", jar, "io.questdb.ServerMain", "-d", folder, "-n"]
    const process = yield* serverProcess("java", [...heap, ...main])
    yield* ready(process, async () => (await fetch(`http://127.0.0.1:${http}/ping`)).ok)
    return process
  })

/** A server whose tables have a prefix of their own; one that tests may kill, unless the environment gave it. */
export const questdbServer = Effect.gen(function* () {
  const prefix = `t${process.pid}_${++prefixes}_`
  if (given !== undefined) {
    const url = `${given}${given.includes("?") ? "&" : "?"}prefix=${prefix}`
    const address = addressOf(url)
    const never = Effect.dieMessage("a server that the environment gave is not ours to kill")
    return { address, url, kill: never, start: never, sql: (query: string) => sql(address, query) }
  }
  const scope = yield* Effect.scope
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "telemetry-questdb-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  )
  const [http = 0, pg = 0] = yield* Effect.promise(() => freePorts(2))
  mkdirSync(join(folder, "conf"))
  writeFileSync(join(folder, "conf", "server.conf"), configuration(http, pg))
  const url = `questdb://127.0.0.1:${http}?pg=${pg}&prefix=${prefix}`
  const address = addressOf(url)
  let running = yield* started(folder, http)
  return {
    address,
    url,
    /** At once; what it acknowledged stays. */
    kill: Effect.suspend(() => running.kill),
    /** After a kill: the same data, on the same ports. */
    start: started(folder, http).pipe(
      Scope.extend(scope),
      Effect.andThen((process) => {
        running = process
      })
    ),
    sql: (query: string) => sql(address, query)
  }
})
