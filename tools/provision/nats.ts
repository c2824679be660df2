/** nats-server by Go, for machines that have it: Debian's is older than what the relay needs. It is kept outside the repository. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { cacheFolder, ready, serverProcess } from "./serverProcess.ts"

export const natsVersion = "2.15.3"

const program = join(cacheFolder, `nats-server-${natsVersion}`)

/** Its program, from the cache or built by Go; undefined on a machine with neither. */
export const natsServer = (): string | undefined => {
  if (existsSync(program)) return program
  mkdirSync(cacheFolder, { recursive: true })
  // In a folder of its own until it is whole, beside its later place.
  const folder = mkdtempSync(join(cacheFolder, "nats-"))
  try {
    const options = { env: { ...process.env, GOBIN: folder }, stdio: "ignore" } as const
    execFileSync("go", ["install", `github.com/nats-io/nats-server/v2@v${natsVersion}`], options)
    renameSync(join(folder, "nats-server"), program)
    return program
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a node that does not read may not do to the others: docs/scaling.md. */
const SETTINGS = `no_fast_producer_stall: true
max_pending: 8MB
write_deadline: "2s"
ping_interval: "5s"
max_payload: 1MB
`

export interface NatsOptions {
  readonly folder: string
  readonly port: number
  /** Further lines of its configuration. */
  readonly settings?: string
}

/** Runs until the scope ends; succeeds when the server answers. */
export const startNats = Effect.fn("provision.startNats")(function* (
  server: string,
  { folder, port, settings = "" }: NatsOptions
) {
  const file = join(folder, "nats.conf")
  writeFileSync(file, `${SETTINGS}${settings}`)
  const process = yield* serverProcess(server, ["-c", file, "-a", "127.0.0.1", "-p", String(port)], {
    cwd: folder
  })
  yield* ready(process, () => Promise.resolve(process.output().includes("Server is ready")))
  return { ...process, url: `nats://127.0.0.1:${port}` }
})
