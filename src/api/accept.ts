/**
 * Chooses the type of an answer: the one that the client prefers among those that the service offers (RFC 9110,
 * 12.5.1).
 */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Data, Effect } from "effect"
import Negotiator from "negotiator"

/** `Accept` allows none of the types that the answer could have. */
export class NotAcceptable extends Data.TaggedError("NotAcceptable")<{
  readonly accept: string
  readonly offered: ReadonlyArray<string>
}> {}

/**
 * A parameter of a type, such as `indent=4`, other than `q` and `charset`. No type here has such parameters, and a
 * client that gives one still means the type.
 */
const OTHER_PARAMETER = /;\s*(?!(?:q|charset)\s*=)[^\s;,="]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^;,\s]*)/gi

/** All text is UTF-8, which clients may ask for; a range with a parameter matches only a type that has it. */
const inFull = (type: string) => (type.includes("charset=") ? type : `${type}; charset=utf-8`)

/**
 * The type of `offered` that the client prefers: the first if it states no preference, undefined if it accepts none.
 */
export const preferred = <const A extends string>(
  accept: string | undefined,
  offered: readonly [A, ...ReadonlyArray<A>]
): A | undefined => {
  if (accept === undefined || accept === "*/*" || accept.trim() === "") return offered[0]
  const types = offered.map(inFull)
  const [best] = new Negotiator({ headers: { accept: accept.replaceAll(OTHER_PARAMETER, "") } }).mediaTypes(
    types
  )
  return best === undefined ? undefined : offered[types.indexOf(best)]
}

/** The type of `offered` that the client of the current request prefers. */
export const negotiated = <const A extends string>(offered: readonly [A, ...ReadonlyArray<A>]) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const { accept = "" } = headers
    const type = preferred(accept, offered)
    return type === undefined ? new NotAcceptable({ accept, offered }) : Effect.succeed(type)
  })

/** Whether a client names HTML itself, as browsers do for pages. Other clients only accept any type. */
export const namesHtml = (accept: string | undefined): boolean =>
  accept !== undefined && new Negotiator({ headers: { accept } }).mediaTypes().includes("text/html")
