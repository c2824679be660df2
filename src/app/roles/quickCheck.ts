/**
 * Looks at databases that the last process did not close: SQLite's quick check, by `telemetry verify --quick` in a process of its
 * own, because SQLite cannot be interrupted and may read for minutes. Recording goes on meanwhile.
 *
 * Damage that it finds is written into the data folder, so that `/health` of every process says it. The next start looks again.
 */
import { execFile } from "node:child_process"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { constants, setPriority } from "node:os"
import { Cause, Effect } from "effect"
import { hasLog } from "../folder/databaseLogs.ts"
import { damageIn } from "../../store/LocalFiles.ts"
import { FAILED } from "../../platform/exit.ts"

/** Whether the folder's databases are to be looked at. Must be asked before this process opens them. */
export const isDue = (folder: string, files: ReadonlyArray<string>): boolean =>
  files.some(hasLog) || existsSync(damageIn(folder))

/** The check's status, and what it printed. A status of null: it was killed, or could not start. */
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
  // Neither a full disk nor a check that cannot be started is a reason to end.
  Effect.catchAllDefect(check(folder), (defect) =>
    Effect.logWarning(`The databases in ${folder} could not be checked`, Cause.die(defect))
  )
