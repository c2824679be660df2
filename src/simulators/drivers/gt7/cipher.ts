/**
 * Gran Turismo 7's packets, decrypted: Salsa20 with a key that is public knowledge and a nonce out of the packet itself
 * (gran-turismo-7.md, section 2).
 */
import { salsa20 } from "@noble/ciphers/salsa.js"

/** What a console sends, by the byte that it was asked with. */
export type Heartbeat = "A" | "B" | "~" | "C"

interface Format {
  readonly heartbeat: Heartbeat
  /** By which the two halves of the nonce differ. */
  readonly mask: number
}

const formats: ReadonlyMap<number, Format> = new Map([
  [296, { heartbeat: "A", mask: 0xdeadbeaf }],
  [316, { heartbeat: "B", mask: 0xdeadbeef }],
  [344, { heartbeat: "~", mask: 0x55fabb4f }],
  [368, { heartbeat: "C", mask: 0xdeadbeef }]
])
const masks: ReadonlyArray<number> = [...new Set([...formats.values()].map(({ mask }) => mask))]

const KEY = Buffer.from("Simulator Interface Packet GT7 ver 0.0", "latin1").subarray(0, 32)
/** "0S7G". */
const MAGIC = 0x47375330
/** In clear. What it decrypts to means nothing. */
const IV = 0x40

export class Decryption {
  /** What the last packet that was read answers; undefined before the first. */
  heartbeat: Heartbeat | undefined
  readonly #nonce = Buffer.alloc(8)
  readonly #plain = new Map([...formats.keys()].map((length) => [length, Buffer.alloc(length)]))

  /** The packet in plain, which is overwritten by the next; undefined for bytes that are none. */
  read(bytes: Buffer): Buffer | undefined {
    const format = formats.get(bytes.length)
    const plain = this.#plain.get(bytes.length)
    if (format === undefined || plain === undefined) return undefined
    // A game might send a format with another one's mask.
    const isRead =
      this.#decrypt(bytes, format.mask, plain) ||
      masks.some((mask) => mask !== format.mask && this.#decrypt(bytes, mask, plain))
    if (!isRead) return undefined
    this.heartbeat = format.heartbeat
    return plain
  }

  #decrypt(bytes: Buffer, mask: number, plain: Buffer): boolean {
    const iv = bytes.readUInt32LE(IV)
    this.#nonce.writeUInt32LE((iv ^ mask) >>> 0, 0)
    this.#nonce.writeUInt32LE(iv, 4)
    salsa20(KEY, this.#nonce, bytes, plain)
    return plain.readUInt32LE(0) === MAGIC
  }
}

/** The formats that have more than A. */
export const hasSteering = (plain: Buffer): boolean => plain.length >= 316
export const hasLapTime = (plain: Buffer): boolean => plain.length >= 368
