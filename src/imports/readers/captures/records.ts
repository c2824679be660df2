/** Captures that are records, one after the other, each with its length. Memory does not grow with the file. */
import type { SourceFile } from "../../FileReader.ts"
import type { Captured, Datagram } from "./Datagram.ts"

/** More than the longest record, bytes. */
const CHUNK_BYTES = 1 << 20

/** A record at the begin of bytes that may end within it, and the reason why its packet is left out. */
interface CaptureRecord {
  readonly size: number
  readonly datagram?: Datagram
  readonly leftOut?: string | undefined
}

/** Undefined if the record is damaged, or longer than a chunk. */
export type ReadRecord = (bytes: Buffer) => CaptureRecord | undefined

/** `from`: where the first record is. `least`: the bytes of a record that `read` needs to know its size. */
export function* capturedInRecords(
  file: SourceFile,
  { from, least, read }: { readonly from: number; readonly least: number; readonly read: ReadRecord }
): Generator<Captured, void, void> {
  for (let at = from; at < file.size;) {
    const chunk = Buffer.from(file.bytes(at, CHUNK_BYTES))
    const isLast = at + chunk.length >= file.size
    const datagrams: Array<Datagram> = []
    const leftOut: Record<string, number> = {}
    let used = 0
    let damage: string | undefined
    while (used + least <= chunk.length) {
      const record = read(chunk.subarray(used))
      if (record === undefined) {
        damage = `The capture is damaged at byte ${at + used}: what is before was read`
        break
      }
      if (used + record.size > chunk.length) break
      used += record.size
      if (record.datagram !== undefined) datagrams.push(record.datagram)
      if (record.leftOut !== undefined) leftOut[record.leftOut] = (leftOut[record.leftOut] ?? 0) + 1
    }
    if (isLast && damage === undefined && used < chunk.length) {
      damage = "The capture ends within a packet: what is before it was read"
    }
    at += used
    yield { datagrams, read: at, damage, leftOut }
    if (damage !== undefined || isLast) return
  }
}
