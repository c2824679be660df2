/** The datagram in a captured packet: link layer, IPv4 or IPv6, UDP. Every length is compared with the packet's size. */

/** Why a packet has no datagram for us. `undefined`: it is of another protocol. */
export type NoDatagram = "fragments" | "cut_packets" | undefined

export interface Udp {
  readonly from: string
  readonly port: number
  readonly bytes: Buffer
}

const IPV4 = 0x0800
const IPV6 = 0x86dd
const VLANS = new Set([0x8100, 0x88a8])
const UDP = 17
const UDP_HEADER_BYTES = 8
const FRAGMENT = 44
/** Headers of IPv6 that may stand before UDP, each with its length. */
const EXTENSIONS = new Set([0, 43, 60])

const udp = (bytes: Buffer, from: string, isWhole: boolean): Udp | NoDatagram => {
  if (bytes.length < UDP_HEADER_BYTES) return "cut_packets"
  const length = bytes.readUInt16BE(4)
  if (length < UDP_HEADER_BYTES || length > bytes.length || !isWhole) return "cut_packets"
  return { from, port: bytes.readUInt16BE(2), bytes: bytes.subarray(UDP_HEADER_BYTES, length) }
}

const ipv4 = (packet: Buffer): Udp | NoDatagram => {
  if (packet.length < 20) return "cut_packets"
  const headerLength = (packet[0]! & 15) * 4
  const length = packet.readUInt16BE(2)
  if (packet[9] !== UDP) return undefined
  if (headerLength < 20 || length < headerLength) return "cut_packets"
  // More of the datagram follows, or came before.
  if ((packet.readUInt16BE(6) & 0x3fff) !== 0) return "fragments"
  const from = packet.subarray(12, 16).join(".")
  return udp(packet.subarray(headerLength, length), from, length <= packet.length)
}

const ipv6 = (packet: Buffer): Udp | NoDatagram => {
  if (packet.length < 40) return "cut_packets"
  const length = 40 + packet.readUInt16BE(4)
  let [kind, at] = [packet[6]!, 40]
  while (EXTENSIONS.has(kind)) {
    if (at + 8 > packet.length) return "cut_packets"
    const size = (packet[at + 1]! + 1) * 8
    kind = packet[at]!
    at += size
  }
  if (kind === FRAGMENT) return "fragments"
  if (kind !== UDP) return undefined
  const from = packet.subarray(8, 24).toString("hex")
  return udp(packet.subarray(at, length), from, length <= packet.length)
}

const ip = (packet: Buffer): Udp | NoDatagram => {
  const version = (packet[0] ?? 0) >> 4
  return version === 4 ? ipv4(packet) : version === 6 ? ipv6(packet) : undefined
}

const ofEtherType = (type: number, packet: Buffer): Udp | NoDatagram =>
  type === IPV4 || type === IPV6 ? ip(packet) : undefined

const ethernet = (packet: Buffer): Udp | NoDatagram => {
  let at = 12
  while (at + 2 <= packet.length && VLANS.has(packet.readUInt16BE(at))) at += 4
  return at + 2 > packet.length
    ? "cut_packets"
    : ofEtherType(packet.readUInt16BE(at), packet.subarray(at + 2))
}

/** Linux's "cooked" packets, whose protocol is at a fixed place. */
const cooked =
  (protocolAt: number, headerBytes: number) =>
  (packet: Buffer): Udp | NoDatagram =>
    packet.length < headerBytes
      ? "cut_packets"
      : ofEtherType(packet.readUInt16BE(protocolAt), packet.subarray(headerBytes))

/** A family of addresses of 4 bytes stands before the packet. */
const afterFamily = (packet: Buffer): Udp | NoDatagram => ip(packet.subarray(4))

/** By the link type's number (tcpdump.org/linktypes). */
const links: Readonly<Record<number, (packet: Buffer) => Udp | NoDatagram>> = {
  0: afterFamily,
  1: ethernet,
  12: ip,
  14: ip,
  101: ip,
  108: afterFamily,
  113: cooked(14, 16),
  228: ip,
  229: ip,
  276: cooked(0, 20)
}

export const isKnownLink = (link: number): boolean => Object.hasOwn(links, link)

/** The datagram in a packet of this link type, or why there is none. */
export const datagramIn = (link: number, packet: Buffer): Udp | NoDatagram => links[link]?.(packet)
