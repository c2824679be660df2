/** The processes that a benchmark measures from outside: the service and the baselines. Linux: figures are from /proc. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { endWithThis } from "../../tools/provision/endWithThis.ts"
import { smoke } from "./comparison.ts"

/** USER_HZ, the unit of /proc/PID/stat: 100 on every Linux that Node runs on (proc(5)). */
const TICKS_PER_S = 100
/** utime and stime are fields 14 and 15 of /proc/PID/stat; the state, after the name in brackets, is field 3. */
const UTIME_AFTER_NAME = 11

export interface Program {
  readonly pid: number
  /** The first line that it printed. */
  readonly line: string
  /** The next line that it prints. */
  readonly nextLine: () => Promise<string>
  /** CPU of all its threads until now, s, in hundredths. */
  readonly cpuSeconds: () => number
  /** Resident memory now and at its highest, bytes. */
  readonly memory: () => { readonly now: number; readonly peak: number }
  /** How often its threads have woken until now: their voluntary context switches. */
  readonly wakeUps: () => number
  /** Resets the peak. */
  readonly forgetPeak: () => void
  /** Ends it at once, as `kill -9` does, and keeps its files. */
  readonly kill: () => Promise<void>
  /** Signals it to end, and waits until it has ended. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
}

/** CPU of all threads of a process until now, s, in hundredths. */
export const cpuSecondsOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[UTIME_AFTER_NAME]) + Number(fields[UTIME_AFTER_NAME + 1])) / TICKS_PER_S
}

/** Resident memory of a process now and at its highest, bytes. */
export const memoryOf = (pid: number) => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024
  return { now: bytes("VmRSS"), peak: bytes("VmHWM") }
}

const wakeUpsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")
    return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1])
  }, 0)

const stopped = async (child: ChildProcess, signal: NodeJS.Signals) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, "exit")
  child.kill(signal)
  await exit
}

/** Starts a program by its command, and waits for its first line. */
export const startCommand = async (
  command: string,
  args: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv = process.env
): Promise<Program> => {
  // A benchmark that fails, or is interrupted, leaves no process behind.
  const child = endWithThis(spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], env }))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const nextLine = async () => {
    const { done, value } = await lines.next()
    if (done === true) throw new Error(`${[command, ...args].join(" ")} ended without a word`)
    return value
  }
  const line = await nextLine()
  const pid = child.pid!
  return {
    pid,
    line,
    nextLine,
    cpuSeconds: () => cpuSecondsOf(pid),
    memory: () => memoryOf(pid),
    wakeUps: () => wakeUpsOf(pid),
    // 5 resets the peak resident set (proc_pid_clear_refs(5)).
    forgetPeak: () => writeFileSync(`/proc/${pid}/clear_refs`, "5"),
    kill: () => stopped(child, "SIGKILL"),
    stop: (signal = "SIGTERM") => stopped(child, signal)
  }
}

/** Starts one of our programs (`path` as seen from `bench/`), and waits for its first line. */
export const startProgram = (
  path: string,
  args: ReadonlyArray<string>,
  nodeFlags: ReadonlyArray<string> = []
): Promise<Program> =>
  startCommand(process.execPath, [
    ...nodeFlags,
    fileURLToPath(new URL(`../${path}`, import.meta.url)),
    ...args
  ])

/**
 * After a session has ended, its distance is measured, which no figure should include: the program must be idle for
 * this long, ms.
 */
const QUIET_MS = 500

/** Waits until the program is idle; in smoke runs, not at all. */
export const untilQuiet = async ({ cpuSeconds }: Program): Promise<void> => {
  if (smoke) return
  for (let before = -1, now = cpuSeconds(); now - before > 0.02; now = cpuSeconds()) {
    before = now
    await sleep(QUIET_MS)
  }
}

export interface Service extends Program {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  readonly data: string
}

/** The published program, and the same before it is bundled, as seen from `bench/`. */
export const BUNDLE = "../dist/program/main.js"
export const SOURCES = "../src/main.ts"

/** A busy machine is no reason to give a simulator up. */
const PATIENT = ["--connect-timeout", "60"]

/** Starts a service with an empty folder, which is removed when it stops. Its log has only warnings. */
export const startService = async (
  flags: ReadonlyArray<string> = [],
  nodeFlags: ReadonlyArray<string> = [],
  script = BUNDLE
): Promise<Service> => {
  const data = mkdtempSync(join(tmpdir(), "telemetry-bench-"))
  const program = await startProgram(
    script,
    ["--port", "0", "--data", data, "--log-level", "warning", ...PATIENT, ...flags],
    nodeFlags
  )
  const stop = async (signal?: NodeJS.Signals) => {
    await program.stop(signal)
    rmSync(data, { recursive: true })
  }
  return { ...program, stop, data, url: program.line.replace("listening on ", "") }
}
