/** What system errors mean to a user. */

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EACCES: "this user may not",
  EADDRNOTAVAIL: "this machine does not have that address",
  ENOTFOUND: "there is no such host",
  ENOTDIR: "a part of that path is a file",
  EROFS: "that is a read-only file system",
  ENOSPC: "the disk is full"
}

/**
 * A sentence if the error is that of SQLite's module, which npm builds or fetches for one version of Node (better-sqlite3, bindings).
 * It comes with the first file that is opened.
 */
export const missingModule = (cause: unknown): string | undefined => {
  if (!(cause instanceof Error)) return undefined
  const rebuild = "npm rebuild better-sqlite3 makes it"
  if ("code" in cause && cause.code === "ERR_DLOPEN_FAILED")
    return `SQLite's module was built for another Node or system than this one (Node ${process.versions.node}): ${rebuild} again`
  return cause.message.startsWith("Could not locate the bindings file")
    ? `SQLite's module was not built, as it is by an npm that runs no scripts: ${rebuild}`
    : undefined
}

/**
 * The reason in an error: the innermost message, or words if the system only has a code. If a name has several addresses, the
 * reason of each attempt.
 */
export const reasonOf = (cause: unknown): string => {
  if (cause instanceof AggregateError) return [...new Set(cause.errors.map(reasonOf))].join(", ")
  if (!(cause instanceof Error)) return String(cause)
  const inner = cause.cause instanceof Error ? reasonOf(cause.cause) : cause.message
  return "code" in cause ? (reasons[String(cause.code)] ?? inner) : inner
}
