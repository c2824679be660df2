/** The path below which a proxy serves this service. */
import { Either } from "effect"

/** Reads a path such as `/telemetry/`. Its result begins and ends with a slash; the given text may leave these out. */
export const readBase = (given: string): Either.Either<string, string> => {
  const path = given.replace(/^\/|\/$/g, "")
  return path === "" || /^[\w~-][\w.~-]*(\/[\w~-][\w.~-]*)*$/.test(path)
    ? Either.right(path === "" ? "/" : `/${path}/`)
    : Either.left("a path such as /telemetry/, of letters, digits and -._~")
}
