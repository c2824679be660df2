import { UNIT } from "./insim.ts"

const nothing = Buffer.alloc(0)

/** Splits the bytes of TCP into packets: several at once, or one in pieces. It keeps at most one packet, of 1020 bytes. */
export class PacketStream {
  #rest: Buffer = nothing

  /** The bytes of the incomplete packet. */
  get rest(): Buffer {
    return this.#rest
  }

  /** The complete packets, in order; undefined once one claims to have no length, after which none can be found. */
  push(chunk: Buffer): ReadonlyArray<Buffer> | undefined {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const packets: Array<Buffer> = []
    let at = 0
    while (at < bytes.length) {
      const length = bytes[at]! * UNIT
      if (length === 0) return undefined
      if (at + length > bytes.length) break
      packets.push(bytes.subarray(at, at + length))
      at += length
    }
    // Copied, so that part of a packet does not keep the chunk that it came with.
    this.#rest = at === bytes.length ? nothing : Buffer.from(bytes.subarray(at))
    return packets
  }
}
