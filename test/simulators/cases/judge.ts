/** Compares the recorded sessions with the right ones (README.md beside the cases): a sentence for each difference. */
import type { RecordedLap } from "../../../src/domain/Lap.ts"
import type { Session } from "../../../src/domain/Session.ts"
import { BEGIN_S } from "./handed.ts"
import { EPOCH_S, type RecordedSession } from "./recorded.ts"

export interface RightLap {
  /** Null: any. */
  readonly number: number | null
  readonly time: number
  readonly valid: boolean
  /** s that its points cover. */
  readonly span?: number
  readonly points?: number
  /** Whether it has all three. */
  readonly sectors?: boolean
}

export interface RightSession {
  /** Or the number of them with a time. */
  readonly laps?: ReadonlyArray<RightLap> | number
  /** The same for all laps that have a time. */
  readonly numbers?: ReadonlyArray<number>
  readonly best?: number
  readonly total_laps?: number
  readonly duration?: number
  readonly points?: number
  /** Any of these. */
  readonly circuit?: string | ReadonlyArray<string>
  readonly vehicle?: string
  readonly driver?: string
}

export interface Right {
  readonly simulator: string
  readonly connect?: Readonly<Record<string, unknown>>
  readonly sessions?: ReadonlyArray<RightSession>
  /** Of times, s. */
  readonly tolerance?: number
  readonly no_lap_below?: number
  readonly no_valid_lap_above?: number
  /** The times, s of the file. */
  readonly no_point_after?: number
  readonly lap_drivers?: Readonly<Record<string, string>>
  readonly last_session?: Partial<Session>
  readonly channel?: { readonly name: string; readonly at_most: number }
}

const TOLERANCE_S = 0.0015
/** The first and the last point of a lap are up to an interval of 20 Hz behind its begin and before its end. */
const SPAN_WITHIN_S = 0.11
/** It is reported in whole seconds. */
const DURATION_WITHIN_S = 1
/** Points have the times of arrival, or of a clock that is anchored by it. */
const ARRIVAL_WITHIN_S = 0.1

const shown = ({ lapNumber, lapTime, valid }: RecordedLap) =>
  `${lapNumber}: ${lapTime === null ? "no time" : lapTime.toFixed(4)}${valid ? "" : " not valid"}`

/** Withdrawn laps do not count as laps. */
const lapsOf = ({ laps }: RecordedSession) => laps.filter(({ withdrawn }) => withdrawn !== true)
const timedOf = (session: RecordedSession) => lapsOf(session).filter(({ lapTime }) => lapTime !== null)

const pointsOf = ({ times }: RecordedSession, { endTime, startTime }: RecordedLap) =>
  times.filter((time) => time >= startTime && time < endTime)

const faultsOfLap = (right: RightLap, lap: RecordedLap, session: RecordedSession): ReadonlyArray<string> => {
  const name = `lap ${lap.lapNumber} of ${right.time} s`
  const points = pointsOf(session, lap)
  const span = (points.at(-1) ?? 0) - (points[0] ?? 0)
  const isSpan = right.span === undefined || Math.abs(span - right.span) <= SPAN_WITHIN_S
  const sectors = [lap.sector1Time, lap.sector2Time, lap.sector3Time]
  return [
    ...(lap.valid === right.valid ? [] : [`${name} is ${lap.valid ? "" : "not "}valid`]),
    ...(isSpan ? [] : [`${name} has points over ${span.toFixed(2)} s, not ${right.span}`]),
    ...(right.points === undefined || points.length === right.points
      ? []
      : [`${name} has ${points.length} points, not ${right.points}`]),
    ...(right.sectors !== true || !sectors.includes(null) ? [] : [`${name} has sectors ${sectors.join()}`])
  ]
}

/** Each expected lap is there, once and in this order; and no other lap has its number. */
const faultsOfLaps = (
  right: ReadonlyArray<RightLap>,
  session: RecordedSession,
  tolerance: number
): ReadonlyArray<string> => {
  const there = lapsOf(session)
  const all = `(${there.map(shown).join(", ")})`
  let from = 0
  return right.flatMap((one) => {
    const at = there.findIndex(
      ({ lapNumber, lapTime }, n) =>
        n >= from &&
        lapTime !== null &&
        Math.abs(lapTime - one.time) <= tolerance &&
        (one.number ?? lapNumber) === lapNumber
    )
    const lap = there[at]
    if (lap === undefined) return [`there is no lap ${one.number ?? ""} of ${one.time} s ${all}`]
    from = at + 1
    const numbered = there.filter(({ lapNumber }) => lapNumber === lap.lapNumber).length
    return [
      ...(numbered === 1 ? [] : [`${numbered} laps are lap ${lap.lapNumber} ${all}`]),
      ...faultsOfLap(one, lap, session)
    ]
  })
}

const differs = (what: string, is: unknown, right: unknown) => [`${what} ${String(is)}, not ${String(right)}`]

const isOff = (is: number | null, wanted: number | undefined, within: number) =>
  wanted !== undefined && !(Math.abs((is ?? Number.NaN) - wanted) <= within)

const faultsOfSession = (
  right: RightSession,
  recorded: RecordedSession,
  tolerance: number
): ReadonlyArray<string> => {
  const { session, times } = recorded
  const timed = timedOf(recorded)
  const numbers = timed.map(({ lapNumber }) => lapNumber)
  const all = lapsOf(recorded).map(shown).join(", ")
  const names = (["circuit", "vehicle", "driver"] as const).flatMap((name) => {
    const wanted = right[name]
    return wanted === undefined || [wanted].flat().includes(session[name])
      ? []
      : differs(name, session[name], wanted)
  })
  const { best, duration, laps, points } = right
  return [
    ...(typeof laps === "number" && timed.length !== laps
      ? [`${timed.length} laps have a time, not ${laps} (${all})`]
      : []),
    ...(typeof laps === "object" ? faultsOfLaps(laps, recorded, tolerance) : []),
    ...(right.numbers === undefined || numbers.join() === right.numbers.join()
      ? []
      : [`laps with a time: ${numbers.join()}, not ${right.numbers.join()} (${all})`]),
    ...(isOff(session.bestLapTime, best, tolerance) ? differs("best", session.bestLapTime, best) : []),
    ...(isOff(session.totalLaps, right.total_laps, 0)
      ? [`${session.totalLaps} laps in all, not ${right.total_laps} (${all})`]
      : []),
    ...(isOff(session.duration, duration, DURATION_WITHIN_S)
      ? differs("duration", session.duration, duration)
      : []),
    ...(isOff(times.length, points, 0) ? differs("points", times.length, points) : []),
    ...names
  ]
}

const faultsOfAll = (right: Right, recorded: ReadonlyArray<RecordedSession>): ReadonlyArray<string> => {
  const laps = recorded.flatMap(lapsOf)
  const { channel, no_lap_below = 0, no_point_after, no_valid_lap_above = Infinity } = right
  const drivers = Object.entries(right.lap_drivers ?? {}).flatMap(([number, driver]) => {
    const own = recorded.flatMap((one) =>
      lapsOf(one)
        .filter(({ lapNumber }) => lapNumber === Number(number))
        .map((lap) => lap.driver ?? one.session.driver)
    )
    return own.join() === driver ? [] : [`lap ${number} is of ${own.join(", ")}, not ${driver}`]
  })
  const last = recorded.at(-1)
  const names = Object.entries(right.last_session ?? {}).flatMap(([name, wanted]) => {
    const is = last?.session[name as keyof Session]
    return is === wanted ? [] : differs(`last session: ${name}`, is, wanted)
  })
  const values = channel === undefined ? [] : recorded.flatMap(({ valuesOf }) => valuesOf(channel.name))
  const isTooMuch = channel !== undefined && !(Math.max(...values) <= channel.at_most && values.length > 0)
  const until = EPOCH_S + BEGIN_S + (no_point_after ?? Infinity) + ARRIVAL_WITHIN_S
  const late = recorded.flatMap(({ times }) => times).filter((time) => time > until).length
  return [
    ...laps
      .filter(({ lapTime }) => lapTime !== null && lapTime < no_lap_below)
      .map((lap) => `no lap is below ${no_lap_below} s (${shown(lap)})`),
    ...laps
      .filter(({ lapTime, valid }) => valid && (lapTime ?? 0) > no_valid_lap_above)
      .map((lap) => `no valid lap is above ${no_valid_lap_above} s (${shown(lap)})`),
    ...drivers,
    ...names,
    ...(isTooMuch ? [`${channel.name} goes to ${Math.max(...values)}, not ${channel.at_most}`] : []),
    ...(late > 0 ? [`${late} points are after ${no_point_after} s`] : [])
  ]
}

/** The differences; empty if all is right. */
export const faultsOf = (right: Right, recorded: ReadonlyArray<RecordedSession>): ReadonlyArray<string> => {
  const { sessions, tolerance = TOLERANCE_S } = right
  const several = sessions !== undefined && sessions.length > 1
  const own = sessions?.flatMap((session, n) => {
    const is = recorded[n]
    const faults = is === undefined ? [] : faultsOfSession(session, is, tolerance)
    return faults.map((fault) => (several ? `session ${n + 1}: ${fault}` : fault))
  })
  return [
    ...(sessions !== undefined && recorded.length !== sessions.length
      ? [`${recorded.length} sessions, not ${sessions.length}`]
      : []),
    ...(own ?? []),
    ...faultsOfAll(right, recorded)
  ]
}
