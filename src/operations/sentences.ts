/** Parts of the sentences that say why a connection to a simulator failed. */
import type { UnexpectedTraffic } from "../domain/errors.ts"

export const addressOf = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`

const listed = (lengths: ReadonlyArray<number>, hasOthers: boolean): string =>
  hasOthers ? `${lengths.join(", ")} and other lengths of bytes` : `${lengths.join(" or ")} bytes`

/**
 * Describes the traffic that arrived instead of a simulator's datagrams. It continues the sentence that the simulator
 * did not answer.
 */
export const unexpectedTraffic = ({ datagrams, hasOthers, known, lengths }: UnexpectedTraffic): string => {
  const count = datagrams === 1 ? "1 datagram" : `${datagrams} datagrams`
  const are = datagrams === 1 ? "is" : "are"
  const whose = known === undefined ? "" : `, but ${known.game}'s: ${known.advice}`
  return `; ${count} of ${listed(lengths, hasOthers)} arrived that ${are} not this simulator's${whose}`
}
