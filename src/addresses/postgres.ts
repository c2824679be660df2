/** `postgres://…`: the address of the catalog's PostgreSQL. */
import { Either } from "effect"
import { ENCODE_CREDENTIALS, hasBareCredentials } from "../credentials.ts"

/** The address as the user wrote it, or what was expected. It may hold a password, so it is never logged. */
export const readPostgresUrl = (text: string): Either.Either<string, string> =>
  !hasBareCredentials(text) &&
  /^postgres(ql)?:\/\//.test(text) &&
  URL.canParse(text) &&
  new URL(text).hostname !== ""
    ? Either.right(text)
    : Either.left(`of the form postgres://USER:PASSWORD@HOST:PORT/DATABASE, ${ENCODE_CREDENTIALS}`)
