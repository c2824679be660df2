/**
 * Writes the addresses of requests in one form before anything else reads them. `/%6Cive` and `/live` are the same path
 * (RFC 3986, 6.2.2.2), and a rule that compares texts must not see two different ones. Characters with a meaning in a
 * path stay encoded: a driver's name may have a slash. Many clients write a list as `lap_ids[]=1&lap_ids[]=2`, which is
 * `lap_ids`, repeated.
 */
import type { IncomingMessage, Server } from "node:http"
import { withoutBase } from "./BasePath.ts"

const UNRESERVED = /[\w.~-]/

/** A parameter with brackets behind its name. */
const LIST = /^([^=]+?)(?:\[|%5b)\d*(?:\]|%5d)=/i

const plainQuery = (query: string): string =>
  /\[|%5b/i.test(query)
    ? query
        .split("&")
        .map((parameter) => parameter.replace(LIST, "$1="))
        .join("&")
    : query

/** The path without encoded characters that need no encoding. */
const plainPath = (path: string): string =>
  path.replaceAll(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return UNRESERVED.test(character) ? character : code
  })

/** The same address in its normal form. */
export const normalized = (url: string): string => {
  const end = url.indexOf("?")
  return end < 0 ? plainPath(url) : `${plainPath(url.slice(0, end))}?${plainQuery(url.slice(end + 1))}`
}

/** `base`: see BasePath.ts. */
export const normalizePaths = (server: Server, base: string): Server => {
  const emit = server.emit.bind(server) as (event: string, ...args: ReadonlyArray<unknown>) => boolean
  server.emit = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
    if (event === "request" || event === "upgrade") {
      const request = args[0] as IncomingMessage
      request.url = withoutBase(base, normalized(request.url ?? ""))
    }
    return emit(event, ...args)
  }
  return server
}
