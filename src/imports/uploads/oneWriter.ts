/**
 * Lets one upload at a time write a file, in whichever process of the service it arrives. `FILE.lock` names the process that
 * writes. A newer upload of the same file creates `FILE.wanted`, and the older one gives way: its client has lost its connection
 * without our knowing. The lock of a process that has died counts for nothing.
 */
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { Data, Duration, Effect, Schedule } from "effect"
import { awaitingLock } from "../../platform/retryPolicies.ts"

export class StillWritten extends Data.TaggedError("StillWritten")<{}> {}

/** How often the holder looks whether another upload wants the file. */
const LOOK_EVERY = "50 millis"
/** The holder gives way as soon as it has written a piece. */
const GIVES_WAY_WITHIN = Duration.seconds(10)

const lockOf = (path: string) => `${path}.lock`
const wantedOf = (path: string) => `${path}.wanted`

const isThere = (error: unknown) => (error as NodeJS.ErrnoException).code === "EEXIST"

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Removes the lock if its process has died. A lock that another process has put in its place stays. */
const removeDead = (lock: string): void => {
  try {
    const pid = readFileSync(lock, "utf8")
    if (pid === "" || isAlive(Number(pid))) return
    const aside = `${lock}.${process.pid}`
    renameSync(lock, aside)
    if (readFileSync(aside, "utf8") !== pid) linkSync(aside, lock)
    rmSync(aside)
  } catch {
    // It is gone.
  }
}

const tryLock = (path: string): boolean => {
  try {
    writeFileSync(lockOf(path), String(process.pid), { flag: "wx" })
    rmSync(wantedOf(path), { force: true })
    return true
  } catch (error) {
    if (!isThere(error)) throw error
    writeFileSync(wantedOf(path), "")
    removeDead(lockOf(path))
    return false
  }
}

/**
 * Locks the file as long as the scope, once its writer has given way. Succeeds with an effect that ends when another upload
 * wants the file; fails if the writer does not give way. Dies of the system's errors.
 */
export const lockForWriting = (path: string) =>
  Effect.acquireRelease(
    Effect.suspend(() => (tryLock(path) ? Effect.void : new StillWritten())),
    () => Effect.sync(() => rmSync(lockOf(path), { force: true }))
  ).pipe(
    Effect.retry(awaitingLock(GIVES_WAY_WITHIN)),
    Effect.onError(() => Effect.sync(() => rmSync(wantedOf(path), { force: true }))),
    Effect.as(
      Effect.repeat(
        Effect.sync(() => existsSync(wantedOf(path))),
        Schedule.spaced(LOOK_EVERY).pipe(Schedule.whileInput((isWanted: boolean) => !isWanted))
      )
    )
  )

/** Removes what belongs to a file that is gone. */
export const forgetLock = (path: string): void => {
  for (const file of [lockOf(path), wantedOf(path)]) rmSync(file, { force: true })
}
