/**
 * Which addresses drivers may send to, or open a connection to. A user chooses the host of a `connect`, which must not reach
 * what the service's machine can reach and its users cannot.
 *
 * The service looks up a host once, and uses only addresses that it has checked. A name may have several addresses, of which
 * it uses only the allowed ones.
 */
import type { LookupAddress } from "node:dns"
import { lookup } from "node:dns/promises"
import { BlockList, createConnection, isIPv6, type Socket } from "node:net"
import { networkInterfaces } from "node:os"
import { Effect } from "effect"
import { type ForbiddenKind, SimulatorRefused, TargetNotAllowed } from "../domain/errors.ts"
import { reasonOf } from "./datagrams/UdpSocket.ts"
import type { LinkOptions } from "./Driver.ts"

/** Where IPv6 carries addresses of IPv4, and from which bit on: NAT64 (RFC 6052) and 6to4 (RFC 3056). */
const carriers = [
  { bits: 96, of: (address: string) => `64:ff9b::${address}` },
  {
    bits: 16,
    of: (address: string) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number)
      return `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`
    }
  }
]

/** `ADDRESS/BITS`. A list knows an IPv4 address by `::ffff:` as well. */
const listOf = (...networks: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", bits] = network.split("/")
    if (isIPv6(address)) {
      list.addSubnet(address, Number(bits), "ipv6")
      continue
    }
    list.addSubnet(address, Number(bits), "ipv4")
    for (const carrier of carriers) list.addSubnet(carrier.of(address), carrier.bits + Number(bits), "ipv6")
  }
  return list
}

/** Nothing that a simulator runs on (RFC 6890, RFC 4291); metadata: of AWS and Google, of Alibaba, Azure and Oracle. */
const lists: ReadonlyArray<readonly [kind: ForbiddenKind, list: BlockList]> = [
  ["link-local", listOf("169.254.0.0/16", "fe80::/10")],
  [
    "metadata",
    listOf(
      "100.100.100.200/32",
      "168.63.129.16/32",
      "192.0.0.192/32",
      "fd00:ec2::254/128",
      "fd20:ce::254/128"
    )
  ],
  ["multicast", listOf("224.0.0.0/4", "ff00::/8")],
  ["broadcast", listOf("240.0.0.0/4", "127.255.255.255/32")],
  ["unspecified", listOf("0.0.0.0/8", "::/128")]
]

const bytesOf = (address: string) => address.split(".").map(Number)

/** The broadcast addresses of the networks that this machine is in, as they are now. */
const broadcasts = (): ReadonlyArray<string> =>
  Object.values(networkInterfaces()).flatMap((ones = []) =>
    ones
      .filter(({ family, netmask }) => family === "IPv4" && bytesOf(netmask)[3]! < 254)
      .map(({ address, netmask }) => {
        const mask = bytesOf(netmask)
        return bytesOf(address)
          .map((byte, i) => (byte | ~mask[i]!) & 255)
          .join(".")
      })
  )

/** Why nobody may speak to an address; undefined where one may. */
export const forbiddenKind = (address: string): ForbiddenKind | undefined => {
  const [plain = ""] = address.split("%")
  const family = isIPv6(plain) ? "ipv6" : "ipv4"
  const known = lists.find(([, list]) => list.check(plain, family))?.[0]
  if (known !== undefined) return known
  return listOf(...broadcasts().map((one) => `${one}/32`)).check(plain, family) ? "broadcast" : undefined
}

/** The addresses of a host that may be spoken to: one or more. */
export const targetsOf = (options: LinkOptions) =>
  Effect.gen(function* () {
    const { allows, host, port } = options
    const address = { host, port }
    const found = yield* Effect.tryPromise({
      try: () => lookup(host, { all: true, verbatim: false }),
      catch: (cause) => new SimulatorRefused({ address, reason: reasonOf(cause) })
    })
    const kindOf = ({ address }: LookupAddress): ForbiddenKind | undefined =>
      forbiddenKind(address) ?? (allows?.(host, address) === false ? "unlisted" : undefined)
    const allowed = found.filter((one) => kindOf(one) === undefined)
    if (allowed.length > 0) return allowed
    return yield* new TargetNotAllowed({ address, kind: kindOf(found[0]!)! })
  })

/** A TCP connection to these addresses of a host, one after the other, and to no other. */
export const connectTo = ({ host, port }: LinkOptions, targets: ReadonlyArray<LookupAddress>): Socket =>
  createConnection({
    host,
    port,
    noDelay: true,
    // Node asks for all where it tries several, and takes an address that stands there as it is.
    lookup: (_, { all }, found) =>
      all === true ? found(null, [...targets]) : found(null, targets[0]!.address, targets[0]!.family)
  })
