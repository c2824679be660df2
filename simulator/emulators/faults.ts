/** What goes wrong with datagrams on their way, on demand and by a seed: the same seed spoils the same ones. */
import { uniform } from "../model/random.ts"
import type { Client, Send } from "./Emulator.ts"

/** Shares of the datagrams, 0 to 1. */
export interface Faults {
  /** Do not arrive. */
  readonly loss: number
  /** Are overtaken by one to `OVERTAKEN_BY` later ones. */
  readonly reorder: number
  /** Arrive twice. */
  readonly duplicate: number
  /** Are followed by one that is none: random bytes, or the beginning of this one. */
  readonly garbage: number
}

export const OVERTAKEN_BY = 4
/** What Ethernet carries at most in one piece, bytes. */
const MAX_GARBAGE = 1472

/** Names of the draws: each has a sequence of its own, so that one fault does not change where the others strike. */
const LOSS = 0
const REORDER = 1
const DUPLICATE = 2
const GARBAGE = 3
const DELAY = 4
const BYTES = 5

interface Delayed {
  readonly bytes: Uint8Array
  readonly to: Client | undefined
  /** The datagram after which it goes out. */
  readonly after: number
}

/** Of the datagram numbered `n`: random bytes, or its beginning. */
const garbageAfter = (seed: number, n: number, bytes: Uint8Array): Uint8Array => {
  const kind = uniform(seed, n, BYTES)
  if (kind < 0.5) return bytes.subarray(0, Math.floor(kind * 2 * bytes.length))
  const length = Math.floor((kind * 2 - 1) * (MAX_GARBAGE + 1))
  return Uint8Array.from({ length }, (_, i) => Math.floor(uniform(seed, n, BYTES, i) * 256))
}

/** Makes of a way to send a worse one. Each has its own course of faults. */
export const spoil =
  (faults: Faults, seed: number) =>
  (send: Send): Send => {
    let delayed: Array<Delayed> = []
    let count = 0
    return (bytes, to) => {
      const n = count++
      if (!(uniform(seed, n, LOSS) < faults.loss)) {
        if (uniform(seed, n, REORDER) < faults.reorder) {
          const after = n + 1 + Math.floor(uniform(seed, n, DELAY) * OVERTAKEN_BY)
          // A copy, which `slice` of a Buffer is not.
          delayed.push({ bytes: Uint8Array.from(bytes), to, after })
        } else send(bytes, to)
        if (uniform(seed, n, DUPLICATE) < faults.duplicate) send(bytes, to)
      }
      if (uniform(seed, n, GARBAGE) < faults.garbage) send(garbageAfter(seed, n, bytes), to)
      if (delayed.length === 0) return
      const due = delayed.filter(({ after }) => after <= n)
      delayed = delayed.filter(({ after }) => after > n)
      for (const one of due) send(one.bytes, one.to)
    }
  }
