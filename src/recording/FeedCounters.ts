/** What became of every point of one feed. Plain counters, raised once a batch. */
import { Metric } from "effect"
import { MAX_FOREIGNERS } from "../domain/SimulatorEvent.ts"
import type { Rejection } from "./admission.ts"
import {
  datagramsRefused,
  lapsRefused,
  messagesRefused,
  pointsDropped,
  pointsMissing,
  pointsReceived,
  pointsRejected,
  pointsStored,
  sessionsRefused
} from "./metrics.ts"

export class FeedCounters {
  readonly #changed: () => void
  received = 0
  stored = 0
  dropped = 0
  readonly rejected = new Map<Rejection, number>()
  refusedMessages = 0
  /** Datagrams of senders that are not heard, and the first of those. */
  foreign = 0
  readonly foreignSenders = new Set<string>()
  /** Sessions and laps beyond what a datagram source may cause. */
  refusedSessions = 0
  refusedLaps = 0
  /** Jumps in the feed's sequence, and the points that they skipped. */
  gaps = 0
  missing = 0
  /** When the last points arrived, epoch seconds. */
  lastArrival: number | undefined

  /** `changed` is called after each change: several times a batch, so it has to be cheap. */
  constructor(changed: () => void = () => {}) {
    this.#changed = changed
  }

  countReceived(points: number, arrival: number): void {
    this.received += points
    this.lastArrival = arrival
    pointsReceived.unsafeUpdate(points, [])
    this.#changed()
  }

  countStored(points: number): void {
    this.stored += points
    pointsStored.unsafeUpdate(points, [])
    this.#changed()
  }

  countDropped(points: number): void {
    this.dropped += points
    pointsDropped.unsafeUpdate(points, [])
    this.#changed()
  }

  countRejected(reason: Rejection, points: number): void {
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + points)
    Metric.tagged(pointsRejected, "reason", reason).unsafeUpdate(points, [])
    this.#changed()
  }

  countRefusedMessage(): void {
    this.refusedMessages++
    messagesRefused.unsafeUpdate(1, [])
    this.#changed()
  }

  countForeign(datagrams: number, senders: ReadonlyArray<string>): void {
    this.foreign += datagrams
    for (const sender of senders)
      if (this.foreignSenders.size < MAX_FOREIGNERS) this.foreignSenders.add(sender)
    Metric.tagged(datagramsRefused, "reason", "foreign_sender").unsafeUpdate(datagrams, [])
    this.#changed()
  }

  countRefusedSession(): void {
    this.refusedSessions++
    sessionsRefused.unsafeUpdate(1, [])
    this.#changed()
  }

  countRefusedLaps(laps: number): void {
    this.refusedLaps += laps
    lapsRefused.unsafeUpdate(laps, [])
    this.#changed()
  }

  countMissing(points: number): void {
    this.gaps++
    // Sequences are the feed's word, up to 2^64; a count that is no exact integer could not be shown.
    this.missing = Math.min(this.missing + points, Number.MAX_SAFE_INTEGER)
    pointsMissing.unsafeUpdate(points, [])
    this.#changed()
  }

  get rejectedTotal(): number {
    let total = 0
    for (const points of this.rejected.values()) total += points
    return total
  }
}
