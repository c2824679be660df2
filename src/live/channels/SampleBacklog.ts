/**
 * Samples that wait for the next points of their session, before which they are sent: the newest rows of each group. They
 * need not be sent sooner, because no message shows them without a point.
 *
 * Limits: the newest rows of each group up to twice MAX_WAITING_BYTES, at least one row; and MAX_SESSIONS sessions.
 */
import { inColumns, RowBatch, sameChannels } from "../../domain/RowBatch.ts"
import type { GroupRows } from "./ChannelWatch.ts"

/** More rows would be useless: a history keeps no more. */
const MAX_WAITING_ROWS = 2048
const MAX_WAITING_BYTES = 256 * 1024
/** More sessions than are ever recorded at the same time. */
const MAX_SESSIONS = 256

const mostRows = (batch: RowBatch) =>
  Math.max(1, Math.min(MAX_WAITING_ROWS, Math.floor(MAX_WAITING_BYTES / (8 * batch.channels.length))))

/** The newest rows of a batch, copied, so that the rest of the batch is not kept. */
const newestOf = (batch: RowBatch): RowBatch => {
  const from = Math.max(0, batch.length - mostRows(batch))
  return from > 0
    ? batch.slice(from, batch.length)
    : new RowBatch(batch.length, batch.data.slice(), batch.channels)
}

interface Waiting {
  readonly batches: Array<RowBatch>
  rows: number
}

export class SampleBacklog {
  readonly #sessions = new Map<number, Map<string, Waiting>>()

  /** Copies the rows that it keeps. */
  add(sessionId: number, { batch, group }: GroupRows): void {
    let groups = this.#sessions.get(sessionId)
    if (groups === undefined) {
      this.#sessions.set(sessionId, (groups = new Map()))
      if (this.#sessions.size > MAX_SESSIONS) this.#forgetOldest()
    }
    const waiting = groups.get(group)
    const kept = newestOf(batch)
    if (waiting === undefined) {
      groups.set(group, { batches: [kept], rows: kept.length })
      return
    }
    if (!sameChannels(waiting.batches[0]!.channels, batch.channels)) {
      for (const [i, earlier] of waiting.batches.entries())
        waiting.batches[i] = inColumns(earlier, batch.channels)
    }
    if (kept.length === 0) return
    waiting.batches.push(kept)
    waiting.rows += kept.length
    // Rows are not removed one by one, because each removal would move all others.
    if (waiting.rows < 2 * mostRows(batch)) return
    const newest = newestOf(RowBatch.concat(waiting.batches))
    waiting.batches.splice(0, Infinity, newest)
    waiting.rows = newest.length
  }

  has(sessionId: number): boolean {
    return this.#sessions.has(sessionId)
  }

  /** Takes the samples that wait for a session; undefined if there are none. */
  take(sessionId: number): ReadonlyArray<GroupRows> | undefined {
    const groups = this.#sessions.get(sessionId)
    if (groups === undefined) return undefined
    this.#sessions.delete(sessionId)
    return [...groups].map(([group, { batches }]) => ({ group, batch: RowBatch.concat(batches) }))
  }

  forget(sessionId: number): void {
    this.#sessions.delete(sessionId)
  }

  clear(): void {
    this.#sessions.clear()
  }

  #forgetOldest(): void {
    for (const oldest of this.#sessions.keys()) return void this.#sessions.delete(oldest)
  }
}
