/**
 * Pits n' Giggles' captures of F1 (formats.md, 3.7). Their float32 times have steps of 128 s and are no clock: the packets'
 * own session time is.
 */
import { inflateSync } from "node:zlib"
import { headerStruct } from "../../../simulators/drivers/f1/layout.ts"
import type { SourceFile } from "../../FileReader.ts"
import type { CaptureFormat, Captured } from "./Datagram.ts"
import { capturedInRecords, type ReadRecord } from "./records.ts"

const MAGIC = Buffer.from("F1UDP\0", "latin1")
const HEAD_BYTES = 12
/** Of a datagram. */
const MAX_BYTES = 1 << 16
const PORT = 20_777

export const format: CaptureFormat = {
  format: "f1pcap",
  title: "Pits n' Giggles capture (.f1pcap)",
  endings: [".f1pcap"],
  recognises: (head) => head.length >= HEAD_BYTES && MAGIC.equals(head.subarray(0, MAGIC.length)),
  isDated: false
}

/** Follows the session time, which begins anew with each session, as a clock that only goes forward. */
class SessionClock {
  #last: number | undefined
  #now = 0

  at(bytes: Buffer): number {
    const time = bytes.length < headerStruct.size ? Number.NaN : headerStruct.read.sessionTime(bytes)
    if (!Number.isFinite(time)) return this.#now
    if (this.#last !== undefined && time > this.#last) this.#now += time - this.#last
    this.#last = time
    return this.#now
  }
}

const unpacked = (bytes: Buffer): Buffer | undefined => {
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_BYTES })
  } catch {
    return undefined
  }
}

export const capturedInF1pcap = (file: SourceFile): Iterable<Captured> => {
  const head = Buffer.from(file.bytes(0, HEAD_BYTES))
  const isPacked = (head[6]! & 1) === 1
  const isLittle = (head[7]! & 0x80) !== 0
  const clock = new SessionClock()
  const read: ReadRecord = (bytes) => {
    const length = isLittle ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4)
    if (length > MAX_BYTES) return undefined
    const size = 8 + length
    if (size > bytes.length) return { size }
    const found = bytes.subarray(8, size)
    const datagram = isPacked ? unpacked(found) : found
    if (datagram === undefined) return undefined
    return { size, datagram: { time: clock.at(datagram), from: "", port: PORT, bytes: datagram } }
  }
  // The number of packets in the head may be wrong after a crash: they are read to the end.
  return capturedInRecords(file, { from: HEAD_BYTES, least: 8, read })
}
