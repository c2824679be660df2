/**
 * Joins many similar faults of the data to one finding with a list: a feed's habit is worth one look, not one for each
 * lap.
 */
import type { Anomaly, Finding, Occurrence } from "../../domain/analysis/anomalies.ts"

/** This many similar faults are a habit; fewer are events. */
const MANY = 3
/** Laps that a sentence names. */
const MAX_NAMED = 5

/** Findings about the driver are reported one by one. */
const ofData = new Set<Finding["type"]>(["data_gap", "frozen_channel", "implausible_value", "contradiction"])

export const occurrenceOf = ({
  distance,
  duration,
  lapId,
  lapNumber,
  timestamp,
  value
}: Finding): Occurrence => ({
  lapId,
  lapNumber,
  timestamp,
  distance,
  value,
  duration
})

const kindOf = ({ channel, severity, type, value }: Finding): string =>
  `${type} ${channel} ${severity} ${value === null}`

const offBy = ({ expected, value }: Finding): number => Math.abs((value ?? 0) - (expected ?? 0))

/** Deviates further than another, or as far and for longer. */
const isGraver = (one: Finding, other: Finding): boolean =>
  (offBy(one) - offBy(other) || one.duration - other.duration) > 0

/** Names the laps of findings. */
export const lapsOf = (findings: ReadonlyArray<Finding>): string => {
  const laps = [...new Set(findings.map(({ lapNumber }) => lapNumber))].sort((a, b) => a - b)
  const rest = laps.length - MAX_NAMED
  const named = rest > 1 ? laps.slice(0, MAX_NAMED) : laps
  return `${laps.length === 1 ? "lap" : "laps"} ${named.join(", ")}${rest > 1 ? ` and ${rest} more` : ""}`
}

/** At least one finding as one: the gravest, with a sentence made from it and the others. */
export const asOne = (
  alike: ReadonlyArray<Finding>,
  sentence: (gravest: Finding, others: ReadonlyArray<Finding>) => string
): Anomaly => {
  const all = alike.toSorted((a, b) => a.timestamp - b.timestamp)
  const gravest = all.reduce((best, one) => (isGraver(one, best) ? one : best))
  const others = all.filter((one) => one !== gravest)
  return {
    ...gravest,
    description: sentence(gravest, others),
    count: all.length,
    occurrences: all.map(occurrenceOf)
  }
}

const withOthers = ({ description }: Finding, others: ReadonlyArray<Finding>): string =>
  `${description}; ${others.length} more like it, on ${lapsOf(others)}`

/**
 * Findings as they are reported: faults of the data that share type, channel and severity are joined when there are
 * many.
 */
export const reported = (findings: ReadonlyArray<Finding>): ReadonlyArray<Anomaly> => {
  const kinds = new Map<string, Array<Finding>>()
  const single: Array<Finding> = []
  for (const finding of findings) {
    if (!ofData.has(finding.type)) single.push(finding)
    else {
      const kind = kindOf(finding)
      const alike = kinds.get(kind) ?? []
      kinds.set(kind, alike)
      alike.push(finding)
    }
  }
  const many = [...kinds.values()].filter((alike) => alike.length >= MANY || (single.push(...alike), false))
  return [
    ...many.map((alike) => asOne(alike, withOthers)),
    ...single.map((finding) => ({ ...finding, count: 1, occurrences: [occurrenceOf(finding)] }))
  ]
}
