/** QuestDB from Maven Central, for machines with Java. It needs only its jar, which is kept outside the repository. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { cacheFolder, ready, serverProcess } from "./serverProcess.ts"

/** The last version of 9.3 that was available when this was written. 9.3 is the last that runs on JDK 17. */
export const testedVersion = "9.3.4"

/** The version in use: the tested one, unless the environment names another. */
export const questdbVersion = process.env["TELEMETRY_QUESTDB_VERSION"] ?? testedVersion

const jar = join(cacheFolder, `questdb-${questdbVersion}.jar`)

/**
 * Its jar, from the cache or fetched by Maven; undefined on a machine without Java, or with neither the jar nor Maven.
 */
export const questdbJar = (): string | undefined => {
  try {
    execFileSync("java", ["-version"], { stdio: "ignore" })
    if (existsSync(jar)) return jar
    mkdirSync(cacheFolder, { recursive: true })
    const artifact = `-Dartifact=org.questdb:questdb:${questdbVersion}`
    execFileSync("mvn", ["-q", "-B", "dependency:copy", artifact, `-DoutputDirectory=${cacheFolder}`], {
      stdio: "ignore"
    })
    return existsSync(jar) ? jar : undefined
  } catch {
    return undefined
  }
}

export interface QuestdbFolder {
  /** The folder of its data; created when missing. */
  readonly folder: string
  readonly http: number
  readonly pg: number
  /** Starts in seconds and stays small, but is not fast. */
  readonly small: boolean
  /** Further lines of its configuration. */
  readonly settings?: ReadonlyArray<string>
  /** Ctrl+C in a terminal does not end it; the scope does, after its users have ended. */
  readonly detached?: boolean
}

/** Development mode lets tests suspend a table. */
const SMALL = `dev.mode.enabled=true
shared.worker.count=1
http.worker.count=1
pg.worker.count=1
wal.apply.worker.count=1
cairo.mat.view.enabled=false
cairo.writer.data.append.page.size=256k
cairo.wal.writer.data.append.page.size=128k
cairo.o3.column.memory.size=256k
`

/** The same as in docker-compose.servers.yml. */
const FAST = `cairo.writer.data.append.page.size=1M
cairo.o3.partition.split.min.size=2M
`

/** `config.validation.strict` refuses misspelt settings. */
const configuration = ({ http, pg, settings = [], small }: QuestdbFolder) => `config.validation.strict=true
http.bind.to=127.0.0.1:${http}
pg.net.bind.to=127.0.0.1:${pg}
http.min.enabled=false
line.tcp.enabled=false
line.udp.enabled=false
telemetry.enabled=false
line.auto.create.new.tables=false
${settings.map((line) => `${line}\n`).join("")}${small ? SMALL : FAST}`

/** Runs until the scope ends; succeeds when the server answers. */
export const startQuestdb = Effect.fn("provision.startQuestdb")(function* (
  server: string,
  options: QuestdbFolder
) {
  const { detached = false, folder, http, small } = options
  mkdirSync(join(folder, "conf"), { recursive: true })
  writeFileSync(join(folder, "conf", "server.conf"), configuration(options))
  const machine = small ? ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"] : ["-Xmx1g"]
  const main = ["-cp", server, "io.questdb.ServerMain", "-d", folder, "-n"]
  const process = yield* serverProcess("java", [...machine, ...main], { detached })
  yield* ready(process, async () => (await fetch(`http://127.0.0.1:${http}/ping`)).ok)
  return process
})
