/** Metrics in Prometheus' text format, version 0.0.4 (Effect 3 ships no exporter). */
import { Effect, Metric, type MetricKey, MetricState, Option } from "effect"

type Label = readonly [name: string, value: string]

interface Sample {
  /** The suffix after the family's name: a histogram has several kinds of samples. */
  readonly suffix: string
  readonly labels: ReadonlyArray<Label>
  readonly value: number | bigint
}

/** All metrics of one name. */
export interface Family {
  readonly name: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

export const gauge = (name: string, help: string, value: number): Family => ({
  name,
  type: "gauge",
  help,
  samples: [{ suffix: "", labels: [], value }]
})

/** A counter; by convention its name ends in `_total`. */
export const total = (name: `${string}_total`, help: string, value: number): Family => ({
  ...gauge(name, help, value),
  type: "counter"
})

/** The family with one more label on each of its samples. */
export const labelledBy =
  (name: string, value: string) =>
  (family: Family): Family => ({
    ...family,
    samples: family.samples.map((sample) => ({ ...sample, labels: [...sample.labels, [name, value]] }))
  })

/** Writes a number. Infinity becomes `+Inf`, because Effect ends a histogram's boundaries with Infinity. */
const written = (value: number | bigint): string =>
  value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value)

/**
 * Leaves out Effect's own metrics: counts of its fibers, several for each request, in a form that operators cannot use.
 */
const ours = ({ name }: MetricKey.MetricKey.Untyped) => !name.startsWith("effect_")

const familyOf = (
  { description, name, tags }: MetricKey.MetricKey.Untyped,
  state: MetricState.MetricState.Untyped
): Family | undefined => {
  const labels = tags.map((tag): Label => [tag.key, tag.value])
  const base = { name, help: Option.getOrElse(description, () => name) }
  const sample = (suffix: string, value: number | bigint, more: ReadonlyArray<Label> = []): Sample => ({
    suffix,
    labels: [...labels, ...more],
    value
  })
  if (MetricState.isCounterState(state)) {
    return { ...base, type: "counter", samples: [sample("", state.count)] }
  }
  if (MetricState.isGaugeState(state)) return { ...base, type: "gauge", samples: [sample("", state.value)] }
  if (!MetricState.isHistogramState(state)) return undefined
  const buckets = state.buckets.map(([le, count]) => sample("_bucket", count, [["le", written(le)]]))
  const sums = [sample("_sum", state.sum), sample("_count", state.count)]
  return { ...base, type: "histogram", samples: [...buckets, ...sums] }
}

/** Joins families of one name whose labels differ. */
export const merged = (families: Iterable<Family>): ReadonlyArray<Family> => {
  const byName = new Map<string, Family>()
  for (const family of families) {
    const samples = [...(byName.get(family.name)?.samples ?? []), ...family.samples]
    byName.set(family.name, { ...family, samples })
  }
  return [...byName.values()]
}

/** The metrics that the parts of the service keep in this process with Effect. */
export const counted: Effect.Effect<ReadonlyArray<Family>> = Effect.map(Metric.snapshot, (pairs) =>
  merged(
    pairs.flatMap(({ metricKey, metricState }) =>
      ours(metricKey) ? (familyOf(metricKey, metricState) ?? []) : []
    )
  )
)

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", '"': '\\"' }

const escaped = (text: string, special: RegExp) => text.replace(special, (character) => escapes[character]!)

const labelled = (labels: ReadonlyArray<Label>) =>
  labels.length === 0
    ? ""
    : `{${labels.map(([name, value]) => `${name}="${escaped(value, /[\\"\n]/g)}"`).join(",")}}`

export const write = (families: ReadonlyArray<Family>): string =>
  families
    .flatMap(({ help, name, samples, type }) => [
      `# HELP ${name} ${escaped(help, /[\\\n]/g)}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ labels, suffix, value }) => `${name}${suffix}${labelled(labels)} ${written(value)}`)
    ])
    .map((line) => `${line}\n`)
    .join("")
