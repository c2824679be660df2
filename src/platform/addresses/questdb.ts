/** `questdb://host:port?…`: the address of a QuestDB, and the settings with which the service uses it. */
import { Either } from "effect"
import { ENCODE_CREDENTIALS, hasBareCredentials } from "./credentials.ts"

export interface QuestdbAddress {
  readonly host: string
  /** The HTTP port: ILP and health. */
  readonly port: number
  readonly pgPort: number
  readonly user: string
  readonly password: string
  /** Precedes the names of the tables. */
  readonly prefix: string
  /** How long points are kept, as QuestDB writes it ("30 DAYS"); undefined: forever. */
  readonly ttl: string | undefined
  /** Maximum bytes of the spool on disk while the server is away. */
  readonly spoolBytes: number
}

const FORM = "questdb://HOST:PORT?pg=PORT&prefix=NAME_&ttl=30d&spool=GIB"
const DEFAULT_HTTP = 9000
const DEFAULT_PG = 8812
const DEFAULT_SPOOL_GIB = 16

/** QuestDB's units of a TTL; at least hours, because a partition is one hour. */
const units: Readonly<Record<string, string>> = {
  h: "HOURS",
  d: "DAYS",
  w: "WEEKS",
  M: "MONTHS",
  y: "YEARS"
}

const ttlOf = (text: string): string | undefined => {
  const [, count, unit] = /^([1-9]\d{0,4})([hdwMy])$/.exec(text) ?? []
  return count === undefined || unit === undefined ? undefined : `${count} ${units[unit]!}`
}

const portOf = (text: string, fallback: number): number =>
  text === "" ? fallback : /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN

const isPort = (port: number) => port >= 1 && port <= 65535

export const questdbUrl = ({ host, port }: Pick<QuestdbAddress, "host" | "port">, path: string): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}${path}`

const wrong = (what: string) => Either.left(`${FORM}, with ${what}`)

/** The address, or a description of a valid one. */
export const readQuestdbAddress = (text: string): Either.Either<QuestdbAddress, string> => {
  if (!text.startsWith("questdb://") || hasBareCredentials(text) || !URL.canParse(text)) {
    return Either.left(`of the form ${FORM}, ${ENCODE_CREDENTIALS}`)
  }
  const url = new URL(text)
  const { searchParams: query } = url
  const unknown = [...query.keys()].find((key) => !["pg", "prefix", "ttl", "spool"].includes(key))
  if (unknown !== undefined) return wrong(`no parameter ${unknown}`)
  const port = portOf(url.port, DEFAULT_HTTP)
  const pgPort = portOf(query.get("pg") ?? "", DEFAULT_PG)
  const prefix = query.get("prefix") ?? ""
  const ttl = query.get("ttl")
  const spool = Number(query.get("spool") ?? DEFAULT_SPOOL_GIB)
  if (url.hostname === "" || !isPort(port) || !isPort(pgPort)) return wrong("a host and ports of 1 to 65535")
  if (!/^([a-z][a-z0-9_]{0,40})?$/.test(prefix)) return wrong("a prefix of lowercase letters, digits and _")
  if (ttl !== null && ttlOf(ttl) === undefined) return wrong("a ttl such as 12h, 30d, 8w, 6M or 2y")
  if (!(spool > 0 && spool <= 1e6)) return wrong("a spool of more than 0 GiB")
  return Either.right({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port,
    pgPort,
    user: decodeURIComponent(url.username) || "admin",
    password: decodeURIComponent(url.password) || "quest",
    prefix,
    ttl: ttl === null ? undefined : ttlOf(ttl),
    spoolBytes: Math.round(spool * 2 ** 30)
  })
}
