/**
 * A packet that is replaced by another of the recording changes no session and no lap, and few points (timekeeping.md, rule 2).
 * This holds for packets that a game sends again and again; packets that it sends once (an event, names, all over TCP) are believed.
 * Seeds are the same in every run; `TELEMETRY_TEST_SEED=7` sets another.
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { needing } from "../../support/needing.ts"
import { runs } from "../../support/runs.ts"
import { casesHere } from "../../support/sharedData.ts"
import { readCases, recordedOfCase } from "./cases.ts"
import type { Line } from "./games.ts"
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

const lapsOf = (recorded: ReadonlyArray<RecordedSession>) =>
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
  JSON.stringify(lapsOf(whole)) === JSON.stringify(lapsOf(other)) &&
  isNear(timesOf(whole), timesOf(other), simulator === "beamng" ? CUT_WITHIN_S : 0) &&
  costOf(whole, other) <= COSTS_S * rateOf(whole) + 2

describe("a packet that is replaced by another of the recording", needing(casesHere), () => {
  it.live("changes no session and no lap", () =>
    Effect.gen(function* () {
      const random = numbersFrom(Number(process.env["TELEMETRY_TEST_SEED"] ?? 1))
      const cases = readCases().filter(([, { simulator }]) => simulator !== "native")
      expect(cases.length).toBeGreaterThan(40)
      const others: Record<string, unknown> = {}
      let cost = 0
      for (const [name, right, file] of cases) {
        const whole = yield* recordedOfCase(right, file)
        for (let n = 0; n < TIMES; n++) {
          let which: Replacement | undefined
          const change = replaced(random, (replacement) => (which = replacement))
          const other = yield* recordedOfCase(right, file, change)
          cost += costOf(whole, other)
          if (isSame(right.simulator, whole, other)) continue
          const reported = { laps: lapsOf(other), times: timesOf(other), points: pointsOf(other) }
          others[`${name} ${which!.at} by ${which!.by}`] = { ...reported, not: pointsOf(whole) }
        }
      }
      expect(others).toEqual({})
      expect(cost / cases.length / TIMES).toBeLessThan(MEAN_POINTS)
    })
  )
})
