/**
 * Decides which requests are allowed. Without a setting, everybody may request everything (interface, section 5). With
 * a setting, each request is checked before anything is done: REST, tRPC, the live WebSocket and metrics alike.
 *
 * CORS keeps a page of another origin from reading answers, but not from sending requests. So a foreign `Origin` is
 * refused whatever the method. An attacker can also make a name of their own resolve to this machine (DNS rebinding),
 * and pages of that name then have the same origin as the service. So a `Host` that the command line does not name is
 * refused.
 *
 * A path that is not listed as open is closed. A path that is written differently from the list is closed, even if the
 * router would read it as the same path.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import { isIP } from "node:net"
import { Context, Data, Redacted } from "effect"
import { isPage } from "./pages/pagePaths.ts"

/** The request's `Host` is not a name of the service. */
export class ForeignHost extends Data.TaggedError("ForeignHost")<{ readonly host: string }> {}

/** The request comes from a page of an origin that is not allowed. */
export class ForeignOrigin extends Data.TaggedError("ForeignOrigin")<{ readonly origin: string }> {}

/** The request has no token, or a wrong one. */
export class TokenNeeded extends Data.TaggedError("TokenNeeded")<{ readonly given: boolean }> {}

/** The service is read-only. */
export class ReadOnly extends Data.TaggedError("ReadOnly")<{ readonly method: string }> {}

export type Refusal = ForeignHost | ForeignOrigin | TokenNeeded | ReadOnly

export interface AccessRules {
  /** Origins whose pages may send requests, in addition to the service's own. */
  readonly origins: "*" | ReadonlySet<string>
  /** The digest of the token; undefined if none is needed. */
  readonly token: Buffer | undefined
  readonly readOnly: boolean
  /** Names of the service in lower case, in addition to localhost and addresses; "any" accepts every name. */
  readonly hosts: "any" | ReadonlySet<string>
}

export const EVERYBODY: AccessRules = { origins: "*", token: undefined, readOnly: false, hosts: "any" }

export class Access extends Context.Reference<Access>()("http/Access", {
  defaultValue: () => EVERYBODY
}) {}

/** The parts of a request that the decision depends on. */
export interface Asking {
  readonly method: string
  /** Path and query, as the router reads them. */
  readonly url: string
  readonly headers: {
    readonly host?: string | undefined
    readonly origin?: string | undefined
    readonly authorization?: string | undefined
  }
  /** The token that the request's address had (takeTokens.ts). */
  readonly token?: string | undefined
}

/** A host without its port. */
const nameOf = (host: string) => host.toLowerCase().replace(/:\d*$/, "")

const isAddress = (name: string) => isIP(name.replace(/^\[(.*)\]$/, "$1")) > 0

/**
 * Whether the host is a name of the service, or an address: an attacker cannot make an address lead to another machine.
 */
const isKnown = (hosts: AccessRules["hosts"], host: string) => {
  if (hosts === "any") return true
  const name = nameOf(host)
  return name === "localhost" || name.endsWith(".localhost") || isAddress(name) || hosts.has(name)
}

/** Whether the origin is the service's own: its host is the request's. Behind a proxy the scheme may differ. */
const isOwn = (origin: string, host: string | undefined) =>
  URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()

/** Whether CORS lets pages of an origin read answers. */
export const mayRead = ({ origins }: AccessRules, origin: string | undefined): boolean =>
  origins === "*" || (origin !== undefined && origins.has(origin))

const mayAsk = (rules: AccessRules, { host, origin }: Asking["headers"]): boolean =>
  origin === undefined || mayRead(rules, origin) || isOwn(origin, host)

const isReading = (method: string) => method === "GET" || method === "HEAD"

const pathOf = (url: string) => url.split("?")[0]!

/**
 * Load balancers request it, under any host name and without secrets. It says only whether the service is healthy, and
 * its version.
 */
const HEALTH = "/api/v1/health"

/** A POST that changes nothing. */
const COMPARES = "/api/v1/analysis/compare"

const isRead = ({ method, url }: Asking) =>
  isReading(method) || method === "OPTIONS" || (method === "POST" && pathOf(url) === COMPARES)

/** Digests have one length, so that comparing them takes the same time whatever token the client gave. */
const digestOf = (token: string) => createHash("sha256").update(token).digest()

const isToken = (expected: Buffer, given: string | undefined) =>
  given !== undefined && timingSafeEqual(expected, digestOf(given))

const bearer = /^Bearer +(\S+) *$/i

/**
 * Addresses are written to more places than headers are. An address may carry the token only where browsers cannot send
 * a header.
 */
const hasToken = (expected: Buffer, { headers, method, token }: Asking) =>
  isToken(expected, bearer.exec(headers.authorization ?? "")?.[1]) ||
  (isReading(method) && isToken(expected, token))

/** A preflight carries no token, and the page itself asks the user for one. */
const isOpen = ({ method, url }: Asking) => method === "OPTIONS" || (isReading(method) && isPage(pathOf(url)))

/** Why a request is refused; undefined if it is allowed. */
export const refusalOf = (rules: AccessRules, asking: Asking): Refusal | undefined => {
  if (rules === EVERYBODY || (isReading(asking.method) && pathOf(asking.url) === HEALTH)) return undefined
  const { authorization, host, origin } = asking.headers
  if (host !== undefined && !isKnown(rules.hosts, host)) return new ForeignHost({ host })
  if (!mayAsk(rules, asking.headers)) return new ForeignOrigin({ origin: origin! })
  if (rules.token !== undefined && !isOpen(asking) && !hasToken(rules.token, asking)) {
    return new TokenNeeded({ given: authorization !== undefined || asking.token !== undefined })
  }
  return rules.readOnly && !isRead(asking) ? new ReadOnly({ method: asking.method }) : undefined
}

interface Given {
  readonly host: string
  readonly allowOrigin: AccessRules["origins"]
  readonly allowHost: ReadonlySet<string>
  readonly token: Redacted.Redacted | "none"
  readonly readOnly: boolean
}

/**
 * The rules that follow from the settings. Any setting that restricts access also restricts the hosts to known names.
 */
export const rulesOf = ({ allowHost, allowOrigin, host, readOnly, token }: Given): AccessRules =>
  allowOrigin === "*" && !readOnly && token === "none" && allowHost.size === 0
    ? EVERYBODY
    : {
        origins: allowOrigin,
        token: token === "none" ? undefined : digestOf(Redacted.value(token)),
        readOnly,
        hosts: new Set([...allowHost, host.toLowerCase()])
      }

const isLoopback = (host: string) => /^(?:127(?:\.\d+){3}|::1|localhost)$/i.test(host)

/** A sentence on who can do what, and how to restrict it; undefined if the service listens on this machine only. */
export const exposureOf = ({ allowOrigin, host, readOnly, token }: Given): string | undefined => {
  if (isLoopback(host)) return undefined
  const who =
    token === "none"
      ? "anyone who can reach this machine"
      : "anyone who has the token and can reach this machine"
  const what = readOnly ? "read everything and change nothing" : "read everything, record and delete"
  const pages = allowOrigin === "*" ? ", and so may any web page in their browsers" : ""
  const closing = [
    ...(token === "none" ? ["--token"] : []),
    ...(readOnly ? [] : ["--read-only"]),
    ...(allowOrigin === "*" ? ["--allow-origin"] : []),
    "--host 127.0.0.1"
  ]
  return `Listening on ${host}: ${who} may ${what}${pages}, over plain HTTP; to narrow this: ${closing.join(", ")} (SECURITY.md)`
}
