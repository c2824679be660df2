/** Our programs as users run them: built, each a process of its own, ended by its id when the test's scope ends. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import { Data, Effect } from "effect"
import { endWithThis } from "../../tools/provision/endWithThis.ts"
import { NEVER_S } from "./never.ts"
import { sharedFolder } from "./sharedData.ts"

export const root = fileURLToPath(new URL("../../", import.meta.url))

export class ProcessEnded extends Data.TaggedError("ProcessEnded")<{
  readonly code: number | null
  readonly errors: string
}> {}

export interface Running {
  readonly child: ChildProcess
  /** The address of its first line. */
  readonly address: string
  /** The text written to standard error so far. */
  readonly errors: () => string
  readonly signal: (signal: NodeJS.Signals) => Effect.Effect<number | null>
}

interface Surroundings {
  readonly cwd?: string
  /** The whole environment; by default this process's own. */
  readonly env?: NodeJS.ProcessEnv
  /** The user of the process; by default this process's own. */
  readonly uid?: number
  /** Whether it leads a group of processes of its own. */
  readonly detached?: boolean
}

/** Runs a program until it ends; its exit status and output. On Windows npm is a script of its shell. */
export const runProgram = (command: string, args: ReadonlyArray<string>, options: Surroundings = {}) =>
  Effect.async<{ readonly code: number | null; readonly output: string; readonly errors: string }>(
    (resume) => {
      const shell = process.platform === "win32" && /^np[mx]$/.test(command)
      const child = endWithThis(spawn(command, args, { ...options, shell }))
      let output = ""
      let errors = ""
      child.stdout.on("data", (data: Buffer) => (output += data.toString()))
      child.stderr.on("data", (data: Buffer) => (errors += data.toString()))
      child.once("error", (error) => (errors += String(error)))
      child.once("close", (code) => resume(Effect.succeed({ code, output, errors })))
      return Effect.sync(() => child.kill("SIGKILL"))
    }
  )

export const runScript = (path: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = {}) =>
  runProgram(process.execPath, [path, ...args], { env: { ...process.env, ...env } })

/** The same for the built program. */
export const run = (script: string, flags: ReadonlyArray<string>, env?: NodeJS.ProcessEnv) =>
  runScript(join(root, "dist/program", script), flags, env)

export interface Starting extends Omit<Running, "address"> {
  /** Resolves when its first line is there. */
  readonly ready: Effect.Effect<Running, ProcessEnded>
}

/** Starts a program, and does not wait for it. */
const beginProgram = (command: string, args: ReadonlyArray<string>, options: Surroundings = {}) =>
  Effect.acquireRelease(
    Effect.sync((): Starting => {
      const child = endWithThis(spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] }))
      let errors = ""
      const ended = new Promise<number | null>((done) => child.once("close", (code) => done(code)))
      child.stderr.on("data", (data: Buffer) => (errors += data.toString()))
      const line = new Promise<string>((done) => createInterface(child.stdout).once("line", done))
      const begun = {
        child,
        errors: () => errors,
        signal: (signal: NodeJS.Signals) =>
          Effect.promise(() => {
            child.kill(signal)
            return ended
          })
      }
      const ready = Effect.raceFirst(
        Effect.map(
          Effect.promise(() => line),
          (first) => ({ ...begun, address: /\S+:\/\/\S+$/.exec(first)?.[0] ?? first })
        ),
        Effect.flatMap(
          Effect.promise(() => ended),
          (code) => new ProcessEnded({ code, errors })
        )
      )
      return { ...begun, ready }
    }),
    ({ child, signal }) =>
      child.exitCode === null && child.signalCode === null ? signal("SIGKILL") : Effect.void
  )

/** Starts a program; ready when its first line is there. */
export const startProgram = (command: string, args: ReadonlyArray<string>, options?: Surroundings) =>
  Effect.flatMap(beginProgram(command, args, options), ({ ready }) => ready)

/** Starts the built program, and does not wait for it. */
const begin = (script: string, flags: ReadonlyArray<string>) =>
  beginProgram(process.execPath, [join(root, "dist/program", script), ...flags])

/** Starts the built program; ready when its first line is there. */
export const start = (script: string, flags: ReadonlyArray<string>) =>
  Effect.flatMap(begin(script, flags), ({ ready }) => ready)

/** Stops a program. Returns its status, and if that is not 0, its standard error as well. */
export const stop = ({ errors, signal }: Running) =>
  Effect.map(signal("SIGTERM"), (code) => (code === 0 ? code : { code, errors: errors() }))

/** A folder that is removed at the end of the scope. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "telemetry-"))),
  // A process that was killed may leave a system call behind that still writes: the folder is then not empty.
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
)

/** Neither a simulator nor a process is given up on a busy machine, unless `flags` override these: the last of two flags counts. */
const PATIENT: ReadonlyArray<string> = ["--connect-timeout", String(NEVER_S), "--hung-after", String(NEVER_S)]

/** The flags of a test's service. It begins without the connections of the one before: a test connects where it wants. */
export const FLAGS: ReadonlyArray<string> = [...PATIENT, "--no-restore"]

export const beginService = (data: string, ...flags: ReadonlyArray<string>) =>
  begin("main.js", ["--port", "0", "--data", data, "--log-format", "json", ...FLAGS, ...flags])

export const startService = (data: string, ...flags: ReadonlyArray<string>) =>
  Effect.flatMap(beginService(data, ...flags), ({ ready }) => ready)

/** A service that opens the connections of the one before again. */
export const startAgain = (data: string, ...flags: ReadonlyArray<string>) =>
  start("main.js", ["--port", "0", "--data", data, "--log-format", "json", ...PATIENT, ...flags])

export const startSimulator = (...flags: ReadonlyArray<string>) =>
  start("simulator/main.js", ["--port", "0", ...flags])

export interface Answer<A> {
  readonly status: number
  readonly body: A
}

/** A JSON request to a service, on a connection of its own: an idle one may have been closed, or its worker may be gone. */
export const ask = <A>(service: Running, method: string, path: string, body?: unknown) =>
  Effect.promise(async (): Promise<Answer<A>> => {
    const response = await fetch(`${service.address}/api/v1${path}`, {
      method,
      headers: { connection: "close" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, body: (await response.json()) as A }
  })

export const get = <A>(service: Running, path: string) =>
  Effect.map(ask<A>(service, "GET", path), ({ body }) => body)

export const connect = (service: Running, simulator: Pick<Running, "address">, more: object = {}) => {
  const { hostname, port } = new URL(simulator.address)
  return ask<{ readonly connected: boolean }>(service, "POST", "/connect", {
    host: hostname,
    port: Number(port),
    app_name: "black box",
    // The system may choose a port that stands for another simulator if none is named.
    simulator: "native",
    ...more
  })
}

/** Waits until the program has logged this on standard error. */
export const untilLogged = ({ errors }: Pick<Running, "errors">, what: string | RegExp) =>
  until(Effect.sync(errors), (logged) =>
    typeof what === "string" ? logged.includes(what) : what.test(logged)
  )

/** Repeats a request until its answer is as wanted; the test's own time limit bounds it. */
export const until = <A>(question: Effect.Effect<A>, wanted: (answer: A) => boolean): Effect.Effect<A> =>
  Effect.flatMap(question, (answer) =>
    wanted(answer) ? Effect.succeed(answer) : Effect.delay(until(question, wanted), "50 millis")
  )

export interface ConnectionCounts {
  readonly state: string
  readonly session_id: number | null
  readonly points_received: number
  readonly points_stored: number
  readonly points_dropped: number
  readonly points_rejected: number
  /** Counts of samples of groups other than the points. */
  readonly samples_stored: number
}

/** The connection; undefined if there is none, and while the catalog is away. */
export const connectionOf = (service: Running) =>
  Effect.map(
    get<{ readonly connections?: ReadonlyArray<ConnectionCounts> }>(service, "/status"),
    ({ connections }) => connections?.[0]
  )

/** Waits until this many points of the connection are stored; its counts then. */
export const stored = (service: Running, points: number) =>
  until(connectionOf(service), (connection) => (connection?.points_stored ?? 0) >= points)

/** The id of the session that was recorded last; 0 before the first. */
export const lastSession = (service: Running) =>
  Effect.map(
    get<{ readonly items: ReadonlyArray<{ readonly id: number }> }>(service, "/sessions?limit=1000"),
    ({ items }) => Math.max(0, ...items.map(({ id }) => id))
  )

/** Lets a replay run to its session_end and has all of it stored; the counts before the connection was ended. */
export const replayed = Effect.fn(function* (service: Running, simulator: Running, points: number) {
  const connected = yield* connect(service, simulator)
  // Otherwise the wait would never end.
  if (connected.status !== 200) return yield* Effect.dieMessage(JSON.stringify(connected))
  const counts = yield* until(
    connectionOf(service),
    (connection) => connection?.points_stored === points && connection.session_id === null
  )
  yield* ask(service, "POST", "/disconnect")
  return counts!
})

const recordings = sharedFolder("data/recordings")

export const recordingFile = (name: string) => join(recordings, `${name}.ndjson.gz`)

export type Point = Readonly<Record<string, number>>

export interface LapMessage {
  readonly lap_number: number
  readonly lap_time: number | null
  readonly sector1_time: number | null
  readonly sector2_time: number | null
  readonly sector3_time: number | null
  readonly valid: boolean
  readonly start_time: number
  readonly end_time: number
}

/** A recording's content, by plain JSON.parse, which the service must give back. */
export const readRecording = (name: string) => readFeed(recordingFile(name))

/** The messages of a native feed that is kept in a compressed file. */
export const readFeed = (file: string) => {
  const messages = gunzipSync(readFileSync(file))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return {
    zero: messages[0]!["start_time"] as number,
    points: messages.flatMap((message) =>
      message["type"] === "points" ? (message["points"] as ReadonlyArray<Point>) : []
    ),
    laps: messages.filter((message) => message["type"] === "lap") as unknown as ReadonlyArray<LapMessage>
  }
}

export const readOfficial = (name: string) =>
  JSON.parse(readFileSync(join(recordings, `${name}.official.json`), "utf8")) as {
    readonly laps: ReadonlyArray<Readonly<Record<string, number | null | boolean>>>
  }
