/** What became of every point of a connection. Plain counters, raised once a batch. */
import { Effect, Metric, MetricBoundaries, MetricState } from "effect"
import { MAX_FOREIGNERS } from "../domain/SimulatorEvent.ts"
import type { Rejection } from "./admission.ts"

const counter = (name: string, description: string) =>
  Metric.counter(name, { description, incremental: true })

const received = counter("telemetry_points_received_total", "Points that arrived from simulators")
const stored = counter("telemetry_points_stored_total", "Points that the store has acknowledged as durable")
const dropped = counter("telemetry_points_dropped_total", "Points lost because the intake was full")
const rejected = counter("telemetry_points_rejected_total", "Points refused, by reason")
const refused = counter("telemetry_messages_refused_total", "Messages of simulators that broke their shape")
const missing = counter(
  "telemetry_points_missing_total",
  "Points that a feed's sequence numbers show as lost"
)

const datagramsRefused = counter(
  "telemetry_datagrams_refused_total",
  "Datagrams that were not looked at, by reason"
)
const sessionsRefused = counter(
  "telemetry_sessions_refused_total",
  "Sessions of datagram sources beyond what one may begin"
)
const lapsRefused = counter(
  "telemetry_laps_refused_total",
  "Laps of datagram sources beyond what one may complete"
)

export const lapsRecorded = counter("telemetry_laps_recorded_total", "Laps stored")
export const storeFailures = counter(
  "telemetry_store_failures_total",
  "Store writes that failed and are retried"
)
export const storeWriteSeconds = Metric.histogram(
  "telemetry_store_write_seconds",
  MetricBoundaries.exponential({ start: 0.001, factor: 2, count: 14 }),
  "From a group of batches handed to the store to its acknowledgement"
)
export const intakePoints = Metric.gauge("telemetry_intake_points", {
  description: "Points held in memory, received and not yet acknowledged by the store"
})

const DONE_WITH = new Set([
  "telemetry_points_stored_total",
  "telemetry_points_dropped_total",
  "telemetry_points_rejected_total"
])

/** Points of this process that were received, and are neither stored nor given up. */
export const pointsUnderWay: Effect.Effect<number> = Effect.map(Metric.snapshot, (pairs) => {
  let points = 0
  for (const { metricKey, metricState } of pairs) {
    if (!MetricState.isCounterState(metricState)) continue
    if (metricKey.name === "telemetry_points_received_total") points += Number(metricState.count)
    if (DONE_WITH.has(metricKey.name)) points -= Number(metricState.count)
  }
  return points
})

export class Tally {
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

  countReceived(points: number, arrival: number): void {
    this.received += points
    this.lastArrival = arrival
    received.unsafeUpdate(points, [])
  }

  countStored(points: number): void {
    this.stored += points
    stored.unsafeUpdate(points, [])
  }

  countDropped(points: number): void {
    this.dropped += points
    dropped.unsafeUpdate(points, [])
  }

  countRejected(reason: Rejection, points: number): void {
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + points)
    Metric.tagged(rejected, "reason", reason).unsafeUpdate(points, [])
  }

  countRefusedMessage(): void {
    this.refusedMessages++
    refused.unsafeUpdate(1, [])
  }

  countForeign(datagrams: number, senders: ReadonlyArray<string>): void {
    this.foreign += datagrams
    for (const sender of senders)
      if (this.foreignSenders.size < MAX_FOREIGNERS) this.foreignSenders.add(sender)
    Metric.tagged(datagramsRefused, "reason", "foreign_sender").unsafeUpdate(datagrams, [])
  }

  countRefusedSession(): void {
    this.refusedSessions++
    sessionsRefused.unsafeUpdate(1, [])
  }

  countRefusedLaps(laps: number): void {
    this.refusedLaps += laps
    lapsRefused.unsafeUpdate(laps, [])
  }

  countMissing(points: number): void {
    this.gaps++
    // Sequences are the feed's word, up to 2^64; a count that is no exact integer could not be shown.
    this.missing = Math.min(this.missing + points, Number.MAX_SAFE_INTEGER)
    missing.unsafeUpdate(points, [])
  }

  get rejectedTotal(): number {
    let total = 0
    for (const points of this.rejected.values()) total += points
    return total
  }
}
