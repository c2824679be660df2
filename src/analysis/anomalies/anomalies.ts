/**
 * The anomalies of a session: laps, sectors and places that deviate from the session's other laps, and events that need
 * no comparison. Methods: robust baselines without the judged lap (median and MAD over the other valid laps within 107
 * % of the best, at the same place), the modified z-score over 3.5 (Iglewicz & Hoaglin 1993) with a floor per channel,
 * neighbouring nodes merged, all ranked by cost.
 *
 * With fewer than 3 valid laps, only findings that need no baseline are reported. Laps that were not timed (out, in,
 * garage) belong to no baseline, and are searched for faults of the data only.
 */
import { algorithmVersion } from "../algorithmVersion.ts"
import type { LapData } from "../place/alignment.ts"
import { reported } from "./alike.ts"
import { byCost } from "./anomaly.ts"
import { contradictions } from "./contradictions.ts"
import { ratiosOf } from "./engineSpeed.ts"
import { gather } from "./evidence.ts"
import { unreportedFaults } from "./faults.ts"
import { frozenChannels } from "./frozen.ts"
import { missingPoints } from "./gaps.ts"
import { missedGears } from "./gears.ts"
import { type InterruptionPart, interruptionParts, interruptionsOf } from "./interruptions.ts"
import { lockUps } from "./lockUps.ts"
import type { LapKinds } from "../lapKinds/placedLaps.ts"
import { type CostOf, places, type Places } from "./places.ts"
import { speedLosses } from "./speedLosses.ts"
import { type Explained, slowTimes } from "./times.ts"
import { reportedUnits, unitsOf, type WrongUnit, wrongUnits } from "./units.ts"
import { implausibleLeaps, implausibleValues } from "./values.ts"
import { wheelSlips } from "./wheelSlip.ts"
import { wrongGears } from "./wrongGears.ts"
import { missingChannels } from "../missing.ts"
import type { Finding, SessionAnomalies } from "../../domain/analysis/anomalies.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import { type Channel, channels } from "../../domain/pointChannels.ts"
import { lowerBound } from "../../domain/RowBatch.ts"

/** The channels that are checked. */
const WATCHED = channels.filter((channel) => channel !== "timestamp" && channel !== "position_z")

/** The cost of an event shows until this far past it, m: down the next straight. */
const AFTERMATH_M = 300
/** A loss of speed that contains a lock-up or a missed gear is the same event, with this tolerance, m. */
const SAME_PLACE_M = 60

type Met = Pick<Finding, "lapId" | "timestamp" | "duration">

/** Whether two findings belong to one lap and overlap in time. */
const isMet = (one: Met, other: Met): boolean =>
  one.lapId === other.lapId &&
  one.timestamp <= other.timestamp + other.duration &&
  other.timestamp <= one.timestamp + one.duration

/** Findings about how the car was driven. */
const OF_DRIVER = new Set<Finding["type"]>(["lock_up_or_spin", "wheelspin", "missed_gear", "speed_loss"])

/** Faults of the data that a pit lane makes: the car is beside the line, and its places stand. */
const OF_PITS = new Set<Finding["type"]>(["implausible_value", "frozen_channel", "contradiction"])
const PLACING = new Set(["position", "timestamp", "speed", "lap_distance", "brake", "throttle"])

/** Where the speed itself is wrong, the engine seems to race. */
const isWrongSpeed = (fault: Finding, one: Finding): boolean =>
  fault.channel === "speed" && one.channel === "rpm" && isMet(fault, one)

/** Whether a finding is a part of a stop or a neutralisation. */
const isOf = (part: InterruptionPart, one: Finding): boolean =>
  isMet(part, one) &&
  (OF_DRIVER.has(one.type) || (part.type === "pit_stop" && OF_PITS.has(one.type) && PLACING.has(one.channel)))

/** Findings that take a larger share of the lap's time are no places, except a spin: the lap or sector is the better name. */
const PLACE_SHARE = 0.25

const explainedBy =
  (atPlaces: ReadonlyArray<Finding>): Explained =>
  ({ id, lapTime }, from, to) => {
    const within = atPlaces.filter((one) => one.lapId === id && one.timestamp >= from && one.timestamp < to)
    const seconds = within.reduce((sum, one) => sum + (one.type === "lock_up_or_spin" ? 0 : one.duration), 0)
    return seconds > PLACE_SHARE * lapTime ? 0 : within.reduce((sum, { cost }) => sum + (cost ?? 0), 0)
  }

/** A lap or a sector whose loss may be none at all is no finding. */
const isWorthReporting = ({ cost, costUncertainty, type }: Finding): boolean =>
  (type !== "slow_lap" && type !== "off_pace_sector") || cost === null || cost > (costUncertainty ?? 0)

/** Channels that show how fast the engine turns for the car's speed: a fault of one explains a leap of the other. */
const OF_ENGINE = new Set(["speed", "rpm"])

/** Channels that show a contradiction: a reported fault of one of them explains it. */
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

/** One event, one entry: a loss of speed around an event that explains it gives that event its cost. */
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

/** Findings of laps, before they are ordered by cost. */
export interface Findings {
  /** About channels, not laps. */
  readonly units: ReadonlyArray<WrongUnit>
  readonly findings: ReadonlyArray<Finding>
  readonly interruptions: ReadonlyArray<InterruptionPart>
  readonly kinds: LapKinds
  readonly missingChannels: ReadonlyArray<Channel>
}

/** A part of a session that is too long to analyse as a whole (anomalies/parts.ts). */
export interface Partly {
  /** All laps of the session. */
  readonly session: ReadonlyArray<RecordedLap>
  /** Ids of the laps whose findings are wanted. */
  readonly judged: ReadonlyArray<number>
  /** Channels in a wrong unit, as the first part found them; undefined in the first part, which searches for them. */
  readonly inWrongUnit: ReadonlyArray<string>
}

/** Takes laps in any order. About 1.2 microseconds of CPU a point (bench/analysisSession.ts). */
export const findingsOf = (laps: ReadonlyArray<LapData>, partly?: Partial<Partly>): Findings => {
  const evidence = gather(laps, partly?.session ?? laps.map(({ lap }) => lap))
  const placed = places(evidence)
  const costOf = costIn(placed)
  const losses = placed === undefined ? [] : speedLosses(placed)
  const ratios = ratiosOf(evidence.laps)
  const units = wrongUnits(evidence)
  const inWrongUnit = new Set(partly?.inWrongUnit ?? units.map(({ channel }) => channel))
  const isRightUnit = ({ channel }: Finding) => !inWrongUnit.has(channel)
  const ofValues = [
    ...missingPoints(evidence),
    ...frozenChannels(evidence),
    ...implausibleValues(evidence).filter(isRightUnit)
  ]
  const spins = losses.filter(({ type }) => type === "lock_up_or_spin")
  const isSpin = (one: Finding) => spins.some((spin) => isMet(spin, one))
  const missed = [...missedGears(evidence, ratios, costOf), ...wrongGears(evidence, ratios, costOf)].filter(
    (one) => !isSpin(one) && !ofValues.some((fault) => isWrongSpeed(fault, one))
  )
  // In a spin all wheels slip in any way: it is one event.
  const slips = wheelSlips(evidence, costOf).filter((one) => !isSpin(one))
  // Without drive, and in a spin, engine speed and wheel speed are unrelated.
  const isDriven = (one: Finding) => ![...missed, ...spins, ...slips].some((event) => isMet(event, one))
  const ofPoints = unreportedFaults(evidence, ofValues)
  const leaps = implausibleLeaps(evidence, ratios).filter(
    (one) =>
      isRightUnit(one) &&
      isDriven(one) &&
      ![...ofValues, ...ofPoints].some(({ channel, ...fault }) => OF_ENGINE.has(channel) && isMet(fault, one))
  )
  const ofData = [...ofValues, ...leaps]
  const contradicting = contradictions(evidence, ratios).filter(
    (one) =>
      !inWrongUnit.has(one.channel) &&
      !inWrongUnit.has("speed") &&
      !ofData.some((fault) => SEEN_BY.has(fault.channel) && isMet(fault, one)) &&
      (one.channel !== "rpm" || isDriven(one))
  )
  const isSlip = (event: Finding) => slips.some((slip) => isMet(slip, event))
  const events = [
    ...slips,
    // Wheel data are better evidence than the pedal's estimate; and an engine that turns too fast for the car may be
    // turning spinning wheels.
    ...(placed === undefined ? [] : lockUps(placed, costOf)).filter((event) => !isSlip(event)),
    // Where the throttle channel itself is wrong, a missed gear cannot be concluded.
    ...missed.filter(
      (event) => !isSlip(event) && !contradicting.some((one) => one.channel !== "rpm" && isMet(event, one))
    )
  ]
  const atPlaces = explained(losses, events)
  const findings = [
    ...slowTimes(evidence, explainedBy(atPlaces)),
    ...atPlaces,
    ...ofData,
    ...contradicting,
    ...ofPoints
  ]
  const stops = interruptionParts(evidence, placed)
  const judged = new Set(partly?.judged ?? evidence.laps.map(({ lap }) => lap.id))
  return {
    units: unitsOf(units, judged),
    findings: findings.filter(
      (one) => judged.has(one.lapId) && isWorthReporting(one) && !stops.some((part) => isOf(part, one))
    ),
    interruptions: stops.filter(({ lapId }) => judged.has(lapId)),
    kinds: new Map(
      evidence.laps
        .filter(({ known, lap }) => judged.has(lap.id) && known.kinds.size > 0)
        .map(({ known, lap }) => [lap.id, known.kinds])
    ),
    missingChannels: missingChannels(
      evidence.laps.map(({ points }) => points),
      WATCHED
    )
  }
}

/** The kinds of a session's laps, from the findings of all its parts. */
export const kindsIn = (parts: ReadonlyArray<Findings>): LapKinds =>
  new Map(parts.flatMap(({ kinds }) => [...kinds]))

/** Joins the findings of all parts of a session. */
export const anomaliesIn = (sessionId: number, parts: ReadonlyArray<Findings>): SessionAnomalies => {
  const anomalies = byCost([
    ...reportedUnits(parts.map(({ units }) => units)),
    ...reported(parts.flatMap(({ findings }) => findings)),
    ...interruptionsOf(parts.flatMap(({ interruptions }) => interruptions))
  ])
  const missing = new Set(parts.flatMap(({ missingChannels }) => missingChannels))
  const missingChannels = WATCHED.filter((channel) => missing.has(channel))
  return { algorithmVersion, sessionId, anomalies, total: anomalies.length, missingChannels }
}

/** The anomalies of a session, from all its laps with their points. */
export const sessionAnomalies = (sessionId: number, session: ReadonlyArray<LapData>): SessionAnomalies =>
  anomaliesIn(sessionId, [findingsOf(session)])
