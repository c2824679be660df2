import { Either } from "effect"
import { shown } from "../../domain/messages.ts"
import { RequestMisfit } from "../problems.ts"

const REVISION = String.raw`^(?:\*|(?:W/)?"?\d{1,15}"?)?$`

export const IF_MATCH = {
  name: "If-Match",
  in: "header",
  required: false,
  schema: { type: "string", pattern: REVISION },
  description: "The revision that is to be changed, with or without quotes; any without the header"
} as const

/** The revision in `If-Match`; undefined without the header, if it is empty, and for `*`. */
export const revisionIn = (header: string | undefined): Either.Either<number | undefined, RequestMisfit> => {
  const value = header?.trim()
  if (value === undefined || value === "" || value === "*") return Either.right(undefined)
  const [, revision] = /^(?:W\/)?"?(\d{1,15})"?$/.exec(value) ?? []
  return revision === undefined
    ? Either.left(new RequestMisfit({ sentence: `If-Match must be a revision, got ${shown(value)}` }))
    : Either.right(Number(revision))
}
