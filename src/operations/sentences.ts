/** Parts of the sentences that say why a simulator could not be connected to. */
import type { UnexpectedTraffic } from "../domain/errors.ts"

export const addressOf = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`

const listed = (lengths: ReadonlyArray<number>, hasOthers: boolean): string =>
  hasOthers ? `${lengths.join(", ")} and other lengths of bytes` : `${lengths.join(" or ")} bytes`

/** What came instead of a simulator's datagrams: what follows on the word that it did not answer. */
export const unexpectedTraffic = ({ datagrams, hasOthers, known, lengths }: UnexpectedTraffic): string => {
  const came = datagrams === 1 ? "1 datagram" : `${datagrams} datagrams`
  const are = datagrams === 1 ? "is" : "are"
  const whose = known === undefined ? "" : `, but ${known.game}'s: ${known.advice}`
  return `; ${came} of ${listed(lengths, hasOthers)} came that ${are} not its${whose}`
}
