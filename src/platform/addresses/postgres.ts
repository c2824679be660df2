/** `postgres://…`: the address of the catalog's PostgreSQL. */
import { Either } from "effect"
import { ENCODE_CREDENTIALS, hasBareCredentials } from "./credentials.ts"

const FORM = "postgres://USER:PASSWORD@HOST:PORT/DATABASE"

/**
 * The parameters that the client takes from an address; for files, their path. It would silently ignore a misspelt one.
 */
const parameters: ReadonlySet<string> = new Set(["sslmode", "sslrootcert", "sslcert", "sslkey", "options"])

/**
 * The modes that mean the same in every client. Here the other modes check as much as verify-full, in other clients
 * less.
 */
const modes: ReadonlyArray<string> = ["disable", "no-verify", "verify-full"]

/**
 * The address as the user wrote it, or a description of a valid one. It may contain a password, so it is never logged.
 */
export const readPostgresUrl = (text: string): Either.Either<string, string> => {
  const isAddress = /^postgres(ql)?:\/\//.test(text) && !hasBareCredentials(text) && URL.canParse(text)
  if (!isAddress || new URL(text).hostname === "")
    return Either.left(`of the form ${FORM}, ${ENCODE_CREDENTIALS}`)
  const { searchParams: query } = new URL(text)
  const unknown = [...query.keys()].find((key) => !parameters.has(key))
  if (unknown !== undefined)
    return Either.left(
      `${FORM}, with no parameter ${unknown}; its parameters are ${[...parameters].join(", ")}`
    )
  const mode = query.get("sslmode")
  if (mode !== null && !modes.includes(mode))
    return Either.left(`${FORM}, with an sslmode of ${modes.join(", ")}`)
  return Either.right(text)
}
