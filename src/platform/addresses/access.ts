/** Reads the access rules as users write them: `--allow-origin`, `--allow-host` and `--token`. */
import { Either, Redacted } from "effect"

const listed = (given: string) => given.split(",").map((one) => one.trim())

const isOrigin = (given: string) =>
  given === "null" || (URL.canParse(given) && new URL(given).origin === given)

/** `--allow-origin`. Browsers send "null" for a page that is a file. */
export const readOrigins = (given: string): Either.Either<"*" | ReadonlySet<string>, string> => {
  if (given === "*") return Either.right("*")
  const origins = listed(given)
  return origins.every(isOrigin)
    ? Either.right(new Set(origins))
    : Either.left("*, or origins such as https://overlay.example,http://localhost:3000")
}

/** `--allow-host`. */
export const readHosts = (given: string): Either.Either<ReadonlySet<string>, string> => {
  if (given === "none") return Either.right(new Set())
  const hosts = listed(given.toLowerCase())
  return hosts.every((host) => /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host))
    ? Either.right(new Set(hosts))
    : Either.left("none, or names without a port such as telemetry.example,rig.local")
}

/** `--token`. Its characters need no encoding in an address or a header; a shorter token could be guessed. */
export const readToken = (given: string): Either.Either<Redacted.Redacted | "none", string> => {
  if (given === "none") return Either.right("none")
  return /^[\w.~-]{16,256}$/.test(given)
    ? Either.right(Redacted.make(given))
    : Either.left("none, or 16 to 256 letters, digits and -._~")
}
