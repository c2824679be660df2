/** Groups of an IPv6 address that name a network; a client chooses the others as it likes. */
const NETWORK_GROUPS = 4
const GROUPS = 8

const groupsOf = (part: string) => (part === "" ? [] : part.split(":"))

/**
 * The client of an address, for limits per client: the address itself, or in IPv6 its network. All sockets whose
 * address is unknown count as one client.
 */
export const clientOf = (address: string | undefined): string => {
  if (address === undefined) return ""
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (v4 !== undefined) return v4
  const [first = "", last] = address.split("%")[0]!.split("::")
  const before = groupsOf(first)
  const after = last === undefined ? [] : groupsOf(last)
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => "0")
  return [...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(":")
}
