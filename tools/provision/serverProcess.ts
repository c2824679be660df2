/**
 * Runs servers of other makers as processes of ours, on free ports, for the demo, benchmarks and tests. They are ended
 * by their process id.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { randomInt } from "node:crypto"
import { createServer } from "node:net"
import { homedir } from "node:os"
import { join } from "node:path"
import { Data, Effect } from "effect"
import { endWithThis } from "./endWithThis.ts"

/** The folder that keeps provisioned files between runs, outside the repository. */
export const cacheFolder =
  process.env["TELEMETRY_TEST_CACHE"] ?? join(homedir(), ".cache", "telemetry-session-service")

/** The server ended before it answered, or did not answer in time. `output`: its last lines. */
export class ServerNotStarted extends Data.TaggedError("ServerNotStarted")<{ readonly output: string }> {
  override get message(): string {
    return `the server did not start: ${this.output}`
  }
}

/**
 * Systems give higher ports to programs that ask for any (from 32768 on Linux, from 49152 elsewhere). So no connection takes
 * the port of a server that is starting, or that is away for a while.
 */
const FIRST_PORT = 16_384
const LAST_PORT = 32_767

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false)
      else reject(error)
    })
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })

export const freePorts = async (count: number): Promise<ReadonlyArray<number>> => {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

export interface ServerProcess {
  readonly child: ChildProcess
  readonly output: () => string
  /** Ends it at once, like a power cut. */
  readonly kill: Effect.Effect<void>
}

/** Runs until the scope ends, or this process. */
export const serverProcess = (
  command: string,
  args: ReadonlyArray<string>,
  options: {
    readonly cwd?: string
    readonly uid?: number
    readonly gid?: number
    /** Ctrl+C in a terminal does not end it. */
    readonly detached?: boolean
  } = {}
) =>
  Effect.acquireRelease(
    Effect.sync((): ServerProcess => {
      const child = endWithThis(spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] }))
      let output = ""
      const keep = (data: Buffer) => {
        output = (output + data.toString()).slice(-20_000)
      }
      child.stdout.on("data", keep)
      child.stderr.on("data", keep)
      child.on("error", (error) => keep(Buffer.from(String(error))))
      const ended = new Promise<void>((done) => child.once("close", () => done()))
      return {
        child,
        output: () => output,
        kill: Effect.promise(() => {
          if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
          return child.pid === undefined ? Promise.resolve() : ended
        })
      }
    }),
    ({ kill }) => kill
  )

/** A server takes seconds to start, and several minutes where it shares its cores with many other programs. */
const READY_WITHIN_MS = 600_000
const TRY_EVERY_MS = 100

/** Tries until an attempt succeeds. */
export const ready = (server: ServerProcess, attempt: () => Promise<boolean>) =>
  Effect.gen(function* () {
    for (let tries = 0; tries < READY_WITHIN_MS / TRY_EVERY_MS; tries++) {
      if (server.child.exitCode !== null) break
      if (yield* Effect.promise(() => attempt().catch(() => false))) return
      yield* Effect.promise(() => new Promise((done) => setTimeout(done, TRY_EVERY_MS)))
    }
    return yield* new ServerNotStarted({ output: server.output() })
  })
