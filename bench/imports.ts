/**
 * Imports of files: the readers beside those of other programs, a folder of 200 files that is imported twice, and a file of 2 GB that
 * is uploaded while 100 live subscribers follow a car. The files are made here, and removed.
 *
 *   npm run bench -- imports        (RUNS, ONLY=part of a title, FILES, LARGE_MB, LIVE_S by environment)
 */
import { execFileSync } from "node:child_process"
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { filled, installPython, programs } from "../tools/provision/packages.ts"
import { serveCar } from "./fanout/feed.ts"
import type { Received } from "./fanout/subscribers.ts"
import { writeIbt, writeVbo } from "./imports/files.ts"
import { compare, type Figures, scaled, smoke, type Subject, wanted } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"
import { BUNDLE, startCommand, startProgram, startService } from "./suite/programs.ts"

const MB = 1e6
const START = 1_770_000_000
const SPEED = "M values a CPU second"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "telemetry-bench-imports-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

interface Read {
  readonly values: number
  /** s */
  readonly cpu: number
  /** Bytes. */
  readonly peak: number
}

const figuresOf = (output: string): Figures => {
  const { cpu, peak, values } = JSON.parse(output) as Read
  if (values === 0) throw new Error("nothing was read")
  return { [SPEED]: values / cpu / 1e6, "MB at most": peak / MB }
}

/** Other programs' readers: a folder with Python's packages, or why there is none. Smoke runs fetch nothing. */
const peers = smoke
  ? { folder: "", missing: "of a smoke run" }
  : filled("bench-imports", [readFileSync(here("imports/requirements.txt"))], (packages) =>
      installPython(packages, ["-r", here("imports/requirements.txt")])
    )
if (peers.missing !== undefined) console.log(`Without readers of other programs: ${peers.missing}`)

const compareReaders = async (title: string, file: string, names: ReadonlyArray<string>) => {
  const run = (command: string, args: ReadonlyArray<string>) => async () =>
    figuresOf(execFileSync(command, [...args, file], { encoding: "utf8" }))
  const others = peers.missing === undefined ? names : []
  const subjects: ReadonlyArray<Subject> = [
    { name: "ours", run: run(process.execPath, [here("imports/read.ts")]) },
    ...others.map((name) => ({
      name,
      run: run(join(programs(peers.folder), "python"), [here("imports/peers.py"), name])
    }))
  ]
  await compare({ title, subjects, ratios: others.map((to) => ({ figure: SPEED, of: "ours", to })) })
}

/** Runs `telemetry import` to its end. Succeeds with its lines, s, and its memory at most, bytes. */
const importFolder = async (data: string, files: string) => {
  const begin = performance.now()
  const program = await startCommand(process.execPath, [
    here(BUNDLE),
    ...["import", "--data", data, "--log-level", "warning", files]
  ])
  const lines = [program.line]
  let peak = 0
  for (;;) {
    if (lines.at(-1)!.includes(" files, ")) break
    peak = Math.max(peak, program.memory().peak)
    lines.push(await program.nextLine())
  }
  await program.stop()
  return { lines, peak, seconds: (performance.now() - begin) / 1000 }
}

const sessionsIn = (data: string): number => {
  const database = new DatabaseSync(join(data, "telemetry.sqlite"), { readOnly: true })
  try {
    return Number(database.prepare("SELECT count(*) AS count FROM sessions").get()!["count"])
  } finally {
    database.close()
  }
}

const FILES = setting("FILES", scaled(200, 3))

const twice = async (): Promise<Figures> => {
  const [data, files] = [mkdtempSync(join(folder, "data-")), join(folder, "files")]
  mkdirSync(files, { recursive: true })
  for (let n = 0; n < FILES; n++) {
    const path = join(files, `drive-${n}.ibt`)
    writeIbt(path, scaled(2 * MB, 0.2 * MB), START + n * 3600)
    // A file that changed just now is left.
    utimesSync(path, START + n, START + n)
  }
  const first = await importFolder(data, files)
  const second = await importFolder(data, files)
  const [ok, same] = [first, second].map(
    ({ lines }, n) => lines.filter((line) => line.includes(n === 0 ? ": ok: " : ": same as import ")).length
  )
  const stored = sessionsIn(data)
  rmSync(data, { recursive: true })
  rmSync(files, { recursive: true })
  if (ok !== FILES || same !== FILES || stored !== FILES) {
    throw new Error(`of ${FILES} files ${ok} were imported, ${same} known, and ${stored} sessions are there`)
  }
  return {
    "s, the first time": first.seconds,
    "s, the second time": second.seconds,
    "MB at most, the first time": first.peak / MB,
    "MB at most, the second time": second.peak / MB
  }
}

const LARGE_BYTES = setting("LARGE_MB", scaled(2000, 4)) * MB
const LIVE_S = setting("LIVE_S", scaled(120, 2))
const RATE = 60
const CLIENTS = scaled(100, 5)

interface Import {
  readonly id: number
  readonly state: string
  readonly values: number
}

/** Follows a car for LIVE_S; with a file, imports it meanwhile. */
const besideLive = async (file: string | undefined): Promise<Figures> => {
  const feed = await serveCar()
  const service = await startService()
  const api = `${service.url}/api/v1`
  const address = { host: "127.0.0.1", port: feed.port, app_name: "bench", simulator: "native" }
  const post = (path: string, init: RequestInit) => fetch(`${api}${path}`, { method: "POST", ...init })
  // The feed's own rate decides.
  const configuration = {
    connection: address,
    telemetry_rate: 10_000,
    auto_export: false,
    export_format: "csv"
  }
  await fetch(`${api}/config`, { method: "PUT", body: JSON.stringify(configuration) })
  await post("/connect", { body: JSON.stringify(address) })
  const messages = RATE * LIVE_S
  const clients = await startProgram("fanout/subscribers.ts", [
    JSON.stringify({
      url: `${api}/telemetry/live`,
      protocol: "websocket",
      warmUp: RATE,
      messages,
      clients: CLIENTS,
      read: true
    })
  ])
  await feed.send(RATE, RATE)
  await clients.nextLine()
  service.forgetPeak()
  const [before, begin] = [service.memory().now, performance.now()]
  const imported = async () => {
    if (file === undefined) return undefined
    const body = Readable.toWeb(createReadStream(file)) as NonNullable<RequestInit["body"]>
    const query = `/imports?name=large.ibt&size=${statSync(file).size}`
    const { id } = (await (await post(query, { body, duplex: "half" } as RequestInit)).json()) as Import
    for (;;) {
      const one = (await (await fetch(`${api}/imports/${id}`)).json()) as Import
      if (one.state !== "queued" && one.state !== "reading") {
        return { ...one, seconds: (performance.now() - begin) / 1000, peak: service.memory().peak }
      }
      await sleep(200)
    }
  }
  const [done] = await Promise.all([imported(), feed.send(messages, RATE)])
  const received = JSON.parse(await clients.nextLine()) as Received
  const peak = done?.peak ?? service.memory().peak
  await Promise.all([clients.stop(), service.stop()])
  feed.close()
  if (
    received.messages !== messages * CLIENTS ||
    received.disordered > 0 ||
    (done?.state ?? "done") !== "done"
  ) {
    throw new Error(`not everything arrived: ${JSON.stringify({ received, done })}`)
  }
  return {
    "ms latency p50": received.p50,
    "ms latency p99": received.p99,
    "MB more at most": (peak - before) / MB,
    ...(done === undefined
      ? {}
      : { "s to import": done.seconds, "M values a second": done.values / done.seconds / 1e6 })
  }
}

const IBT = "reading an .ibt file"
if (wanted(IBT)) {
  const file = join(folder, "read.ibt")
  writeIbt(file, scaled(400 * MB, MB), START)
  await compareReaders(IBT, file, ["pyirsdk", "libibt"])
  rmSync(file)
}
const VBO = "reading a .vbo file"
if (wanted(VBO)) {
  const file = join(folder, "read.vbo")
  writeVbo(file, scaled(100 * MB, MB))
  await compareReaders(VBO, file, ["pandas"])
  rmSync(file)
}
const TWICE = `a folder of ${FILES} files, twice`
if (wanted(TWICE)) await compare({ title: TWICE, subjects: [{ name: "telemetry import", run: twice }] })
const LIVE = `a file of ${LARGE_BYTES / MB} MB, beside ${CLIENTS} live subscribers`
if (wanted(LIVE)) {
  const file = join(folder, "large.ibt")
  writeIbt(file, LARGE_BYTES, START)
  await compare({
    title: LIVE,
    subjects: [
      { name: "while it is imported", run: () => besideLive(file) },
      { name: "without an import", run: () => besideLive(undefined) }
    ],
    ratios: [
      { figure: "ms latency p99", of: "while it is imported", to: "without an import", goal: { most: 2 } }
    ]
  })
}
