/**
 * Loggers of others, from PyPI, started as their authors' instructions say. Each has a home folder of its own and no
 * network: its requests (usage, updates, leaderboards) are switched off, and a proxy that does not exist refuses the
 * rest.
 *
 * - gt7tracetelem (TRACE): a window that shows a Gran Turismo 7 car and writes each lap as JSON, when it ends.
 * - f1-telemetry: keeps F1's telemetry in InfluxDB, a request for each row, 16 s late because of flashbacks, and sends
 *   some of it to browsers. The registries do not have InfluxDB, so a stand-in answers its requests and counts the rows
 *   (`influxStandIn.ts`); its cost is in no figure.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { folderOnPath } from "../../tools/provision/onPath.ts"
import { filled, installPython, programs } from "../../tools/provision/packages.ts"
import { type Program, startCommand } from "../suite/programs.ts"

export const TRACE = "gt7tracetelem 0.9.3"
export const F1_TELEMETRY = "f1-telemetry 2026.1.0"
const wanted = ["gt7tracetelem==0.9.3", "f1-telemetry==2026.1.0"]

const { folder, missing } = filled("loggers", wanted, (venv) => installPython(venv, wanted))
const python = join(programs(folder), "python")

/** Why it cannot be measured. */
const lacking = (name: string, programsNeeded: ReadonlyArray<string>, modules: ReadonlyArray<string>) => {
  if (missing !== undefined) return `${name} could not be had: ${missing}`
  const program = programsNeeded.find((needed) => folderOnPath(needed) === undefined)
  if (program !== undefined) return `${name} needs ${program}`
  try {
    execFileSync(python, ["-c", `import ${modules.join(", ")}`], { stdio: "ignore" })
    return undefined
  } catch {
    return `${name} needs Python's ${modules.join(", ")}`
  }
}

const reasons = new Map([
  [TRACE, lacking(TRACE, ["Xvfb"], ["tkinter", "gt7telem"])],
  [F1_TELEMETRY, lacking(F1_TELEMETRY, [], ["f1_telemetry"])]
])

/** Whether a logger is installed; says once which is left out, and why. */
export const isHere = (logger: string): boolean => reasons.get(logger) === undefined
for (const reason of reasons.values()) if (reason !== undefined) console.log(`left out: ${reason}`)

export interface Logger {
  readonly program: Program
  /** Its home folder. */
  readonly home: string
  readonly stop: () => Promise<void>
}

const environment = (home: string) => ({
  ...process.env,
  HOME: home,
  PYTHONUNBUFFERED: "1",
  HTTPS_PROXY: "http://127.0.0.1:9",
  https_proxy: "http://127.0.0.1:9"
})

const newHome = () => mkdtempSync(join(tmpdir(), "telemetry-bench-home-"))

/** Waits for a line with `text`; later lines are discarded. */
const until = async (program: Program, text: string) => {
  for (let line = program.line; !line.includes(text); line = await program.nextLine());
}

/** The console's ports, which a program cannot change. */
export const CONSOLE_PORT = 33739
export const ANSWER_PORT = 33740

const laps = (home: string) => join(home, "laps")

/** The lap files so far, each in its track's folder. */
export const lapFiles = (home: string): ReadonlyArray<string> =>
  readdirSync(laps(home), { recursive: true, encoding: "utf8" })
    .filter((name) => /^larkspur[^/]*\/[^/]*_\d{8}_\d{6}\.json$/i.test(name))
    .map((name) => join(laps(home), name))

/** The track's name as its user would type it; without it, the program asks for it at each lap. */
const window = `
from gt7telem import dashboard
app = dashboard.App()
app.track_var.set("Larkspur Park")
app.mainloop()
`

/** Runs with its window on a virtual screen; it records every lap by itself from the next line on, each packet. */
export const startTrace = async (): Promise<Logger> => {
  const home = newHome()
  mkdirSync(join(home, ".gt7telem"))
  mkdirSync(laps(home))
  const settings = {
    PS_IP: "127.0.0.1",
    KNOWN_IPS: ["127.0.0.1"],
    LAPS_FOLDER: laps(home),
    SAMPLE_RATE: 60,
    AUTO_LAP_ENABLED: true,
    ONBOARDING_DONE: true,
    ANALYTICS_ENABLED: false,
    UPDATE_CHECK_ENABLED: false,
    GHOST_ENABLED: false,
    NOTIFY_ENABLED: false,
    VOICE_ENABLED: false,
    KEEP_AWAKE_ENABLED: false
  }
  writeFileSync(join(home, ".gt7telem", "settings.json"), JSON.stringify(settings))
  const screen = await startCommand("Xvfb", [
    "-displayfd",
    "1",
    "-screen",
    "0",
    "1400x1000x24",
    "-nolisten",
    "tcp"
  ])
  const program = await startCommand(python, ["-c", window], {
    ...environment(home),
    DISPLAY: `:${screen.line.trim()}`
  })
  await until(program, "Listening on")
  return {
    program,
    home,
    stop: async () => {
      await program.stop("SIGKILL")
      await screen.stop()
      rmSync(home, { recursive: true })
    }
  }
}

const reading = `
import json, sys, time
from gt7telem.lap_analyst import load_lap
times = []
for _ in range(int(sys.argv[2])):
    before = time.perf_counter()
    points = len(load_lap(sys.argv[1])[1])
    times.append((time.perf_counter() - before) * 1000)
print(json.dumps({"points": points, "ms": sorted(times)[len(times) // 2]}))
`

/** Reads a lap's file with its own Lap Analyst this many times, in a process that has loaded it: the median in ms. */
export const readLap = (file: string, times: number): { readonly points: number; readonly ms: number } =>
  JSON.parse(
    execFileSync(python, ["-c", reading, file, String(times)], { encoding: "utf8", env: environment(folder) })
  ) as { points: number; ms: number }

/** The address where browsers listen. */
export const F1_TELEMETRY_LIVE = "ws://localhost:20775"

export const startF1Telemetry = async (port: number): Promise<Logger> => {
  const home = newHome()
  const command = join(programs(folder), "f1-tel")
  const program = await startCommand(command, ["bench", "token", "--port", String(port)], environment(home))
  await until(program, "Starting live data")
  return {
    program,
    home,
    stop: async () => {
      await program.stop("SIGKILL")
      rmSync(home, { recursive: true })
    }
  }
}
