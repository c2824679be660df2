/** Counts what happened to the points, samples and messages of one feed. Plain counters, raised once per batch. */
import { Metric } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import { MAX_FOREIGNERS } from "../../domain/SimulatorEvent.ts"
import {
  datagramsRefused,
  lapsRefused,
  messagesRefused,
  pointMetrics,
  sampleMetrics,
  samplesNotFinite,
  sessionsRefused
} from "../metrics.ts"
import { RowCounters } from "../RowCounters.ts"

/** The maximum number of notices that are kept for a feed; a faulty feed may cause any number. */
const MAX_NOTICES = 16

export class FeedCounters {
  readonly #changed: () => void
  readonly points: RowCounters
  /** The samples of all groups other than the points. */
  readonly samples: RowCounters
  /** Values of samples that were not finite or too large. They are stored as absent. */
  notFinite = 0
  refusedMessages = 0
  /** Faults in the feed's data, each with its count. */
  readonly notices = new Map<string, number>()
  /** Datagrams from senders that are ignored, and the first of these senders. */
  foreign = 0
  readonly foreignSenders = new Set<string>()
  /** Sessions and laps beyond the quota of a datagram source. */
  refusedSessions = 0
  refusedLaps = 0
  /** When the last points arrived, epoch seconds. */
  lastArrival: number | undefined

  /** `changed` is called after each change, several times a batch, so it has to be cheap. */
  constructor(changed: () => void = () => {}) {
    this.#changed = changed
    this.points = new RowCounters(pointMetrics, changed)
    this.samples = new RowCounters(sampleMetrics, changed)
  }

  /** The counters of a group's rows. */
  of(group: string): RowCounters {
    return group === POINTS ? this.points : this.samples
  }

  /** Counts rows of a group that arrived at `arrival`, epoch seconds. */
  countReceived(group: string, rows: number, arrival: number): void {
    if (group === POINTS) this.lastArrival = arrival
    this.of(group).addReceived(rows)
  }

  countNotFinite(values: number): void {
    this.notFinite += values
    samplesNotFinite.unsafeUpdate(values, [])
    this.#changed()
  }

  countRefusedMessage(): void {
    this.refusedMessages++
    messagesRefused.unsafeUpdate(1, [])
    this.#changed()
  }

  /** Counts a fault of the feed. Returns whether the reason is new and is kept. */
  notice(reason: string, times = 1): boolean {
    const before = this.notices.get(reason)
    if (before === undefined && this.notices.size >= MAX_NOTICES) return false
    this.notices.set(reason, (before ?? 0) + times)
    this.#changed()
    return before === undefined
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
}
