/**
 * Checks whether this process may open as many files as it needs. Loaded first: the program itself is more than a
 * hundred files.
 */
import { readFileSync } from "node:fs"

/**
 * The files that a service opens before its first client: its modules, threads with event loops, and the store's files
 * twice.
 */
const MIN_DESCRIPTORS = 128

/** Linux gives the limit; elsewhere it is unknown. */
const limit = (): number => {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}

/** The problem in a sentence; undefined if there is none. */
export const tooFewDescriptors = (): string | undefined => {
  const most = limit()
  return most < MIN_DESCRIPTORS
    ? `Too few file descriptors: this process may open ${most}, and needs at least ${MIN_DESCRIPTORS}, and one more for each client (ulimit -n, or LimitNOFILE of systemd)`
    : undefined
}
