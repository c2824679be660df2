/** A real PgBouncer before a PostgreSQL, in transaction mode: each transaction has whichever connection is free. */
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { folderOnPath } from "../../../tools/provision/onPath.ts"
import { freePorts, ready, serverProcess } from "../../../tools/provision/serverProcess.ts"
import { answers, owner } from "./postgres.ts"
import { server } from "./server.ts"

/** Debian has it in a folder that only root's PATH has. */
const program = ["/usr/sbin", folderOnPath("pgbouncer") ?? ""]
  .map((folder) => join(folder, "pgbouncer"))
  .find((file) => existsSync(file))

export const pgbouncerHere = server(program !== undefined, "there is no PgBouncer")

/** The address of the same database through it, until the scope ends. `pool`: its connections to the server. */
export const behindPgbouncer = Effect.fn(function* (url: string, pool: number) {
  const { hostname, password, pathname, port, username } = new URL(url)
  const user = owner()
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "telemetry-pgbouncer-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  )
  const [own = 0] = yield* Effect.promise(() => freePorts(1))
  const settings = join(folder, "pgbouncer.ini")
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port || 5432} user=${username}${password === "" ? "" : ` password=${password}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${pool}
; The next transaction of a client has another connection, where there are several.
server_round_robin = 1
`
  )
  if (user.uid !== undefined && user.gid !== undefined) {
    for (const path of [folder, settings]) chownSync(path, user.uid, user.gid)
  }
  const behind = `postgres://postgres@127.0.0.1:${own}${pathname}`
  const process = yield* serverProcess(program!, [settings], { cwd: folder, ...user })
  yield* Effect.orDie(ready(process, () => answers(behind)))
  return behind
})
