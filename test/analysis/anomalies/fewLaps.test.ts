import { describe, expect, it } from "vitest"
import type { LapEvidence } from "../../../src/analysis/anomalies/evidence.ts"
import { comparableLaps } from "../../../src/analysis/compare/comparable.ts"
import { slowTimes } from "../../../src/analysis/anomalies/times.ts"
import { usuallyWithin } from "../../../src/analysis/anomalies/fewLaps.ts"
import { median, robustSigma } from "../../../src/analysis/math/robust.ts"
import { channels } from "../../../src/domain/pointChannels.ts"
import { RowBatch } from "../../../src/domain/RowBatch.ts"
import { bell, uniform } from "../uniform.ts"

const PACE_S = 90
const points = RowBatch.allocate(0, channels)

/** A session of laps whose lap times and sectors are normally distributed about one pace. */
const sessionOf = (times: ReadonlyArray<readonly [number, number, number]>) => {
  const laps = times.map(([one, two, three], l): LapEvidence => ({
    lap: {
      id: l + 1,
      sessionId: 1,
      lapNumber: l + 1,
      lapTime: one + two + three,
      sector1Time: one,
      sector2Time: two,
      sector3Time: three,
      valid: true,
      startTime: l * 100,
      endTime: l * 100 + 90
    },
    points,
    column: (channel) => points.column(channel),
    comparable: true,
    onGrid: undefined,
    begins: false,
    known: { kinds: new Set(), interruptions: [], pace: 1 },
    distanceAt: () => null,
    timeAt: undefined,
    around: []
  }))
  return slowTimes(
    { laps, atPace: comparableLaps(laps.map(({ lap }) => lap)), enough: true, levelOf: () => 1 },
    () => 0
  )
}

const sectorOf = (spread: number, next: () => number) =>
  (PACE_S / 3) * (1 + Math.sqrt(3) * spread * bell(next))

describe("few laps", () => {
  const counts = [3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30]
  const spreads = [0.001, 0.003, 0.006, 0.01]

  // Guards against sessions of three laps in which one lap in twenty is reported as slow by chance.
  it.each(spreads)(
    "of normal times that spread by %f: at most one in 200 is reported as slow, of 3 laps to 30",
    (spread) => {
      const next = uniform(5)
      for (const count of counts) {
        const sessions = Math.ceil(3000 / count)
        let slow = 0
        for (let s = 0; s < sessions; s++) {
          const times = Array.from(
            { length: count },
            () => [sectorOf(spread, next), sectorOf(spread, next), sectorOf(spread, next)] as const
          )
          slow += sessionOf(times).filter(({ type }) => type === "slow_lap").length
        }
        expect([count, slow / (sessions * count) < 0.005]).toEqual([count, true])
      }
    }
  )

  it("with one 4 % slow: it is reported, among 3 laps that are alike or among 30", () => {
    const next = uniform(6)
    for (const count of [3, 4, 5, 10, 30]) {
      for (let run = 0; run < 20; run++) {
        const times = Array.from({ length: count }, (_, l) => {
          const sector = () => (l === 0 ? 1.04 : 1) * sectorOf(0.001, next)
          return [sector(), sector(), sector()] as const
        })
        const slow = sessionOf(times).filter(({ type }) => type === "slow_lap")
        expect([count, slow.map(({ lapId }) => lapId)]).toEqual([count, [1]])
      }
    }
  })

  it("nine in ten values lie within the stated bound, for any number of others", () => {
    const next = uniform(8)
    for (const others of [2, 3, 4, 5, 8, 14, 25, 60]) {
      let within = 0
      const runs = 6000
      for (let run = 0; run < runs; run++) {
        const row = Array.from({ length: others }, () => bell(next))
        const most = usuallyWithin(others, robustSigma(row), 100)
        if (Math.abs(bell(next) - median(row)) <= most) within++
      }
      expect(within / runs).toBeGreaterThan(0.88)
      expect(within / runs).toBeLessThan(0.93)
    }
  })
})
