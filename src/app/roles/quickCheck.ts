/**
 * Checks databases that the last process did not close, with SQLite's quick check: `telemetry verify --quick` in a
 * process of its own, because SQLite cannot be interrupted and may read for minutes. Recording goes on meanwhile.
 *
 * Damage that it finds is written into the data folder, so that `/health` of every process reports it. The next start
 * checks again.
 */
import { execFile } from "node:child_process"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { constants, setPriority } from "node:os"
import { Cause, Effect } from "effect"
import { hasLog } from "../folder/databaseLogs.ts"
import { damageIn } from "../../store/LocalFiles.ts"
import { FAILED } from "../../platform/exit.ts"

/** Whether the folder's databases must be checked. To be called before this process opens them. */
export const isDue = (folder: string, files: ReadonlyArray<string>): boolean =>
  files.some(hasLog) || existsSync(damageIn(folder))

/** The check's status, and its output. A status of null: it was killed, or could not start. */
const verified = (folder: string) =>
  Effect.async<{ readonly status: number | null; readonly printed: string }>((resume) => {
    const words = [...process.execArgv, process.argv[1]!, "verify", "--quick", "--data", folder]
    const child = execFile(process.execPath, words, (error, printed) => {
      const status = error === null ? 0 : typeof error.code === "number" ? error.code : null
      resume(Effect.succeed({ status, printed }))
    })
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const check = Effect.fnUntraced(function* (folder: string) {
  const { printed, status } = yield* verified(folder)
  if (status === 0) {
    rmSync(damageIn(folder), { force: true })
    yield* Effect.logInfo(`The databases in ${folder}, which the last process did not close, are whole`)
  } else if (status === FAILED && printed !== "") {
    writeFileSync(damageIn(folder), printed)
    yield* Effect.logError(`The store in ${folder} is damaged: ${printed.trim()}`)
  } else yield* Effect.logWarning(`The databases in ${folder} could not be checked`)
})

export const quickCheck = (folder: string) =>
  // The service goes on if the disk is full, or if the check cannot be started.
  Effect.catchAllDefect(check(folder), (defect) =>
    Effect.logWarning(`The databases in ${folder} could not be checked`, Cause.die(defect))
  )
