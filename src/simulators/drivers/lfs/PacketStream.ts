import { UNIT } from "./insim.ts"

const nothing = Buffer.alloc(0)

/** Packets out of what TCP brings: several at a time, or one in pieces. Keeps at most one packet, of 1020 bytes. */
export class PacketStream {
  #rest: Buffer = nothing

  /** What has come of the packet that is not whole yet. */
  get rest(): Buffer {
    return this.#rest
  }

  /** The packets that are whole now, in order; undefined once one claims to have no length: there is no way on. */
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
    // Copied, for a part of a packet must not keep the chunk it came with.
    this.#rest = at === bytes.length ? nothing : Buffer.from(bytes.subarray(at))
    return packets
  }
}
