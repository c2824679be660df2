/** `postgres://…`: where the catalog's PostgreSQL is. */
import { Either } from "effect"

/** The address as it was given, which may hold a password: it is never logged. Or what it must be. */
export const readPostgresUrl = (text: string): Either.Either<string, string> =>
  /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname !== ""
    ? Either.right(text)
    : Either.left("of the form postgres://USER:PASSWORD@HOST:PORT/DATABASE")
