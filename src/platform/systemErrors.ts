/** Sentences for the system's error codes. */

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EACCES: "this user lacks the permission",
  EADDRNOTAVAIL: "this machine does not have that address",
  ENOTFOUND: "there is no such host",
  ENOTDIR: "a part of the path is a file",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full"
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
