/**
 * What went wrong in a session: laps, sectors and places that fall out of what the session's other laps show, and
 * events that need no comparison. Methods: robust baselines that leave the judged lap out (median and MAD over
 * the other valid laps within 107 % of the best, at the same place), the modified z-score over 3.5 (Iglewicz &
 * Hoaglin 1993) with a floor per channel, neighbouring nodes merged, all ranked by what they cost.
 *
 * With fewer than 3 valid laps only what needs no baseline is told. Laps that were not timed (out, in, garage) are in
 * no baseline, and are looked at for faults of the data only.
 */
import { algorithmVersion } from "./algorithmVersion.ts"
import type { LapData } from "./alignment.ts"
import { told } from "./anomalies/alike.ts"
import { byCost } from "./anomalies/anomaly.ts"
import { contradictions } from "./anomalies/contradictions.ts"
import { gather } from "./anomalies/evidence.ts"
import { untoldFaults } from "./anomalies/faults.ts"
import { frozenChannels } from "./anomalies/frozen.ts"
import { missingPoints } from "./anomalies/gaps.ts"
import { missedGears } from "./anomalies/gears.ts"
import { lockUps } from "./anomalies/lockUps.ts"
import { type CostOf, places, type Places } from "./anomalies/places.ts"
import { speedLosses } from "./anomalies/speedLosses.ts"
import { slowTimes } from "./anomalies/times.ts"
import { toldUnits, unitsOf, type WrongUnit, wrongUnits } from "./anomalies/units.ts"
import { implausibleValues } from "./anomalies/values.ts"
import { wheelSlips } from "./anomalies/wheelSlip.ts"
import { missingChannels } from "./missing.ts"
import type { Finding, SessionAnomalies } from "../domain/analysis/anomalies.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import { type Channel, channels, lowerBound } from "../domain/PointBatch.ts"

/** Where is looked. */
const WATCHED = channels.filter((channel) => channel !== "timestamp" && channel !== "position_z")

/** What an event costs shows until this far past it, m: the way down the next straight. */
const AFTERMATH_M = 300
/** A loss of speed that holds a lock-up or a missed gear is the same event, m of tolerance. */
const SAME_PLACE_M = 60

/** Whether two findings are of one lap and meet in time. */
const isMet = (one: Finding, other: Finding): boolean =>
  one.lapId === other.lapId &&
  one.timestamp <= other.timestamp + other.duration &&
  other.timestamp <= one.timestamp + one.duration

/** Channels that a contradiction is seen by: a fault of one of them that is told explains it. */
const SEEN_BY = new Set(["speed", "rpm", "gear", "throttle", "brake", "timestamp", "position"])

const costIn =
  (placed: Places | undefined): CostOf =>
  (lapId, from, to) => {
    const judged = placed?.laps.find(({ onGrid }) => onGrid.lap.id === lapId)
    if (placed === undefined || judged === undefined) return null
    const { onGrid } = judged
    const last = placed.distance.length - 1
    const first = Math.max(0, lowerBound(onGrid.time, from - onGrid.lap.startTime) - 1)
    const end = Math.min(last, lowerBound(onGrid.time, to - onGrid.lap.startTime))
    return placed.costBetween(onGrid, first, Math.min(last, end + Math.round(AFTERMATH_M / placed.step)))
  }

/** One event, one entry: a loss of speed around an event that explains it gives its cost to that. */
const explained = (
  losses: ReadonlyArray<Finding>,
  events: ReadonlyArray<Finding>
): ReadonlyArray<Finding> => {
  const rest = new Set(losses)
  const explained = events.map((event): Finding => {
    const loss = losses.find(
      ({ distance, duration, lapId, timestamp }) =>
        lapId === event.lapId &&
        rest.size > 0 &&
        distance !== null &&
        event.distance !== null &&
        event.timestamp <= timestamp + duration &&
        event.distance >= distance - AFTERMATH_M &&
        (event.timestamp + event.duration >= timestamp || distance - event.distance <= SAME_PLACE_M)
    )
    if (loss === undefined) return event
    rest.delete(loss)
    return (loss.cost ?? 0) > (event.cost ?? 0)
      ? {
          ...event,
          cost: loss.cost,
          costUncertainty: loss.costUncertainty,
          severity: loss.severity,
          lapsInBaseline: loss.lapsInBaseline
        }
      : event
  })
  return [...explained, ...rest]
}

/** What laps show, before it is told in the order of what it costs. */
export interface Findings {
  /** Of channels, not of laps. */
  readonly units: ReadonlyArray<WrongUnit>
  readonly findings: ReadonlyArray<Finding>
  readonly missingChannels: ReadonlyArray<Channel>
}

/** A part of a session that is too long to be looked at at once (anomalies/parts.ts). */
export interface Partly {
  /** All laps of the session. */
  readonly session: ReadonlyArray<RecordedLap>
  /** Ids of the laps whose findings are wanted. */
  readonly judged: ReadonlyArray<number>
  /** Channels in a wrong unit, by the session's first part; left out there, where they are looked for. */
  readonly inWrongUnit: ReadonlyArray<string>
}

/** In any order. About 1.2 microseconds of CPU a point (bench/analysisSession.ts). */
export const findingsOf = (laps: ReadonlyArray<LapData>, partly?: Partial<Partly>): Findings => {
  const evidence = gather(laps, partly?.session ?? laps.map(({ lap }) => lap))
  const placed = places(evidence)
  const costOf = costIn(placed)
  const losses = placed === undefined ? [] : speedLosses(placed)
  const missed = missedGears(evidence, costOf)
  const units = wrongUnits(evidence)
  const inWrongUnit = new Set(partly?.inWrongUnit ?? units.map(({ channel }) => channel))
  const ofData = [
    ...missingPoints(evidence),
    ...frozenChannels(evidence),
    ...implausibleValues(evidence).filter(({ channel }) => !inWrongUnit.has(channel))
  ]
  const spins = losses.filter(({ type }) => type === "lock_up_or_spin")
  // In a spin all wheels do as they like: one event.
  const slips = wheelSlips(evidence, costOf).filter((one) => !spins.some((spin) => isMet(spin, one)))
  const contradicting = contradictions(evidence).filter(
    (one) =>
      !inWrongUnit.has(one.channel) &&
      !inWrongUnit.has("speed") &&
      !ofData.some((fault) => SEEN_BY.has(fault.channel) && isMet(fault, one)) &&
      // Without drive, and in a spin, engine and wheels have nothing to do with each other.
      !(one.channel === "rpm" && [...missed, ...spins, ...slips].some((event) => isMet(event, one)))
  )
  const isSlip = (event: Finding) => slips.some((slip) => isMet(slip, event))
  const events = [
    ...slips,
    // What the wheels show is no guess by the pedal, and an engine that turns too fast for the car may turn wheels that spin.
    ...(placed === undefined ? [] : lockUps(placed, costOf)).filter((event) => !isSlip(event)),
    // An open throttle that is none is no gear that is missing.
    ...missed.filter(
      (event) => !isSlip(event) && !contradicting.some((one) => one.channel !== "rpm" && isMet(event, one))
    )
  ]
  const findings = [
    ...slowTimes(evidence, placed?.launches ?? new Map()),
    ...explained(losses, events),
    ...ofData,
    ...contradicting,
    ...untoldFaults(evidence, ofData)
  ]
  const judged = new Set(partly?.judged ?? evidence.laps.map(({ lap }) => lap.id))
  return {
    units: unitsOf(units, judged),
    findings: findings.filter(({ lapId }) => judged.has(lapId)),
    missingChannels: missingChannels(
      evidence.laps.map(({ points }) => points),
      WATCHED
    )
  }
}

/** What all parts of a session found. */
export const anomaliesIn = (sessionId: number, parts: ReadonlyArray<Findings>): SessionAnomalies => {
  const anomalies = byCost([
    ...toldUnits(parts.map(({ units }) => units)),
    ...told(parts.flatMap(({ findings }) => findings))
  ])
  const missing = new Set(parts.flatMap(({ missingChannels }) => missingChannels))
  const missingChannels = WATCHED.filter((channel) => missing.has(channel))
  return { algorithmVersion, sessionId, anomalies, total: anomalies.length, missingChannels }
}

/** The anomalies of a session, from all its laps with their points. */
export const sessionAnomalies = (sessionId: number, session: ReadonlyArray<LapData>): SessionAnomalies =>
  anomaliesIn(sessionId, [findingsOf(session)])
