/** A real PostgreSQL: at an address given by the environment, or of binaries on this machine. */
import { execFileSync } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Scope } from "effect"
import { Client } from "pg"
import { folderOnPath } from "../../../tools/provision/onPath.ts"
import { freePorts, ready, serverProcess } from "../../../tools/provision/serverProcess.ts"
import type { Need } from "../needing.ts"
import { server } from "./server.ts"
import { shared } from "./shared.ts"

const given = process.env["TELEMETRY_TEST_POSTGRES"]

/** Debian keeps the server's programs outside PATH; the newest version wins. */
const binaries = (): string | undefined => {
  const debian = "/usr/lib/postgresql"
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = versions.map((version) => join(debian, version, "bin"))
  return folders.find((folder) => existsSync(join(folder, "initdb"))) ?? folderOnPath("initdb")
}

const bin = binaries()

/** It refuses to run as root: then `id` gives the package's user. */
const isRoot = process.getuid?.() === 0

export const postgresHere = server(
  given !== undefined || (bin !== undefined && (!isRoot || folderOnPath("id") !== undefined)),
  "there is no PostgreSQL (it takes its server's programs, and id where the tests run as root; or TELEMETRY_TEST_POSTGRES)"
)

/** A server that tests start, and configure, themselves. */
export const ownPostgresHere: Need =
  given === undefined
    ? postgresHere
    : { missing: "there is no PostgreSQL of the tests' own (TELEMETRY_TEST_POSTGRES is set)" }

const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"]).toString())

/** Another program's connection, as long as the scope. */
export const clientOf = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

/** If the tests run as root, the package's own user runs it. */
export const owner = (): { readonly uid?: number; readonly gid?: number } => {
  if (!isRoot) return {}
  return { uid: id("-u"), gid: id("-g") }
}

/** A port that listens is not enough: it does so while the server still starts up, and turns everybody down. */
export const answers = async (url: string): Promise<boolean> => {
  const client = new Client(url)
  client.on("error", () => undefined)
  try {
    await client.connect()
    return true
  } finally {
    await client.end()
  }
}

/** A folder below `parent` in which a server may keep its data, until the scope ends. */
const serverFolder = (parent: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(parent, "telemetry-postgres-"))
      const { gid, uid } = owner()
      if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
      return folder
    }),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  )

/**
 * A server until the scope ends, with its data below `parent`. `fill`: the program that makes its first data, and its arguments but for
 * the folder. `settings` are those of its command line.
 */
const startFilled = (
  parent: string,
  [program, ...fill]: readonly [string, ...ReadonlyArray<string>],
  settings: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const user = owner()
    const folder = yield* serverFolder(parent)
    const data = join(folder, "data")
    execFileSync(join(bin!, program), ["-D", data, ...fill], { cwd: folder, stdio: "ignore", ...user })
    const [port = 0] = yield* Effect.promise(() => freePorts(1))
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const local = ["-c", "unix_socket_directories=", "-c", "listen_addresses=127.0.0.1"]
    const started = Effect.gen(function* () {
      const process = yield* serverProcess(
        join(bin!, "postgres"),
        ["-D", data, "-p", String(port), ...local, ...settings],
        { cwd: folder, ...user }
      )
      yield* ready(process, () => answers(url))
      return process
    }).pipe(Effect.orDie, Scope.extend(scope))
    let running = yield* started
    return {
      url,
      /** Kills it at once; acknowledged data stays. */
      kill: Effect.suspend(() => running.kill),
      start: Effect.map(started, (process) => {
        running = process
      })
    }
  })

/** A server until the scope ends, empty, with its data below `parent`; `settings` are those of its command line. */
export const startPostgres = (parent: string, ...settings: ReadonlyArray<string>) =>
  startFilled(
    parent,
    ["initdb", "--auth=trust", "--username=postgres", "--no-sync", "--encoding=UTF8"],
    settings
  )

/** A server that copies another one, and takes no writes until it is promoted. */
export const startStandby = (parent: string, primary: string) => {
  const { hostname, port, username } = new URL(primary)
  const from = ["-h", hostname, "-p", port, "-U", username]
  return startFilled(
    parent,
    ["pg_basebackup", ...from, "-R", "-X", "stream", "-C", "-S", "standby", "-c", "fast"],
    []
  )
}

const never = Effect.dieMessage("a server that the environment gave is not ours to kill")

/** A server of the test's own, empty; one that tests may kill, unless the environment gave it. */
export const postgresServer =
  given === undefined ? startPostgres(tmpdir()) : Effect.succeed({ url: given, kill: never, start: never })

let databases = 0

/** An empty database in the run's server, which other tests use as well; or the one that the environment gave. */
export const sharedPostgres = Effect.gen(function* () {
  if (given !== undefined) return { url: given }
  const server = yield* shared("postgres")
  const name = `t${process.pid}_${++databases}`
  const administer = (statement: string) =>
    Effect.promise(async () => {
      const client = new Client({ connectionString: server })
      await client.connect()
      await client.query(statement)
      await client.end()
    })
  yield* Effect.acquireRelease(administer(`CREATE DATABASE ${name}`), () =>
    administer(`DROP DATABASE ${name} WITH (FORCE)`)
  )
  return { url: server.replace(/postgres$/, name) }
})
