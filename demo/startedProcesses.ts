/** The processes that the demo has started: none may outlive it, even if it gives up waiting for their end. */
import { Effect } from "effect"

interface Started {
  pid: number | undefined
}

const all = new Set<Started>()

/**
 * Registers a process until the scope ends. Register before the start, and set the pid afterwards: scopes release in reverse
 * order, so the process stays registered until it has ended.
 */
export const startedProcess = Effect.acquireRelease(
  Effect.sync(() => {
    const one: Started = { pid: undefined }
    all.add(one)
    return one
  }),
  (one) => Effect.sync(() => void all.delete(one))
)

/** Kills all of them at once. Except on Windows, each leads a process group of its own. */
export const endStarted = (): void => {
  for (const { pid } of all) {
    if (pid === undefined) continue
    try {
      process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL")
    } catch {
      // It has ended.
    }
  }
}
