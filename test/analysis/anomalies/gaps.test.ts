import { describe, expect, it } from "vitest"
import type { LapData } from "../../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../../src/analysis/anomalies/anomalies.ts"
import { needing } from "../../support/needing.ts"
import { recordingsHere } from "../../support/sharedData.ts"
import { paused, type Span, without } from "../faults.ts"
import { drivenLaps, recordedLaps, withoutMistake } from "../sessions.ts"
import { uniform } from "../uniform.ts"

const gapsOf = (session: ReadonlyArray<LapData>) =>
  sessionAnomalies(1, session).anomalies.filter(({ type }) => type === "data_gap")

const spoilt = (session: ReadonlyArray<LapData>, l: number, spans: ReadonlyArray<Span>) =>
  session.map((lap, other) => (other === l ? spans.reduce(without, lap) : lap))

/** The car's distance, m, from where the ends and their speeds alone would have it, by the points that are taken out. */
const trulyHidden = ({ lap, points }: LapData, [from, to]: Span): number => {
  const t = points.timestamps
  const inside = [...t.keys()].filter(
    (i) => t[i]! - lap.startTime >= from - 1 / 60 && t[i]! - lap.startTime < to + 1 / 60
  )
  const speed = points.column("speed")
  const place = [0]
  for (let k = 1; k < inside.length; k++) {
    const [i, j] = [inside[k - 1]!, inside[k]!]
    place.push(place[k - 1]! + ((speed[i]! + speed[j]!) / 7.2) * (t[j]! - t[i]!))
  }
  const [first, last] = [inside[0]!, inside.at(-1)!]
  const whole = t[last]! - t[first]!
  const [v, w] = [(speed[first]! / 3.6) * whole, (speed[last]! / 3.6) * whole]
  return Math.max(
    ...inside.map((i, k) => {
      const f = (t[i]! - t[first]!) / whole
      const way = place.at(-1)!
      const bridged = f * (v + f * (3 * way - 2 * v - w + f * (v + w - 2 * way)))
      return Math.abs(place[k]! - bridged)
    })
  )
}

describe("missing points", () => {
  const session = drivenLaps({ laps: 8, hz: 60, seed: 3, taken: withoutMistake })

  it("are not reported between the points of a slow feed with some jitter", () => {
    const slow = session.map(({ lap, points }) => {
      const kept = Array.from({ length: Math.ceil(points.length / 61) }, (_, i) => 61 * i + (i % 3))
      return { lap, points: points.pick(kept.filter((i) => i < points.length)) }
    })
    expect(gapsOf(slow)).toEqual([])
  })

  // Guards against a severity that depends only on the length of the gap.
  it("are as severe as the way that they hide, compared with the points that were taken out", () => {
    const next = uniform(11)
    let within = 0
    const runs = 24
    for (let run = 0; run < runs; run++) {
      const l = Math.floor(next() * session.length)
      const lap = session[l]!
      const from = 5 + next() * (lap.lap.lapTime! - 15)
      const span: Span = [from, from + 0.5 + 2 * next()]
      const [gap] = gapsOf(spoilt(session, l, [span]))
      const metres = Number(/known to (.*) m$/.exec(gap!.description)![1])
      if (trulyHidden(lap, span) <= metres + 0.05) within++
    }
    expect(within / runs).toBeGreaterThan(0.9)
  }, 60_000)

  it("are of high severity if a car was out of sight for seconds, and of low severity for a moment", () => {
    const moment = gapsOf(spoilt(session, 4, [[30, 30.5]]))
    const seconds = gapsOf(spoilt(session, 4, [[30, 36]]))
    expect([moment[0]!.severity, seconds[0]!.severity]).toEqual(["low", "high"])
  })

  it("are one finding if the drive was paused", () => {
    const { anomalies } = sessionAnomalies(
      1,
      session.map((lap, l) => (l === 4 ? paused(lap, 30, 20) : lap))
    )
    const found = anomalies.filter(({ channel }) => channel === "timestamp")
    expect(found.map(({ type }) => type)).toEqual(["pause"])
  })

  it("are one finding with a list if there are many similar gaps", () => {
    const spans = [20, 30, 40, 50].map((from): Span => [from, from + 0.5])
    const found = gapsOf(spoilt(session, 4, spans))
    expect(found.map(({ count }) => count)).toEqual([4])
    const [{ description, occurrences }] = found as [(typeof found)[number]]
    expect(occurrences.map(({ duration, timestamp }) => [duration > 0.5, timestamp])).toEqual(
      spans.map(([from]) => [true, expect.closeTo(session[4]!.lap.startTime + from, 1)])
    )
    expect(description).toContain("3 more like it")
    expect(gapsOf(spoilt(session, 4, spans.slice(2))).map(({ count }) => count)).toEqual([1, 1])
  })
})

describe("a feed that leaves out a second now and then", needing(recordingsHere), () => {
  // Guards against an alarm for every second lap about a feed's habit.
  it("f1-bahrain-2026-ant: one finding, and no alarm", () => {
    const real = recordedLaps("f1-bahrain-2026-ant")
    const [found, ...others] = gapsOf(real)
    expect(others).toEqual([])
    expect(found).toMatchObject({ severity: "low", count: 25 })
    expect(found!.occurrences).toHaveLength(25)
    for (const { duration } of found!.occurrences) expect(duration).toBeGreaterThan(1)
  })

  it("ac-lime-rock: a pause is no gap as well, nor is a car that stands", () => {
    const real = recordedLaps("ac-lime-rock")
    const { anomalies } = sessionAnomalies(1, real)
    const found = anomalies.filter(({ channel }) => channel === "timestamp")
    expect(found.map(({ duration, type }) => [type, Math.round(duration)])).toEqual([["pause", 85]])
    // It stands in the pits, and twice after a spin.
    const holes = real.flatMap(({ lap, points: { timestamps: t } }) =>
      [...t.keys()].filter(
        (i) => i > 0 && t[i]! - t[i - 1]! > 0.6 && t[i - 1]! > lap.startTime && t[i]! < lap.endTime
      )
    )
    expect(holes).toHaveLength(4)
  })
})
