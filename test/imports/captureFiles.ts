/** Writes the datagrams of a case as captures of other kinds. */
import { deflateSync } from "node:zlib"
import { linesOf, type Line } from "../simulators/cases/games.ts"
import { EPOCH_S } from "../simulators/cases/recorded.ts"

const FROM = Buffer.from([192, 168, 0, 7])

export const udp = (bytes: Buffer, port: number) => {
  const head = Buffer.alloc(8)
  head.writeUInt16BE(50_000, 0)
  head.writeUInt16BE(port, 2)
  head.writeUInt16BE(8 + bytes.length, 4)
  return Buffer.concat([head, bytes])
}

export const ipv4 = (payload: Buffer, fragment = 0) => {
  const head = Buffer.alloc(20)
  head[0] = 0x45
  head.writeUInt16BE(20 + payload.length, 2)
  head.writeUInt16BE(fragment, 6)
  head[9] = 17
  FROM.copy(head, 12)
  return Buffer.concat([head, payload])
}

export const ipv6 = (payload: Buffer) => {
  const head = Buffer.alloc(48)
  head[0] = 0x60
  head.writeUInt16BE(8 + payload.length, 4)
  // An extension header without options, then UDP.
  head[6] = 0
  head[40] = 17
  return Buffer.concat([head, payload])
}

export const ethernet = (packet: Buffer) =>
  Buffer.concat([Buffer.alloc(12), Buffer.from("8100000108 00".replace(" ", ""), "hex"), packet])
export const cooked = (packet: Buffer) =>
  Buffer.concat([Buffer.from("86dd", "hex"), Buffer.alloc(18), packet])

export interface Packet {
  readonly time: number
  readonly bytes: Buffer
}

/** Big endian, with nanoseconds. */
export const pcap = (packets: ReadonlyArray<Packet>, link = 1) => {
  const head = Buffer.alloc(24)
  head.writeUInt32BE(0xa1b23c4d, 0)
  head.writeUInt32BE(link, 20)
  return Buffer.concat([
    head,
    ...packets.flatMap(({ bytes, time }) => {
      const record = Buffer.alloc(16)
      record.writeUInt32BE(Math.floor(time), 0)
      record.writeUInt32BE(Math.round((time % 1) * 1e9), 4)
      record.writeUInt32BE(bytes.length, 8)
      record.writeUInt32BE(bytes.length, 12)
      return [record, bytes]
    })
  ])
}

const block = (type: number, body: Buffer) => {
  const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
  const head = Buffer.alloc(8)
  head.writeUInt32LE(type, 0)
  head.writeUInt32LE(12 + padded.length, 4)
  return Buffer.concat([head, padded, head.subarray(4)])
}

/** With milliseconds, which an option of the interface says. */
export const pcapng = (packets: ReadonlyArray<Packet>, link: number) => {
  const section = Buffer.from("4d3c2b1a01000000ffffffffffffffff", "hex")
  const one = Buffer.alloc(16)
  one.writeUInt16LE(link, 0)
  one.writeUInt16LE(9, 8)
  one.writeUInt16LE(1, 10)
  one[12] = 3
  return Buffer.concat([
    block(0x0a0d0d0a, section),
    block(1, one),
    ...packets.map(({ bytes, time }) => {
      const head = Buffer.alloc(20)
      const millis = Math.round(time * 1000)
      head.writeUInt32LE(Math.floor(millis / 2 ** 32), 4)
      head.writeUInt32LE(millis % 2 ** 32, 8)
      head.writeUInt32LE(bytes.length, 12)
      head.writeUInt32LE(bytes.length, 16)
      return block(6, Buffer.concat([head, bytes]))
    })
  ])
}

export const f1pcap = (packets: ReadonlyArray<Packet>, isPacked: boolean) => {
  const head = Buffer.from([...Buffer.from("F1UDP\0"), isPacked ? 1 : 0, 0x91, 0, 0, 0, 0])
  return Buffer.concat([
    head,
    ...packets.flatMap(({ bytes, time }) => {
      const data = isPacked ? deflateSync(bytes) : bytes
      const record = Buffer.alloc(8)
      record.writeFloatLE(time, 0)
      record.writeUInt32LE(data.length, 4)
      return [record, data]
    })
  ])
}

/** The datagrams of a case's file. */
export const datagramsOf = (file: string): ReadonlyArray<Packet> =>
  linesOf(file).map((line) => {
    const { hex, t } = JSON.parse(line) as Line
    return { time: EPOCH_S + t, bytes: Buffer.from(hex, "hex") }
  })

const GAME_PORT = 20_777

/** One file of each kind, by its name. */
export const captureFiles = (packets: ReadonlyArray<Packet>): Readonly<Record<string, Buffer>> => {
  const wrapped = (wrap: (datagram: Buffer) => Buffer) =>
    packets.map(({ bytes, time }) => ({ time, bytes: wrap(udp(bytes, GAME_PORT)) }))
  return {
    "ethernet.pcap": pcap(wrapped((datagram) => ethernet(ipv4(datagram)))),
    "raw.pcap": pcap(
      wrapped((datagram) => ipv4(datagram)),
      101
    ),
    "cooked.pcapng": pcapng(
      wrapped((datagram) => cooked(ipv6(datagram))),
      276
    ),
    "plain.f1pcap": f1pcap(packets, false),
    "packed.f1pcap": f1pcap(packets, true)
  }
}
