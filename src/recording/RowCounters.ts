/** Counts what happened to the points, or the samples, of one feed. Plain counters, raised once per batch. */
import { Metric } from "effect"
import type { Rejection } from "./Rejection.ts"
import type { RowMetrics } from "./metrics.ts"

export class RowCounters {
  received = 0
  stored = 0
  dropped = 0
  /** Rows that the store refused. They were set aside, so that they do not block the rows after them. */
  dead = 0
  readonly rejected = new Map<Rejection, number>()
  /** Jumps in a sequence, and the rows that they skipped. */
  gaps = 0
  missing = 0
  readonly #metrics: RowMetrics
  readonly #changed: () => void

  /** `changed` is called after each change. */
  constructor(metrics: RowMetrics, changed: () => void) {
    this.#metrics = metrics
    this.#changed = changed
  }

  addReceived(rows: number): void {
    this.received += rows
    this.#metrics.received.unsafeUpdate(rows, [])
    this.#changed()
  }

  countStored(rows: number): void {
    this.stored += rows
    this.#metrics.stored.unsafeUpdate(rows, [])
    this.#changed()
  }

  countDropped(rows: number): void {
    this.dropped += rows
    this.#metrics.dropped.unsafeUpdate(rows, [])
    this.#changed()
  }

  countDead(rows: number): void {
    this.dead += rows
    this.#metrics.dead.unsafeUpdate(rows, [])
    this.#changed()
  }

  countRejected(reason: Rejection, rows: number): void {
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + rows)
    Metric.tagged(this.#metrics.rejected, "reason", reason).unsafeUpdate(rows, [])
    this.#changed()
  }

  countMissing(rows: number): void {
    this.gaps++
    // The feed chooses its sequence numbers, up to 2^64. The count stays an exact integer, because no other can be
    // shown.
    this.missing = Math.min(this.missing + rows, Number.MAX_SAFE_INTEGER)
    this.#metrics.missing.unsafeUpdate(rows, [])
    this.#changed()
  }

  get rejectedTotal(): number {
    let total = 0
    for (const rows of this.rejected.values()) total += rows
    return total
  }
}
