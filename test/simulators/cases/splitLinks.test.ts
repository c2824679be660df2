/**
 * However a feed is split into links, it gives the sessions and laps of the whole: a silence loses a link, and the next link goes
 * on with what was learned of the game. For games with a clock of their own; if arrivals are the clock, a silence is a gap.
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { needing } from "../../support/needing.ts"
import { some } from "../../support/runs.ts"
import { casesHere } from "../../support/sharedData.ts"
import { readCases, recordedOfCase } from "./cases.ts"
import type { Line } from "./games.ts"
import type { RecordedSession } from "./recorded.ts"

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

describe("a feed that is split into links", needing(casesHere), () => {
  it.live("has the sessions, laps and points of the whole", () =>
    Effect.gen(function* () {
      const cases = readCases().filter(([name, { simulator }]) => CLOCKED.has(simulator) && name !== UNTOLD)
      expect(cases.length).toBeGreaterThan(20)
      const others: Record<string, unknown> = {}
      for (const [name, right, file] of cases) {
        const whole = lapsOf(yield* recordedOfCase(right, file))
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
