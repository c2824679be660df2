/** The counters of a recording process, for all its connections together. */
import { Effect, Metric, MetricBoundaries, MetricState } from "effect"

const counter = (name: string, description: string) =>
  Metric.counter(name, { description, incremental: true })

/** Counters of received, stored and lost rows. */
export interface RowMetrics {
  readonly received: Metric.Metric.Counter<number>
  readonly stored: Metric.Metric.Counter<number>
  readonly dropped: Metric.Metric.Counter<number>
  readonly dead: Metric.Metric.Counter<number>
  readonly rejected: Metric.Metric.Counter<number>
  readonly missing: Metric.Metric.Counter<number>
}

const rowMetrics = (row: "point" | "sample"): RowMetrics => {
  const [rows, Rows] = row === "point" ? ["points", "Points"] : ["samples", "Samples"]
  return {
    received: counter(`telemetry_${rows}_received_total`, `${Rows} that arrived from simulators`),
    stored: counter(`telemetry_${rows}_stored_total`, `${Rows} that the store has acknowledged as durable`),
    dropped: counter(`telemetry_${rows}_dropped_total`, `${Rows} lost because the intake was full`),
    dead: counter(
      `telemetry_${rows}_dead_total`,
      `${Rows} that the store refused to keep; the log has the reason`
    ),
    rejected: counter(`telemetry_${rows}_rejected_total`, `${Rows} refused, by reason`),
    missing: counter(`telemetry_${rows}_missing_total`, `${Rows} that a feed's sequence numbers show as lost`)
  }
}

export const pointMetrics = rowMetrics("point")
/** Samples of all groups other than the points. */
export const sampleMetrics = rowMetrics("sample")
export const samplesNotFinite = counter(
  "telemetry_samples_not_finite_total",
  "Values of samples that were no finite number, and are absent"
)
export const messagesRefused = counter(
  "telemetry_messages_refused_total",
  "Messages of simulators that broke their shape"
)
export const datagramsRefused = counter(
  "telemetry_datagrams_refused_total",
  "Datagrams that were not looked at, by reason"
)
export const sessionsRefused = counter(
  "telemetry_sessions_refused_total",
  "Sessions of datagram sources beyond what one may begin"
)
export const lapsRefused = counter(
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
  "telemetry_points_dead_total",
  "telemetry_points_rejected_total"
])

/** Points that this process has received and has not yet stored or refused. */
export const pointsUnderWay: Effect.Effect<number> = Effect.map(Metric.snapshot, (pairs) => {
  let points = 0
  for (const { metricKey, metricState } of pairs) {
    if (!MetricState.isCounterState(metricState)) continue
    if (metricKey.name === "telemetry_points_received_total") points += Number(metricState.count)
    if (DONE_WITH.has(metricKey.name)) points -= Number(metricState.count)
  }
  return points
})
