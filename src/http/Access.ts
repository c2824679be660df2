/**
 * Who may ask what. Without a setting everybody may ask for everything (interface, section 5); with one, each request is looked
 * at before anything is done: REST, tRPC, the live WebSocket and metrics alike.
 *
 * A page of another origin cannot read answers that CORS keeps from it, but it can send: a foreign `Origin` is turned down whatever
 * the method. And a name of the attacker's own may come to stand for this machine (DNS rebinding), whose pages
 * then have the same origin as the service: a `Host` that the command line does not name is turned down.
 *
 * What is not listed as open is closed: a path that the router reads otherwise than it is written here is none of the open ones.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import { isIP } from "node:net"
import { Context, Data, Redacted } from "effect"
import { isPage } from "./pagePaths.ts"

/** The `Host` of a request is none that the service is known by. */
export class ForeignHost extends Data.TaggedError("ForeignHost")<{ readonly host: string }> {}

/** A page of an origin that may not ask. */
export class ForeignOrigin extends Data.TaggedError("ForeignOrigin")<{ readonly origin: string }> {}

/** The token is missing, or another. */
export class TokenNeeded extends Data.TaggedError("TokenNeeded")<{ readonly given: boolean }> {}

/** The service only reads. */
export class ReadOnly extends Data.TaggedError("ReadOnly")<{ readonly method: string }> {}

export type Refusal = ForeignHost | ForeignOrigin | TokenNeeded | ReadOnly

export interface AccessRules {
  /** Origins whose pages may ask, beside the service's own. */
  readonly origins: "*" | ReadonlySet<string>
  /** The digest of the token; undefined where none is needed. */
  readonly token: Buffer | undefined
  readonly readOnly: boolean
  /** Names in lower case that the service is known by, beside localhost and addresses; "any": all are. */
  readonly hosts: "any" | ReadonlySet<string>
}

export const EVERYBODY: AccessRules = { origins: "*", token: undefined, readOnly: false, hosts: "any" }

export class Access extends Context.Reference<Access>()("http/Access", {
  defaultValue: () => EVERYBODY
}) {}

/** What of a request decides. */
export interface Asking {
  readonly method: string
  /** As the router reads it: path and query. */
  readonly url: string
  readonly headers: {
    readonly host?: string | undefined
    readonly origin?: string | undefined
    readonly authorization?: string | undefined
  }
  /** Of the address (takeTokens.ts). */
  readonly token?: string | undefined
}

/** A host without its port. */
const nameOf = (host: string) => host.toLowerCase().replace(/:\d*$/, "")

const isAddress = (name: string) => isIP(name.replace(/^\[(.*)\]$/, "$1")) > 0

/** An address cannot be made to stand for another machine. */
const isKnown = (hosts: AccessRules["hosts"], host: string) => {
  if (hosts === "any") return true
  const name = nameOf(host)
  return name === "localhost" || name.endsWith(".localhost") || isAddress(name) || hosts.has(name)
}

/** The service's own pages are of the host that they ask. Behind a proxy the scheme may differ. */
const isOwn = (origin: string, host: string | undefined) =>
  URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()

/** Whether CORS lets pages of an origin read. */
export const mayRead = ({ origins }: AccessRules, origin: string | undefined): boolean =>
  origins === "*" || (origin !== undefined && origins.has(origin))

const mayAsk = (rules: AccessRules, { host, origin }: Asking["headers"]): boolean =>
  origin === undefined || mayRead(rules, origin) || isOwn(origin, host)

const isReading = (method: string) => method === "GET" || method === "HEAD"

const pathOf = (url: string) => url.split("?")[0]!

/** Load balancers ask it, by whatever name and without secrets: it says that the service is well, and its version. */
const HEALTH = "/api/v1/health"

/** POST that changes nothing. */
const COMPARES = "/api/v1/analysis/compare"

const isRead = ({ method, url }: Asking) =>
  isReading(method) || method === "OPTIONS" || (method === "POST" && pathOf(url) === COMPARES)

/** Of one length, so that comparing them takes the same time whatever was given. */
const digestOf = (token: string) => createHash("sha256").update(token).digest()

const isToken = (expected: Buffer, given: string | undefined) =>
  given !== undefined && timingSafeEqual(expected, digestOf(given))

const bearer = /^Bearer +(\S+) *$/i

/** An address is written down in more places than a header: it may bear the token only where browsers send no header. */
const hasToken = (expected: Buffer, { headers, method, token }: Asking) =>
  isToken(expected, bearer.exec(headers.authorization ?? "")?.[1]) ||
  (isReading(method) && isToken(expected, token))

/** A preflight bears no token, and a page is what asks for one. */
const isOpen = ({ method, url }: Asking) => method === "OPTIONS" || (isReading(method) && isPage(pathOf(url)))

/** Why a request is turned down; undefined where it is not. */
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

/** The rules of settings. Any of them that narrows makes hosts known by name only. */
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

/** What is open to whom, and how to close it; undefined where only this machine is heard. */
export const exposureOf = ({ allowOrigin, host, readOnly, token }: Given): string | undefined => {
  if (isLoopback(host)) return undefined
  const who =
    token === "none" ? "whoever can reach this machine" : "whoever has the token and can reach this machine"
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
