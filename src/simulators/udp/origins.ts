/** The senders whose datagrams a listener takes, and the choice between several listeners of one socket. */
import { BlockList, isIPv6 } from "node:net"
import { networkInterfaces } from "node:os"

/** The networks of this machine's interfaces: that of one address, and those of the others. */
export interface OwnNetwork {
  readonly own: BlockList
  readonly others: BlockList
}

/** One sender's address; the network of one interface; all senders. */
export type Origin = string | OwnNetwork | "everywhere"

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4")

/** The network that an address of this machine is in. */
export const networkOf = (local: string): OwnNetwork => {
  const own = new BlockList()
  const others = new BlockList()
  for (const { address, cidr } of Object.values(networkInterfaces()).flatMap((ones = []) => ones)) {
    const prefix = Number(cidr?.split("/")[1])
    ;(address === local ? own : others).addSubnet(address, prefix, familyOf(address))
  }
  return { own, others }
}

/**
 * How exactly a listener asks for this sender; 0: not at all. The system does not report on which interface a datagram
 * came, but the sender's network shows it. A datagram of a sender in no network came through a router, on any
 * interface.
 */
export const exactness = (origin: Origin, sender: string): number => {
  if (origin === "everywhere") return 1
  if (typeof origin === "string") return origin === sender ? 3 : 0
  const family = familyOf(sender)
  if (origin.own.check(sender, family)) return 2
  return origin.others.check(sender, family) ? 0 : 1
}
