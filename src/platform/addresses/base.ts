/** The path below which a proxy has the service. */
import { Either } from "effect"

/** Such as `/telemetry/`: with a slash before and behind it, which may be left out. */
export const readBase = (given: string): Either.Either<string, string> => {
  const path = given.replace(/^\/|\/$/g, "")
  return path === "" || /^[\w~-][\w.~-]*(\/[\w~-][\w.~-]*)*$/.test(path)
    ? Either.right(path === "" ? "/" : `/${path}/`)
    : Either.left("a path such as /telemetry/, of letters, digits and -._~")
}
