import { readdirSync, readFileSync } from "node:fs"
import type { Running } from "../support/processes.ts"

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // The process has just ended.
    return ""
  }
}

/** The processes that a service's supervisor has started, by name: `recorder`, `worker-1` and so on. */
export const processesOf = ({ child }: Running): ReadonlyMap<string, number> => {
  const tasks = `/proc/${child.pid}/task`
  const children = readdirSync(tasks).flatMap((task) => read(`${tasks}/${task}/children`).trim().split(" "))
  return new Map(
    children.flatMap((pid) => {
      const name = /(?:^|\0)TELEMETRY_PROCESS=([^\0]+)/.exec(read(`/proc/${pid}/environ`))?.[1]
      return name === undefined ? [] : [[name, Number(pid)]]
    })
  )
}

/** Kills one of them. */
export const killProcess = (service: Running, name: string): number => {
  const pid = processesOf(service).get(name)!
  process.kill(pid, "SIGKILL")
  return pid
}

/** Whether a process runs, and is not only waiting to be reaped. */
export const alive = (pid: number): boolean => {
  const state = /\) (\S)/.exec(read(`/proc/${pid}/stat`))?.[1]
  return state !== undefined && state !== "Z"
}
