/** Addresses of IPv4 that an address of IPv6 carries, and at which a packet for it may end. */
import { isIPv6 } from "node:net"

const numbers = (groups: string): ReadonlyArray<number> =>
  groups === "" ? [] : groups.split(":").map((group) => parseInt(group, 16))

/** The eight groups of an address without a zone. */
const groupsOf = (address: string): ReadonlyArray<number> => {
  // A URL's host is written in one way: hexadecimal groups, the longest run of zeros left out.
  const [before = "", after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::")
  const [head, tail] = [numbers(before), numbers(after ?? "")]
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
}

const written = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join(".")

const begins = (groups: ReadonlyArray<number>, ...prefix: ReadonlyArray<number>) =>
  prefix.every((group, n) => groups[n] === group)

/** The addresses of IPv4 that this address carries; an address of IPv4 carries none. */
export const carriedBy = (address: string): ReadonlyArray<string> => {
  if (!isIPv6(address)) return []
  const groups = groupsOf(address)
  const at = (n: number, flip = 0) => written(groups[n]! ^ flip, groups[n + 1]! ^ flip)
  // RFC 4291: compatible (but ::1, which is this machine) and mapped; RFC 2765: translated.
  if (begins(groups, 0, 0, 0, 0, 0, 0)) return groups[6] === 0 && groups[7] === 1 ? [] : [at(6)]
  if (begins(groups, 0, 0, 0, 0, 0, 0xffff) || begins(groups, 0, 0, 0, 0, 0xffff, 0)) return [at(6)]
  // NAT64: the well-known prefix (RFC 6052), and the local one (RFC 8215) as a network of 96 and of 48 bits.
  if (begins(groups, 0x64, 0xff9b, 0, 0, 0, 0)) return [at(6)]
  if (begins(groups, 0x64, 0xff9b, 1)) {
    const low = ((groups[4]! & 255) << 8) | (groups[5]! >> 8)
    return [at(6), written(groups[3]!, low)]
  }
  // 6to4 (RFC 3056).
  if (begins(groups, 0x2002)) return [at(1)]
  // Teredo (RFC 4380): the server, and the client with each bit inverted.
  if (begins(groups, 0x2001, 0)) return [at(2), at(6, 0xffff)]
  return []
}
