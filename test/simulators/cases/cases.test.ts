/**
 * Every case has the right outcome, from the datagram to the catalog. It has it, too, if a packet is replaced by another of the
 * recording, and if its feed is split into links (timekeeping.md, rule 2).
 *
 * Replacements hold for packets that a game sends again and again; packets that it sends once (an event, names, all over TCP) are
 * believed. Their seeds are the same in every run; `TELEMETRY_TEST_SEED=7` sets another. Splits are silences that lose a link, of
 * games with a clock of their own; if arrivals are the clock, a silence is a gap.
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { needing } from "../../support/needing.ts"
import { runs, some } from "../../support/runs.ts"
import { casesHere } from "../../support/sharedData.ts"
import { casesOnce, recordedOfCase } from "./cases.ts"
import type { Line } from "./games.ts"
import { faultsOf } from "./judge.ts"
import type { RecordedSession } from "./recorded.ts"

const TIMES = runs(1)
/** The number of packets that count as the first ones. */
const FIRST = 10
/** A kind of packets is sent again and again if it is at least this share of all. */
const OFTEN = 1 / 20
/**
 * The delay after a packet that is believed, s. A packet from just behind a line is believed anywhere in the lap, for a second. So
 * is one of F1 that is 24 frames ahead, because the order of its frames knows no rate: 1.2 s at 20 Hz.
 */
const COSTS_S = 1.25
/** Most packets cost their own point, and those that may come at once. */
const MEAN_POINTS = 3
/** If laps are cut at a line, the line is passed between two points, s. */
const CUT_WITHIN_S = 0.05

/** Numbers from 0 to 1, the same for the same seed. */
const numbersFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const kindOf = ({ hex, via }: Line) => `${via ?? ""} ${hex.length}`

/** The places of the packets that may replace each other. */
const oftenIn = (lines: ReadonlyArray<Line>): ReadonlyArray<number> => {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(kindOf(line), (counts.get(kindOf(line)) ?? 0) + 1)
  return lines.flatMap((line, n) => {
    const isReported = line.via === "tcp" || line.answers !== undefined
    return !isReported && counts.get(kindOf(line))! >= lines.length * OFTEN ? [n] : []
  })
}

interface Replacement {
  readonly at: number
  readonly by: number
}

/** One packet is replaced; `chosen` gets its index. */
const replaced =
  (random: () => number, chosen: (replacement: Replacement) => void) => (lines: ReadonlyArray<Line>) => {
    const often = oftenIn(lines)
    // The first packets are compared with none before them: half of the replacements are there.
    const places = random() < 1 / 2 ? often : often.slice(0, FIRST)
    const at = places[Math.floor(random() * places.length)]!
    const by = often[Math.floor(random() * often.length)]!
    chosen({ at, by })
    const { t } = lines[at]!
    return lines.with(at, { ...lines[by]!, t })
  }

const namedLapsOf = (recorded: ReadonlyArray<RecordedSession>) =>
  recorded.map(({ laps, session: { circuit, vehicle } }) => ({
    circuit,
    vehicle,
    laps: laps.map(({ lapNumber, valid, withdrawn = false }) => ({ lapNumber, valid, withdrawn }))
  }))

const timesOf = (recorded: ReadonlyArray<RecordedSession>) =>
  recorded.flatMap(({ laps }) => laps.map(({ lapTime }) => lapTime ?? 0))

const pointsOf = (recorded: ReadonlyArray<RecordedSession>) => recorded.map(({ times }) => times.length)

const costOf = (whole: ReadonlyArray<RecordedSession>, other: ReadonlyArray<RecordedSession>): number => {
  const others = pointsOf(other)
  return pointsOf(whole).reduce((sum, points, n) => sum + Math.abs(points - (others[n] ?? 0)), 0)
}

/** Points in a second. */
const rateOf = (recorded: ReadonlyArray<RecordedSession>): number => {
  const steps = recorded.flatMap(({ times }) => times.slice(1).map((time, n) => time - times[n]!))
  return 1 / (steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 1)
}

const isNear = (some: ReadonlyArray<number>, others: ReadonlyArray<number>, within: number) =>
  some.length === others.length && some.every((one, n) => Math.abs(one - others[n]!) <= within)

const isSame = (
  simulator: string,
  whole: ReadonlyArray<RecordedSession>,
  other: ReadonlyArray<RecordedSession>
) =>
  JSON.stringify(namedLapsOf(whole)) === JSON.stringify(namedLapsOf(other)) &&
  isNear(timesOf(whole), timesOf(other), simulator === "beamng" ? CUT_WITHIN_S : 0) &&
  costOf(whole, other) <= COSTS_S * rateOf(whole) + 2

/** The games with a clock of their own that do not close during silences. */
const CLOCKED: ReadonlySet<string> = new Set([
  "dirt-rally-2",
  "ea-wrc",
  "f1",
  "forza",
  "gt7",
  "project-cars-2",
  "project-motor-racing",
  "richard-burns-rally"
])
/** A link that ends before the game has reported its state records the points until then, because the user may disconnect. */
const UNTOLD = "pc2-connect-in-a-replay"
/** The shares of the feed at which it falls silent, and how long, s: longer than a link lives, and less than a session. */
const SPLITS = [
  [0.3, 75],
  [0.7, 500]
] as const

/** The lines with a silence before the line at this share of them. */
const silentAt = (share: number, seconds: number) => (lines: ReadonlyArray<Line>) => {
  const from = Math.floor(lines.length * share)
  return lines.map((line, n) => (n < from ? line : { ...line, t: line.t + seconds }))
}

const lapsOf = (recorded: ReadonlyArray<RecordedSession>) =>
  recorded.map(({ laps, times }) => ({
    points: times.length,
    laps: laps.map(
      ({ lapNumber, lapTime, valid, withdrawn = false }) =>
        `${lapNumber}: ${lapTime} ${valid ? "valid" : ""} ${withdrawn ? "withdrawn" : ""}`
    )
  }))

describe("the smallest inputs that once had a wrong outcome", needing(casesHere), () => {
  it.live("have the right one", () =>
    Effect.gen(function* () {
      const wrong: Record<string, ReadonlyArray<string>> = {}
      const cases = yield* casesOnce
      for (const { name, right, whole } of cases) {
        const faults = faultsOf(right, whole)
        if (faults.length > 0) wrong[name] = faults
      }
      expect(wrong).toEqual({})
      expect(cases.length).toBeGreaterThanOrEqual(46)
    })
  )

  it.live("have the same sessions and laps if a packet is replaced by another", () =>
    Effect.gen(function* () {
      const random = numbersFrom(Number(process.env["TELEMETRY_TEST_SEED"] ?? 1))
      const cases = (yield* casesOnce).filter(({ right }) => right.simulator !== "native")
      expect(cases.length).toBeGreaterThan(40)
      const others: Record<string, unknown> = {}
      let cost = 0
      for (const { file, name, right, whole } of cases) {
        for (let n = 0; n < TIMES; n++) {
          let which: Replacement | undefined
          const change = replaced(random, (replacement) => (which = replacement))
          const other = yield* recordedOfCase(right, file, change)
          cost += costOf(whole, other)
          if (isSame(right.simulator, whole, other)) continue
          const reported = { laps: namedLapsOf(other), times: timesOf(other), points: pointsOf(other) }
          others[`${name} ${which!.at} by ${which!.by}`] = { ...reported, not: pointsOf(whole) }
        }
      }
      expect(others).toEqual({})
      expect(cost / cases.length / TIMES).toBeLessThan(MEAN_POINTS)
    })
  )

  it.live("have the same sessions, laps and points if the feed is split into links", () =>
    Effect.gen(function* () {
      const cases = (yield* casesOnce).filter(
        ({ name, right }) => CLOCKED.has(right.simulator) && name !== UNTOLD
      )
      expect(cases.length).toBeGreaterThan(20)
      const others: Record<string, unknown> = {}
      for (const { file, name, right, whole: recorded } of cases) {
        const whole = lapsOf(recorded)
        for (const [share, seconds] of some(SPLITS, 1)) {
          const split = lapsOf(yield* recordedOfCase(right, file, silentAt(share, seconds)))
          if (JSON.stringify(split) !== JSON.stringify(whole))
            others[`${name} at ${share}`] = { whole, split }
        }
      }
      expect(others).toEqual({})
    })
  )
})
