/** Prometheus' text format, read as strictly as its specification; throws at every deviation. */
import { expect } from "@effect/vitest"

export interface Sample {
  readonly name: string
  readonly labels: Record<string, string>
  readonly value: number
}

export interface ParsedFamily {
  readonly type: string
  readonly help: string
  readonly samples: Array<Sample>
}

export type Families = ReadonlyMap<string, ParsedFamily>

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*"
const LABEL = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\n"])*"`
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (\\S+)$`)

const numberOf = (text: string): number => {
  if (text === "+Inf") return Infinity
  if (text === "-Inf") return -Infinity
  expect(text).toMatch(/^(?:NaN|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/)
  return Number(text)
}

const labelsOf = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(
    [...(text ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value])
  )

const suffixes: Readonly<Record<string, ReadonlyArray<string>>> = {
  counter: [""],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"]
}

const checkHistogram = (name: string, samples: ReadonlyArray<Sample>) => {
  const seriesOf = ({ labels: { le: _le, ...others } }: Sample) => JSON.stringify(others)
  for (const series of new Set(samples.map(seriesOf))) {
    const own = samples.filter((sample) => seriesOf(sample) === series)
    const buckets = own.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => numberOf(labels["le"]!))
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b))
    expect(bounds.at(-1)).toBe(Infinity)
    const counts = buckets.map(({ value }) => value)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(own.find((sample) => sample.name === `${name}_count`)?.value).toBe(counts.at(-1))
    expect(own.filter((sample) => sample.name === `${name}_sum`)).toHaveLength(1)
  }
}

export const parseMetrics = (text: string): Families => {
  expect(text.endsWith("\n")).toBe(true)
  const families = new Map<string, ParsedFamily>()
  let current: { readonly name: string; readonly help: string } | undefined
  for (const line of text.slice(0, -1).split("\n")) {
    const help = new RegExp(`^# HELP (${NAME}) (.+)$`).exec(line)
    const type = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`).exec(line)
    if (help !== null) {
      // A family is in one piece, so its name is new.
      expect(families.has(help[1]!)).toBe(false)
      current = { name: help[1]!, help: help[2]! }
    } else if (type !== null) {
      expect(type[1]).toBe(current?.name)
      expect(families.has(type[1]!)).toBe(false)
      families.set(type[1]!, { type: type[2]!, help: current!.help, samples: [] })
    } else {
      const [, name, labels, value] = SAMPLE.exec(line) ?? []
      expect([line, name]).toEqual([line, expect.any(String)])
      const family = families.get(current!.name)!
      expect(suffixes[family.type]!.map((suffix) => current!.name + suffix)).toContain(name)
      family.samples.push({ name: name!, labels: labelsOf(labels), value: numberOf(value!) })
    }
  }
  for (const [name, { samples, type }] of families) {
    expect([name, samples.length > 0]).toEqual([name, true])
    const keys = samples.map((sample) => sample.name + JSON.stringify(sample.labels))
    expect(new Set(keys).size).toBe(keys.length)
    expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"])
    if (type !== "gauge") for (const { value } of samples) expect(value).toBeGreaterThanOrEqual(0)
    if (type === "histogram") checkHistogram(name, samples)
  }
  return families
}
