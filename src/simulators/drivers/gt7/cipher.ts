/**
 * Decrypts Gran Turismo 7's packets: Salsa20 with a key that is public knowledge and a nonce from the packet itself
 * (gran-turismo-7.md, section 2).
 */
import { salsa20 } from "@noble/ciphers/salsa.js"
import { type Heartbeat, packets } from "./layout.ts"

/** The difference between the two halves of the nonce. */
export const masks: Readonly<Record<Heartbeat, number>> = {
  A: 0xdeadbeaf,
  B: 0xdeadbeef,
  "~": 0x55fabb4f,
  C: 0xdeadbeef
}
const anyMask: ReadonlyArray<number> = [...new Set(Object.values(masks))]
/** By the length of the packets. */
const heartbeats: ReadonlyMap<number, Heartbeat> = new Map(
  (Object.keys(masks) as ReadonlyArray<Heartbeat>).map((heartbeat) => [packets[heartbeat].size, heartbeat])
)

const KEY = Buffer.from("Simulator Interface Packet GT7 ver 0.0", "latin1").subarray(0, 32)
/** "0S7G". */
export const MAGIC = 0x47375330
/**
 * The place of half of the nonce. The table's reader keeps a view of its bytes, and would need another for the
 * decrypted bytes.
 */
const IV = packets.A.places.get("iv")!.at

const nonce = Buffer.alloc(8)

/** Encrypts and decrypts. */
export const cipher = (bytes: Buffer, iv: number, mask: number, into?: Buffer): Uint8Array => {
  nonce.writeUInt32LE((iv ^ mask) >>> 0, 0)
  nonce.writeUInt32LE(iv, 4)
  return salsa20(KEY, nonce, bytes, into)
}

export class Decryption {
  /** The format of the last packet that was read; undefined before the first. */
  heartbeat: Heartbeat | undefined
  readonly #plain = new Map([...heartbeats.keys()].map((length) => [length, Buffer.alloc(length)]))

  /** The decrypted packet, which the next call overwrites; undefined for other bytes. */
  read(bytes: Buffer): Buffer | undefined {
    const heartbeat = heartbeats.get(bytes.length)
    const plain = this.#plain.get(bytes.length)
    if (heartbeat === undefined || plain === undefined) return undefined
    const mask = masks[heartbeat]
    // A game might send a format with the mask of another.
    const isRead =
      this.#decrypt(bytes, mask, plain) ||
      anyMask.some((other) => other !== mask && this.#decrypt(bytes, other, plain))
    if (!isRead) return undefined
    this.heartbeat = heartbeat
    return plain
  }

  #decrypt(bytes: Buffer, mask: number, plain: Buffer): boolean {
    cipher(bytes, bytes.readUInt32LE(IV), mask, plain)
    return packets.A.read.magic(plain) === MAGIC
  }
}
