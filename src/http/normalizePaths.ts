/**
 * Writes the paths of requests in one way before anything else reads them. `/%6Cive` and `/live` are the same path (RFC 3986,
 * 6.2.2.2), and a rule that compares texts must not see two. Characters that mean something in a path stay encoded: a driver's
 * name may have a slash.
 */
import type { IncomingMessage, Server } from "node:http"
import { withoutBase } from "./BasePath.ts"

const UNRESERVED = /[\w.~-]/

/** The same address; its path has no encoded character that needs no encoding. */
export const normalized = (url: string): string => {
  const end = url.indexOf("?")
  const path = end < 0 ? url : url.slice(0, end)
  if (!path.includes("%")) return url
  const written = path.replaceAll(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return UNRESERVED.test(character) ? character : code
  })
  return end < 0 ? written : written + url.slice(end)
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
