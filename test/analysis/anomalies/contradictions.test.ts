/** Channels that contradict each other, put into laps at random places, with random size and length. */
import { describe, expect, it } from "vitest"
import type { LapData } from "../../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../../src/analysis/anomalies/anomalies.ts"
import { needing } from "../../support/needing.ts"
import { some, thorough } from "../../support/runs.ts"
import { recordingsHere } from "../../support/sharedData.ts"
import type { Span } from "../faults.ts"
import { contradicting as kinds, type Kind, valuesIn } from "../faultKinds.ts"
import { injected } from "../injected.ts"
import { drivenLaps, recordedLaps } from "../sessions.ts"
import { uniform } from "../uniform.ts"

/** The share of so many faults that is found, at random places of laps at pace where the car drives. */
const rateOf = (session: ReadonlyArray<LapData>, kind: Kind, count: number, seed: number): number => {
  const all = injected(session, kind, count, seed)
  expect(all.length).toBe(count)
  return all.filter(({ found }) => found).length / count
}

const contradictionsOf = (session: ReadonlyArray<LapData>) =>
  sessionAnomalies(1, session).anomalies.filter(({ type }) => type === "contradiction")

const real = ["ams2-road-america", "ac-lime-rock", "f1-bahrain-2026-ant"]

/** Of 72 put into laps of Formula 1, 69 are found: two of the three others may be among twelve by chance. */
const CASES = thorough ? 24 : 3

/** Where gears change from second to second, the next gear's revolutions are 20 % higher, too. */
const LEAST = (kind: Kind) => (kind.channels.includes("rpm") ? 0.75 : 0.9)

describe.each(some(real, 2))("laps of %s", needing(recordingsHere), (name) => {
  // Guards against trust in channels that contradict each other.
  it.each(kinds)("$name: is reported, wherever it is", (kind) => {
    expect(rateOf(recordedLaps(name), kind, CASES, 21)).toBeGreaterThanOrEqual(LEAST(kind))
  })

  it("as driven contain no contradiction", () => {
    expect(contradictionsOf(recordedLaps(name)).map(({ description }) => description)).toEqual([])
  })
})

describe("simulated drives", () => {
  const session = drivenLaps({ circuit: "Port Averno", vehicle: 1, hz: 10, seed: 7, laps: 7 })

  it.each(kinds)("$name: is reported, wherever it is", (kind) => {
    expect(rateOf(session, kind, CASES, 22)).toBeGreaterThanOrEqual(LEAST(kind))
  })

  it("contain no contradiction, even with mistakes", () => {
    for (const circuit of some(["Hollin Moor", "Port Averno", "Sankt Arven", "Larkspur Park"], 2)) {
      for (const [vehicle, hz] of [
        [0, 60],
        [1, 10],
        [2, 4]
      ] as const) {
        const driven = drivenLaps({ circuit, vehicle, hz, seed: 3, laps: 8 })
        expect([circuit, hz, contradictionsOf(driven)]).toEqual([circuit, hz, []])
      }
    }
  })

  it("do not report a throttle that stays open as a missed gear", () => {
    const kind = kinds[1]!
    const next = uniform(5)
    for (let tried = 0; tried < 5;) {
      const l = 1 + Math.floor(next() * (session.length - 1))
      const from = 3 + next() * (session[l]!.lap.lapTime! - 10)
      const span: Span = [from, from + 3]
      const isFast = valuesIn(session[l]!, span, "speed").every((speed) => speed > 60)
      if (!kind.shows(session[l]!, span) || !isFast) continue
      tried++
      const spoilt = session.map((one, other) => (other === l ? kind.put(one, span, next) : one))
      const reported = sessionAnomalies(1, spoilt).anomalies.filter(
        ({ lapId }) => lapId === session[l]!.lap.id
      )
      expect(reported.map(({ type }) => type)).not.toContain("missed_gear")
    }
  })
})
