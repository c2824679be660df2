/**
 * Decides to which addresses drivers may send or open a connection. A user chooses the host of a `connect`, and must
 * not reach, through the service, machines that only the service's machine can reach.
 *
 * The service looks up a host once, and uses only addresses that it has checked. A name may have several addresses, of which
 * it uses only the allowed ones.
 */
import type { LookupAddress } from "node:dns"
import { lookup } from "node:dns/promises"
import { BlockList, createConnection, isIPv6, type Socket } from "node:net"
import { networkInterfaces } from "node:os"
import { Effect } from "effect"
import { type Address, type ForbiddenKind, SimulatorRefused, TargetNotAllowed } from "../domain/errors.ts"
import { carriedBy } from "./connection/carriedAddresses.ts"
import { errorCode } from "./udp/UdpSocket.ts"
import type { LinkOptions } from "./Driver.ts"

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4")

/** `ADDRESS/BITS`. */
const listOf = (...networks: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", bits] = network.split("/")
    list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

/** Networks without a simulator (RFC 6890, RFC 4291); metadata services of AWS and Google, Alibaba, Azure and Oracle. */
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

/** The broadcast addresses of this machine's current networks. */
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

/** Why the service must not use an address, or one that it carries; undefined where it may. */
export const forbiddenKind = (address: string): ForbiddenKind | undefined => {
  const [plain = ""] = address.split("%")
  const reached = [plain, ...carriedBy(plain)]
  const isIn = (list: BlockList) => reached.some((one) => list.check(one, familyOf(one)))
  const known = lists.find(([, list]) => isIn(list))?.[0]
  if (known !== undefined) return known
  return isIn(listOf(...broadcasts().map((one) => `${one}/32`))) ? "broadcast" : undefined
}

/** Whether an address of a host is among those that the service may use. */
export type AllowsAddress = (host: string, address: string) => boolean

const lookUp = (address: Address) =>
  Effect.tryPromise({
    try: () => lookup(address.host, { all: true, verbatim: false }),
    catch: (cause) => new SimulatorRefused({ address, reason: errorCode(cause) })
  })

/** The addresses of a host, as text; none if they cannot be looked up now. */
export const addressesOf = (address: Address): Effect.Effect<ReadonlySet<string>> =>
  Effect.match(Effect.timeout(lookUp(address), "1 second"), {
    onFailure: () => new Set(),
    onSuccess: (found) => new Set(found.map((one) => one.address))
  })

/** The allowed addresses of a host: one or more. */
export const allowedAddresses = (address: Address, allows: AllowsAddress | undefined) =>
  Effect.gen(function* () {
    const { host } = address
    const found = yield* lookUp(address)
    const kindOf = ({ address }: LookupAddress): ForbiddenKind | undefined =>
      forbiddenKind(address) ?? (allows?.(host, address) === false ? "unlisted" : undefined)
    const allowed = found.filter((one) => kindOf(one) === undefined)
    if (allowed.length > 0) return allowed
    return yield* new TargetNotAllowed({ address, kind: kindOf(found[0]!)! })
  })

/** The simulator's addresses. */
export const targetsOf = ({ allows, host, port }: LinkOptions) => allowedAddresses({ host, port }, allows)

/** A TCP connection to one of these addresses of a host, tried in order, and to no other address. */
export const connectTo = ({ host, port }: LinkOptions, targets: ReadonlyArray<LookupAddress>): Socket =>
  createConnection({
    host,
    port,
    noDelay: true,
    // Node asks for all addresses where it tries several, and takes a literal address unchanged.
    lookup: (_, { all }, found) =>
      all === true ? found(null, [...targets]) : found(null, targets[0]!.address, targets[0]!.family)
  })
