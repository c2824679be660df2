/**
 * Stops in the pits and neutralisations (lapKinds/): each is one event for all its laps. It says what it cost, and is
 * nothing that the driver did.
 */
import type { Anomaly, Finding } from "../../domain/analysis/anomalies.ts"
import { asOne, lapsOf, occurrenceOf } from "./alike.ts"
import { rounded } from "./anomaly.ts"
import { costFields, costText } from "./cost.ts"
import type { SessionEvidence } from "./evidence.ts"
import type { Places } from "./places.ts"

/** A part of an interruption that lies in one lap. */
export interface InterruptionPart extends Finding {
  readonly what: string
}

/** Parts closer together than this, s, are one event: the end of a lap, and the begin of the next one. */
const JOINED_S = 2

export const interruptionParts = (
  { laps }: SessionEvidence,
  placed: Places | undefined
): ReadonlyArray<InterruptionPart> =>
  placed === undefined
    ? []
    : laps.flatMap(({ known, lap, onGrid }) =>
        onGrid === undefined
          ? []
          : known.interruptions.map((part): InterruptionPart => {
              const { channel, from, to, type, what } = part
              const seconds = onGrid.time[to]! - onGrid.time[from]!
              const cost = placed.costBetween(onGrid, from, to)
              return {
                lapId: lap.id,
                lapNumber: lap.lapNumber,
                type,
                timestamp: lap.startTime + onGrid.time[from]!,
                distance: rounded(placed.distance[from]!),
                value: rounded(seconds),
                expected: cost === null ? null : rounded(seconds - cost.seconds),
                severity: "low",
                description: "",
                channel,
                z: null,
                lapsInBaseline: cost?.laps ?? 0,
                duration: rounded(seconds),
                ...costFields(cost),
                what
              }
            })
      )

const endOf = ({ duration, timestamp }: Finding): number => timestamp + duration

/** Whether a part goes on with the last one: at the line, or at the same place of the next lap. */
const goesOn = (last: InterruptionPart, part: InterruptionPart): boolean =>
  last.type === part.type &&
  last.channel === part.channel &&
  (part.timestamp - endOf(last) <= JOINED_S ||
    (part.type === "neutralised" && part.lapId !== last.lapId && part.lapNumber - last.lapNumber <= 1))

const namesOf = (parts: ReadonlyArray<Finding>): string => {
  const laps = [...new Set(parts.map(({ lapNumber }) => lapNumber))]
  if (laps.length === 1) return `lap ${laps[0]}`
  return laps.length === 2 ? `laps ${laps[0]} and ${laps[1]}` : `laps ${laps[0]} to ${laps.at(-1)}`
}

const sumOf = (values: ReadonlyArray<number | null>): number | null =>
  values.includes(null) ? null : values.reduce<number>((sum, value) => sum + value!, 0)

/** All parts of an event as one finding. */
const together = (parts: ReadonlyArray<InterruptionPart>): Finding => {
  const [{ what, ...first }] = parts as [InterruptionPart]
  const seconds = sumOf(parts.map(({ cost }) => cost))
  const uncertainty = Math.hypot(...parts.map(({ costUncertainty }) => costUncertainty ?? 0))
  const cost = seconds === null ? null : { seconds, uncertainty }
  const lost = cost === null ? "" : `: ${costText(cost)} s more than at pace`
  const value = rounded(parts.reduce((sum, { duration }) => sum + duration, 0))
  const laps = namesOf(parts)
  return {
    ...first,
    value,
    expected: seconds === null ? null : rounded(value - seconds),
    duration: rounded(endOf(parts.at(-1)!) - first.timestamp),
    ...costFields(cost),
    description:
      first.type === "pit_stop"
        ? `A stop in the pits on ${laps}${lost}`
        : `${laps.charAt(0).toUpperCase()}${laps.slice(1)} ${laps.startsWith("laps") ? "were" : "was"} slow ${what}${lost}`
  }
}

/** The parts, of one session, that are one event. */
const eventsOf = (parts: ReadonlyArray<InterruptionPart>): ReadonlyArray<ReadonlyArray<InterruptionPart>> => {
  const events: Array<Array<InterruptionPart>> = []
  for (const part of parts.toSorted((a, b) => a.timestamp - b.timestamp)) {
    const event = events.find((one) => goesOn(one.at(-1)!, part))
    if (event === undefined) events.push([part])
    else event.push(part)
  }
  return events
}

const withOthers = ({ description }: Finding, others: ReadonlyArray<Finding>): string =>
  others.length === 0 ? description : `${description}; ${others.length} more, on ${lapsOf(others)}`

/**
 * The interruptions of a session as they are reported: each neutralisation, with an occurrence for each lap, and all
 * stops together, with an occurrence for each stop.
 */
export const interruptionsOf = (parts: ReadonlyArray<InterruptionPart>): ReadonlyArray<Anomaly> => {
  const stops = eventsOf(parts.filter(({ type }) => type === "pit_stop")).map(together)
  return [
    ...(stops.length === 0 ? [] : [asOne(stops, withOthers)]),
    ...eventsOf(parts.filter(({ type }) => type === "neutralised")).map((event): Anomaly => ({
      ...together(event),
      count: event.length,
      occurrences: event.map(occurrenceOf)
    }))
  ]
}
