/** Faults of sent datagrams, on demand and by a seed: the same seed damages the same datagrams. */
import { uniform } from "../model/random.ts"
import type { Client, Send } from "./Emulator.ts"

/** Shares of the datagrams, 0 to 1. */
export interface Faults {
  /** Lost. */
  readonly loss: number
  /** Overtaken by one to `OVERTAKEN_BY` later ones. */
  readonly reorder: number
  /** Sent twice. */
  readonly duplicate: number
  /** Followed by garbage: random bytes, or the beginning of this one. */
  readonly garbage: number
}

export const OVERTAKEN_BY = 4
/** The largest payload that Ethernet carries in one piece, bytes. */
const MAX_GARBAGE = 1472

/** Names of the draws: each has a sequence of its own, so that one kind of fault does not move the others. */
const LOSS = 0
const REORDER = 1
const DUPLICATE = 2
const GARBAGE = 3
const DELAY = 4
const BYTES = 5

interface Delayed {
  readonly bytes: Uint8Array
  readonly to: Client | undefined
  /** It is sent after this datagram. */
  readonly after: number
}

/** Garbage after the datagram number `n`: random bytes, or its beginning. */
const garbageAfter = (seed: number, n: number, bytes: Uint8Array): Uint8Array => {
  const kind = uniform(seed, n, BYTES)
  if (kind < 0.5) return bytes.subarray(0, Math.floor(kind * 2 * bytes.length))
  const length = Math.floor((kind * 2 - 1) * (MAX_GARBAGE + 1))
  return Uint8Array.from({ length }, (_, i) => Math.floor(uniform(seed, n, BYTES, i) * 256))
}

/** Wraps a function that sends with faults. Each wrapper has its own course of faults. */
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
          // A real copy: `slice` of a Buffer shares its memory.
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
