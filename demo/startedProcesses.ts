/** The processes that the demo has started, so that nothing outlives it, even where it must give up waiting for their end. */
import { Effect } from "effect"

interface Started {
  pid: number | undefined
}

const all = new Set<Started>()

/**
 * Until the scope ends. To be registered before the process is started, with its pid given afterwards: what ends it comes
 * first then, and it is known for as long as that takes.
 */
export const startedProcess = Effect.acquireRelease(
  Effect.sync(() => {
    const one: Started = { pid: undefined }
    all.add(one)
    return one
  }),
  (one) => Effect.sync(() => void all.delete(one))
)

/** At once. Each leads a process group of its own, but on Windows. */
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
