/**
 * Takes tokens out of the addresses of requests before anything else reads them: logs and traces record addresses, and
 * no route needs a token.
 */
import type { IncomingMessage, Server } from "node:http"

const tokens = new WeakMap<IncomingMessage, string>()

/** The token that a request's address had; the first if there were several. */
export const tokenOf = (request: IncomingMessage): string | undefined => tokens.get(request)

const TOKEN = "token"

const take = (request: IncomingMessage): void => {
  const url = request.url ?? ""
  const start = url.indexOf("?")
  if (start < 0) return
  const kept: Array<string> = []
  for (const part of url.slice(start + 1).split("&")) {
    const [name, value] = [...new URLSearchParams(part)][0] ?? []
    if (name !== TOKEN) kept.push(part)
    else if (!tokens.has(request)) tokens.set(request, value!)
  }
  if (tokens.has(request)) request.url = url.slice(0, start) + (kept.length === 0 ? "" : `?${kept.join("&")}`)
}

/** Must be the first to wrap `emit`. Other wrappers then run before this one, and listeners after it. */
export const takeTokens = (server: Server): Server => {
  const emit = server.emit.bind(server) as (event: string, ...args: ReadonlyArray<unknown>) => boolean
  server.emit = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
    if (event === "request" || event === "upgrade") take(args[0] as IncomingMessage)
    return emit(event, ...args)
  }
  return server
}
