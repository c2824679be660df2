/** Effect's metrics in Prometheus' text format, version 0.0.4 (Effect 3 ships no exporter). */
import { Effect, Metric, MetricState, Option } from "effect"

type Label = readonly [name: string, value: string]

const escaped = (value: string) =>
  value.replace(/[\\"\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`))

const labelled = (labels: ReadonlyArray<Label>) =>
  labels.length === 0 ? "" : `{${labels.map(([name, value]) => `${name}="${escaped(value)}"`).join(",")}}`

/** Effect's last histogram boundary is the largest double or infinity; Prometheus wants `+Inf`. */
const boundary = (value: number) => (value >= Number.MAX_VALUE ? "+Inf" : String(value))

type Line = readonly [suffix: string, labels: ReadonlyArray<Label>, value: number | bigint]

const samplesOf = (
  state: MetricState.MetricState.Untyped
): { readonly type: string; readonly lines: ReadonlyArray<Line> } | undefined => {
  if (MetricState.isCounterState(state)) return { type: "counter", lines: [["", [], state.count]] }
  if (MetricState.isGaugeState(state)) return { type: "gauge", lines: [["", [], state.value]] }
  if (MetricState.isHistogramState(state)) {
    const buckets = state.buckets.map(([le, count]): Line => ["_bucket", [["le", boundary(le)]], count])
    return { type: "histogram", lines: [...buckets, ["_sum", [], state.sum], ["_count", [], state.count]] }
  }
  return undefined
}

/** All metrics of this process; a family is those of one name, under one TYPE line. */
export const render: Effect.Effect<string> = Effect.map(Metric.snapshot, (pairs) => {
  const families = new Map<string, Array<string>>()
  for (const { metricKey, metricState } of pairs) {
    const { name, description, tags } = metricKey
    const samples = samplesOf(metricState)
    if (samples === undefined) continue
    const help = Option.map(description, (text) => `# HELP ${name} ${text}`)
    const family = families.get(name) ?? [...Option.toArray(help), `# TYPE ${name} ${samples.type}`]
    families.set(name, family)
    const labels = tags.map((tag): Label => [tag.key, tag.value])
    for (const [suffix, more, value] of samples.lines) {
      family.push(`${name}${suffix}${labelled([...labels, ...more])} ${value}`)
    }
  }
  return `${[...families.values()].flat().join("\n")}\n`
})
