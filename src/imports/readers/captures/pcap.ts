/** Captures of networks: pcap and pcapng (formats.md, 3.7). */
import { type SourceFile, UnreadableFile } from "../../FileReader.ts"
import type { CaptureFormat, Captured } from "./Datagram.ts"
import { datagramIn, isKnownLink } from "./packetLayers.ts"
import { capturedInRecords, type ReadRecord } from "./records.ts"

/** A longer packet or block is damage, bytes: links carry at most 64 KiB, and options are short. */
const MAX_PACKET_BYTES = 1 << 18

/** pcap's magic numbers, little endian, and the fractions of a second in which they count. */
const MICROS = 0xa1b2c3d4
const NANOS = 0xa1b23c4d
const SECTION = 0x0a0d0d0a
const BYTE_ORDER = 0x1a2b3c4d

interface Order {
  readonly u16: (bytes: Buffer, at: number) => number
  readonly u32: (bytes: Buffer, at: number) => number
}
const little: Order = {
  u16: (bytes, at) => bytes.readUInt16LE(at),
  u32: (bytes, at) => bytes.readUInt32LE(at)
}
const big: Order = { u16: (bytes, at) => bytes.readUInt16BE(at), u32: (bytes, at) => bytes.readUInt32BE(at) }

const orderOf = (magic: (order: Order) => number, ...known: ReadonlyArray<number>) =>
  [little, big].find((order) => known.includes(magic(order)))

/** The datagram in a packet of the link, or why it is left out. `time`: epoch seconds. */
const datagramOf = (time: number, link: number, packet: Buffer) => {
  const found = datagramIn(link, packet)
  return typeof found === "object" ? { datagram: { time, ...found } } : { leftOut: found }
}

const pcapRecords = (head: Buffer): ReadRecord => {
  const order = orderOf(({ u32 }) => u32(head, 0), MICROS, NANOS)!
  const perSecond = order.u32(head, 0) === NANOS ? 1e9 : 1e6
  const link = order.u32(head, 20) & 0xffff
  if (!isKnownLink(link))
    throw new UnreadableFile(`The capture is of a link of type ${link}, which is not read`)
  return (bytes) => {
    const length = order.u32(bytes, 8)
    if (length > MAX_PACKET_BYTES) return undefined
    const time = order.u32(bytes, 0) + order.u32(bytes, 4) / perSecond
    return { size: 16 + length, ...datagramOf(time, link, bytes.subarray(16, 16 + length)) }
  }
}

interface Interface {
  readonly link: number
  /** Of a second. */
  readonly ticks: number
}

const INTERFACE = 1
const PACKET = 2
const ENHANCED = 6
const TICKS_OPTION = 9
/** Where the packet begins in its block. */
const PACKET_AT = 28

/** The ticks of a second, by the option of an interface: a power of ten, or of two. */
const ticksOf = (block: Buffer, { u16 }: Order): number => {
  for (let at = 16; at + 4 <= block.length - 4; at += 4 + Math.ceil(u16(block, at + 2) / 4) * 4) {
    if (u16(block, at) !== TICKS_OPTION) continue
    const value = block[at + 4] ?? 6
    return value < 128 ? 10 ** value : 2 ** (value & 127)
  }
  return 1e6
}

const pcapngRecords = (): ReadRecord => {
  let order = little
  let interfaces: Array<Interface> = []
  return (bytes) => {
    if (bytes.readUInt32LE(0) === SECTION) {
      const found = orderOf(({ u32 }) => u32(bytes, 8), BYTE_ORDER)
      if (found === undefined) return undefined
      order = found
      interfaces = []
    }
    const [type, size] = [order.u32(bytes, 0), order.u32(bytes, 4)]
    if (size < 12 || size % 4 !== 0 || size > MAX_PACKET_BYTES) return undefined
    // The rest of the block is not here yet.
    if (size > bytes.length) return { size }
    const block = bytes.subarray(0, size)
    if (type === INTERFACE && size >= 20)
      interfaces.push({ link: order.u16(block, 8), ticks: ticksOf(block, order) })
    const isEnhanced = type === ENHANCED && size >= 32
    if (!isEnhanced && !(type === PACKET && size >= 32)) return { size }
    const one = interfaces[isEnhanced ? order.u32(block, 8) : order.u16(block, 8)]
    const length = order.u32(block, 20)
    if (one === undefined || PACKET_AT + length > size) return undefined
    const ticks = order.u32(block, 12) * 2 ** 32 + order.u32(block, 16)
    return { size, ...datagramOf(ticks / one.ticks, one.link, block.subarray(PACKET_AT, PACKET_AT + length)) }
  }
}

const isPcapng = (head: Uint8Array): boolean =>
  head.length >= 12 && Buffer.from(head.buffer, head.byteOffset, head.length).readUInt32LE(0) === SECTION

const isPcap = (head: Uint8Array): boolean => {
  if (head.length < 24) return false
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length)
  return orderOf(({ u32 }) => u32(bytes, 0), MICROS, NANOS) !== undefined
}

export const format: CaptureFormat = {
  format: "pcap",
  title: "capture of a network (.pcap, .pcapng)",
  endings: [".pcap", ".pcapng", ".cap"],
  recognises: (head) => isPcap(head) || isPcapng(head),
  isDated: true
}

/** The UDP datagrams of the capture. */
export const capturedInPcap = (file: SourceFile): Iterable<Captured> => {
  const head = Buffer.from(file.bytes(0, 24))
  return isPcapng(head)
    ? capturedInRecords(file, { from: 0, least: 12, read: pcapngRecords() })
    : capturedInRecords(file, { from: 24, least: 16, read: pcapRecords(head) })
}
