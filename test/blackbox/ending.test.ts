/** The service can be ended however it was started, and stores everything that it received (contract, section 6). */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { thorough } from "../support/runs.ts"
import * as Box from "../support/processes.ts"
import { processesOf } from "./serviceProcesses.ts"

/** Starts a service that records; returns a number of points that it has received by now. */
const recording = Effect.fnUntraced(function* (service: Box.Running) {
  const simulator = yield* Box.startSimulator("--rate", "100")
  yield* Box.connect(service, simulator)
  const connection = yield* Box.until(Box.connectionOf(service), (one) => (one?.points_received ?? 0) > 200)
  return connection!.points_received
})

const stored = Effect.fnUntraced(function* (folder: string) {
  const service = yield* Box.startService(folder)
  const session = yield* Box.lastSession(service)
  const path = `/telemetry/range?session_id=${session}`
  const answer = yield* Box.get<{ readonly total_points: number }>(service, path)
  yield* service.signal("SIGTERM")
  return answer.total_points
})

const SERVICE = join(Box.root, "dist/program/main.js")

/** Starts the service, as the first of a group of processes, which is what a terminal ends. */
const started = (command: string, words: ReadonlyArray<string>, data: string) =>
  Box.startProgram(command, [...words, "--port", "0", "--data", data, ...Box.FLAGS], {
    cwd: Box.root,
    detached: true
  })

/** Node before 22.15 cannot become another program: the starter stays as its parent. */
const olderNode = fileURLToPath(new URL("./olderNode.cjs", import.meta.url))

/** The ways to start it in the README. */
const ways = {
  "node main.js": (data: string) => started(process.execPath, [SERVICE], data),
  "node main.js --workers 2": (data: string) => started(process.execPath, [SERVICE, "--workers", "2"], data),
  "npm start": (data: string) => started("npm", ["start", "--silent", "--"], data),
  "npm start, two workers": (data: string) =>
    started("npm", ["start", "--silent", "--", "--workers", "2"], data),
  npx: (data: string) => started("npx", ["--no-install", "telemetry"], data),
  "the starter of an older Node": (data: string) =>
    started(process.execPath, ["--require", olderNode, join(Box.root, "tools/run-node.mjs"), SERVICE], data),
  "a script": (data: string) => started("sh", ["-c", `"$0" "$@"; true`, process.execPath, SERVICE], data)
} as const

/** The ways to end it: a key at the terminal, a signal of the starter, or a closed terminal. */
const ends = {
  "Ctrl+C": { signal: "SIGINT", group: true },
  "SIGTERM to what was started": { signal: "SIGTERM", group: false },
  "a closed terminal": { signal: "SIGHUP", group: true },
  "SIGTERM to all of it": { signal: "SIGTERM", group: true },
  "SIGKILL of the starter": { signal: "SIGKILL", group: false }
} as const

const isThere = (group: number): boolean => {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}

/** A shell that is ended alone leaves its programs running; a script that should end with the service starts it with exec. */
const table = (Object.keys(ways) as ReadonlyArray<keyof typeof ways>).flatMap((way) =>
  (Object.keys(ends) as ReadonlyArray<keyof typeof ends>)
    .filter((end) => way !== "a script" || ends[end].group)
    .filter((end) => end !== "SIGKILL of the starter" || way === "the starter of an older Node")
    .map((end) => [way, end] as const)
)

/** Every way and every end in `npm test`: an end for each way. Every way by every end in `npm run test:long`. */
const rows = thorough
  ? table
  : Object.keys(ways).map((way, w) => {
      const own = table.filter(([one]) => one === way)
      // From the fifth one on, which only the starter of an older Node has.
      return own[(w + 4) % own.length]!
    })

it.scopedLive.each(rows)("%s, ended by %s: all is stored, and no process is left", ([way, end]) =>
  Effect.gen(function* () {
    const data = yield* Box.folder
    const service = yield* ways[way](data)
    const received = yield* recording(service)
    const { group, signal } = ends[end]
    const { pid } = service.child
    process.kill(group ? -pid! : pid!, signal)
    yield* Box.until(
      Effect.sync(() => isThere(pid!)),
      (left) => !left
    )
    // npm has a status of its own, and a shell that of the signal.
    if (way.startsWith("node"))
      expect([service.child.exitCode, service.errors()]).toEqual([0, expect.any(String)])
    // The starter's variable for the program is not a setting, and causes no warning.
    expect(service.errors()).not.toContain("no setting")
    expect(yield* stored(data)).toBeGreaterThanOrEqual(received)
  })
)

it.scopedLive("signals of a group that reach the supervisor last end no process before it", () =>
  Effect.gen(function* () {
    const data = yield* Box.folder
    const service = yield* ways["node main.js --workers 2"](data)
    const before = yield* recording(service)
    const processes = [...processesOf(service)]
    const areTheSame = () => isDeepStrictEqual([...processesOf(service)], processes)
    for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) {
      for (const [, pid] of processes) process.kill(pid, signal)
    }
    // A request on its way to a worker that ends gets no answer.
    yield* Effect.raceFirst(
      Box.until(Box.connectionOf(service), (one) => (one?.points_received ?? 0) > before + 200),
      Box.until(Effect.sync(areTheSame), (same) => !same)
    )
    expect(areTheSame()).toBe(true)
    expect(yield* service.signal("SIGINT")).toBe(0)
    expect(yield* stored(data)).toBeGreaterThanOrEqual(before + 200)
  })
)

/** Imitates the event that only Windows has: Node's reaction to it, caused by a signal of this system. */
const CTRL_BREAK = `data:text/javascript,process.once("SIGUSR2", () => process.emit("SIGBREAK"))`

it.scopedLive("Ctrl+Break: all is stored, and the status is 0", () =>
  Effect.gen(function* () {
    const data = yield* Box.folder
    const service = yield* started(process.execPath, ["--import", CTRL_BREAK, SERVICE], data)
    const received = yield* recording(service)
    expect(yield* service.signal("SIGUSR2")).toBe(0)
    expect(yield* stored(data)).toBeGreaterThanOrEqual(received)
  })
)
