/** `nats://…` and `tls://…`: the addresses of the servers that nodes of a cluster reach each other through. */
import { Either } from "effect"

const FORM = "nats://HOST:PORT or tls://HOST:PORT, several separated by commas, without credentials"

const isServer = (text: string): boolean => {
  if (!/^(nats|tls):\/\//.test(text) || !URL.canParse(text)) return false
  const { hostname, password, pathname, search, username } = new URL(text)
  return hostname !== "" && username === "" && password === "" && search === "" && /^\/?$/.test(pathname)
}

/** The servers of one NATS, any of which will do. */
export const readNatsServers = (text: string): Either.Either<ReadonlyArray<string>, string> => {
  const servers = text.split(",").map((one) => one.trim())
  return servers.every(isServer) ? Either.right(servers) : Either.left(FORM)
}

/** A word that the nodes of one cluster share, part of each subject. */
export const readClusterName = (text: string): Either.Either<string, string> =>
  /^[\dA-Za-z-]{1,64}$/.test(text) ? Either.right(text) : Either.left("1 to 64 letters, digits and -")
