/** Channels that contradict each other, put into laps at random places, of random size and length. */
import { describe, expect, it } from "vitest"
import type { LapData } from "../../../src/analysis/alignment.ts"
import { sessionAnomalies } from "../../../src/analysis/anomalies.ts"
import { comparableLaps } from "../../../src/analysis/comparable.ts"
import { lowerBound } from "../../../src/domain/PointBatch.ts"
import { needing } from "../../runner/needing.ts"
import { recordingsHere } from "../../runner/sharedData.ts"
import { changed, movedAside, type Span } from "../faults.ts"
import { drivenLaps, lapsOf, recordedLaps } from "../sessions.ts"
import { uniform } from "../uniform.ts"

type Random = () => number

const speedsIn = ({ lap, points }: LapData, [from, to]: Span) =>
  points
    .column("speed")
    .slice(
      lowerBound(points.timestamps, lap.start_time + from),
      lowerBound(points.timestamps, lap.start_time + to) + 1
    )

/** m/s^2 by which the lap gains speed in each quarter of a second of a span. */
const gains = (lap: LapData, [from, to]: Span): ReadonlyArray<number> => {
  const { lap: record, points } = lap
  const t = points.timestamps
  const found: Array<number> = []
  for (let at = from; at + 0.25 <= to; at += 0.25) {
    const i = lowerBound(t, record.start_time + at)
    const j = Math.min(t.length - 1, lowerBound(t, record.start_time + at + 0.25))
    const speed = points.column("speed")
    found.push((speed[j]! - speed[i]!) / 3.6 / (t[j]! - t[i]!))
  }
  return found
}

interface Kind {
  readonly name: string
  readonly channels: ReadonlyArray<string>
  /** s. */
  readonly lasts: Span
  /** Whether the span is one in which such a fault contradicts anything. */
  readonly shows: (lap: LapData, span: Span) => boolean
  readonly put: (lap: LapData, span: Span, next: Random) => LapData
}

const kinds: ReadonlyArray<Kind> = [
  {
    name: "brake and throttle down while the car gains speed",
    channels: ["brake"],
    lasts: [1, 4],
    shows: (lap, span) => gains(lap, span).every((gain) => gain > 1),
    put: (lap, span) =>
      changed(
        changed(lap, span, "brake", () => 1),
        span,
        "throttle",
        () => 1
      )
  },
  {
    name: "a throttle that is stuck open through a braking of a second",
    channels: ["throttle"],
    lasts: [1.2, 4],
    shows: (lap, span) => {
      let row = 0
      return gains(lap, span).some((gain) => {
        row = gain < -5 ? row + 1 : 0
        return row >= 5
      })
    },
    put: (lap, span) => changed(lap, span, "throttle", () => 1)
  },
  {
    name: "revolutions 20 to 28 % too high",
    channels: ["rpm"],
    lasts: [1.5, 5],
    shows: () => true,
    put: (lap, span, next) => {
      const factor = 1.2 + 0.08 * next()
      return changed(lap, span, "rpm", (value) => value * factor)
    }
  },
  {
    name: "positions 20 to 80 m aside",
    channels: ["position", "speed", "timestamp"],
    lasts: [0.8, 6],
    shows: () => true,
    put: (lap, span, next) => movedAside(lap, span, 20 + 60 * next(), 2 * Math.PI * next())
  }
]

const types = new Set(["contradiction", "implausible_value"])

/** Whether something is told of the fault's channel, on its lap, while it lasts. */
const isFound = (session: ReadonlyArray<LapData>, l: number, kind: Kind, span: Span, next: Random) => {
  const { lap } = session[l]!
  const spoilt = session.map((one, other) => (other === l ? kind.put(one, span, next) : one))
  const [from, to] = [lap.start_time + span[0] - 1, lap.start_time + span[1] + 1]
  return sessionAnomalies(1, spoilt).anomalies.some(
    ({ channel, occurrences, type }) =>
      types.has(type) &&
      kind.channels.includes(channel) &&
      occurrences.some(
        ({ duration, lap_id, timestamp }) =>
          lap_id === lap.id && timestamp <= to && timestamp + duration >= from
      )
  )
}

/** How many of so many faults are told of, at random places of laps at pace where the car drives. */
const rateOf = (session: ReadonlyArray<LapData>, kind: Kind, runs: number, seed: number): number => {
  const next = uniform(seed)
  const pace = new Set(comparableLaps(lapsOf(session)).map(({ id }) => id))
  let tried = 0
  let found = 0
  while (tried < runs) {
    const l = Math.floor(next() * session.length)
    const { lap } = session[l]!
    if (!pace.has(lap.id)) continue
    const seconds = kind.lasts[0] + (kind.lasts[1] - kind.lasts[0]) * next()
    const from = 3 + next() * (lap.lap_time! - 6 - seconds)
    const span: Span = [from, from + seconds]
    if (!speedsIn(session[l]!, span).every((speed) => speed > 60) || !kind.shows(session[l]!, span)) continue
    tried++
    if (isFound(session, l, kind, span, next)) found++
  }
  return found / runs
}

const contradictionsOf = (session: ReadonlyArray<LapData>) =>
  sessionAnomalies(1, session).anomalies.filter(({ type }) => type === "contradiction")

const real = ["ams2-road-america", "ac-lime-rock", "f1-bahrain-2026-ant"]

/** Formula 1's live timing tells gears and revolutions by streams of their own, some tenths of a second apart. */
const LEAST = (name: string, kind: Kind) =>
  kind.channels.includes("rpm") ? (name === "f1-bahrain-2026-ant" ? 0.5 : 0.75) : 0.9

describe.each(real)("laps of %s", needing(recordingsHere), (name) => {
  // Protects from trust in channels that contradict each other.
  it.each(kinds)("$name: told of, wherever it is", (kind) => {
    expect(rateOf(recordedLaps(name), kind, 10, 21)).toBeGreaterThanOrEqual(LEAST(name, kind))
  })

  it("contradict nothing as they were driven", () => {
    expect(contradictionsOf(recordedLaps(name)).map(({ description }) => description)).toEqual([])
  })
})

describe("simulated drives", () => {
  const session = drivenLaps({ circuit: "Port Averno", vehicle: 1, hz: 10, seed: 7, laps: 7 })

  it.each(kinds)("$name: told of, wherever it is", (kind) => {
    expect(rateOf(session, kind, 10, 22)).toBeGreaterThanOrEqual(LEAST("", kind))
  })

  it("contradict nothing, mistakes and all", () => {
    for (const circuit of ["Hollin Moor", "Port Averno", "Sankt Arven", "Larkspur Park"]) {
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

  it("a throttle that stays open is no gear that was missed", () => {
    const kind = kinds[1]!
    const next = uniform(5)
    for (let tried = 0; tried < 5;) {
      const l = 1 + Math.floor(next() * (session.length - 1))
      const from = 3 + next() * (session[l]!.lap.lap_time! - 10)
      const span: Span = [from, from + 3]
      if (!kind.shows(session[l]!, span) || !speedsIn(session[l]!, span).every((speed) => speed > 60))
        continue
      tried++
      const spoilt = session.map((one, other) => (other === l ? kind.put(one, span, next) : one))
      const told = sessionAnomalies(1, spoilt).anomalies.filter(({ lap_id }) => lap_id === session[l]!.lap.id)
      expect(told.map(({ type }) => type)).not.toContain("missed_gear")
    }
  })
})
