/**
 * Writes the bytes of a file as they arrive, and hashes them on the way. The next piece is read only when the last one was
 * written, so a fast client waits for the disk, and memory holds one piece.
 */
import { createHash, type Hash } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import { HEAD_BYTES } from "../FileReader.ts"

/** A file as it arrives. `length`: the bytes that are announced, if they are. */
export class Arriving {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly length: number | undefined

  constructor(bytes: AsyncIterable<Uint8Array>, length: number | undefined) {
    this.bytes = bytes
    this.length = length
  }
}

export interface Reception {
  /** The bytes of the file that are here. */
  readonly received: number
  /** `cut`: the client is gone. `over`: there are more bytes than `limit`. */
  readonly end: "complete" | "cut" | "over"
}

interface Receiving {
  readonly handle: FileHandle
  readonly bytes: AsyncIterable<Uint8Array>
  /** The position of the first of these bytes. */
  readonly from: number
  /** The maximum size of the file. */
  readonly limit: number
  readonly hash: Hash | undefined
  /** Gets the file's first bytes as soon as HEAD_BYTES are here; throws if the file is not wanted. */
  readonly checkHead: (head: Uint8Array) => void
}

export const headOf = async (handle: FileHandle): Promise<Uint8Array> => {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

/**
 * Bytes after which the disk must have them. Otherwise the system gathers gigabytes, writes them at once, and meanwhile each
 * commit of a store waits for seconds.
 */
const SYNC_BYTES = 8 * 2 ** 20

/** Stops at the next piece after `signal`. */
export const receive = async (
  { bytes, checkHead, from, handle, hash, limit }: Receiving,
  signal: AbortSignal
): Promise<Reception> => {
  const pieces = bytes[Symbol.asyncIterator]()
  let received = from
  for (;;) {
    let piece: IteratorResult<Uint8Array>
    try {
      piece = await pieces.next()
    } catch {
      return { received, end: "cut" }
    }
    if (signal.aborted) return { received, end: "cut" }
    if (piece.done === true) return { received, end: "complete" }
    const { value } = piece
    if (received + value.length > limit) return { received, end: "over" }
    hash?.update(value)
    await handle.write(value, 0, value.length, received)
    const before = received
    received += value.length
    if (Math.floor(before / SYNC_BYTES) < Math.floor(received / SYNC_BYTES)) await handle.datasync()
    if (before < HEAD_BYTES && received >= HEAD_BYTES) checkHead(await headOf(handle))
  }
}

/** Beyond this many bytes at once a hash would keep the process from other work. */
const PIECE_BYTES = 256 * 1024

/** The hash of the first `length` bytes of a file, to be gone on with. */
export const hashOfBegin = async (handle: FileHandle, length: number): Promise<Hash> => {
  const hash = createHash("sha256")
  const buffer = Buffer.alloc(Math.min(PIECE_BYTES, length))
  for (let at = 0; at < length;) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, length - at), at)
    if (bytesRead === 0) break
    hash.update(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
  return hash
}
