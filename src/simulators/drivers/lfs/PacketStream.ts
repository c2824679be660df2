import { UNIT } from "./insim.ts"

const nothing = Buffer.alloc(0)

/**
 * Splits the bytes of TCP into packets: several together, or one in pieces. It keeps at most one packet, of 1020 bytes.
 */
export class PacketStream {
  #rest: Buffer = nothing

  /** The bytes of the incomplete packet. */
  get rest(): Buffer {
    return this.#rest
  }

  /** The complete packets, in order; undefined once a packet has length 0, because none can be found after it. */
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
    // A copy, because a part of a packet would keep the whole chunk in memory.
    this.#rest = at === bytes.length ? nothing : Buffer.from(bytes.subarray(at))
    return packets
  }
}
