/** `timeDeltaUncertainty` holds nine in ten true deltas, and is not wider than needed. */
import { describe, expect, it } from "vitest"
import { align, type LapData } from "../../src/analysis/place/alignment.ts"
import { at } from "../../src/analysis/corners/cornerTimes.ts"
import { median, quantile } from "../../src/analysis/math/robust.ts"
import { NINE_IN_TEN } from "../../src/analysis/compare/trust.ts"
import { circuitNames } from "../../simulator/model/Circuit.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { frozen, lateStamps, lockedWheel, movedAside, without } from "./faults.ts"
import { drive, drivenLap } from "./lapData.ts"
import { type Reported, reportedOf } from "./modelDelta.ts"
import { recording } from "./pairs.ts"
import { uniform } from "./uniform.ts"
import { some } from "../support/runs.ts"

const LAPS = [2, 3, 4, 5]

/** A feed's effect on a lap, by numbers from 0 to 1. */
type Spoiling = (lap: LapData, next: () => number) => LapData

const span = ({ lap }: LapData, next: () => number, least: number, most: number) => {
  const seconds = least + next() * (most - least)
  const from = 5 + next() * (lap.lapTime! - 10 - seconds)
  return [from, from + seconds] as const
}

const whole: Readonly<Record<string, Spoiling>> = {
  "as driven": (lap) => lap,
  "stamped at arrival, off by 10 ms": (lap, next) => lateStamps(lap, 0.01, next),
  "stamped at arrival, off by 30 ms": (lap, next) => lateStamps(lap, 0.03, next)
}
const faults: Readonly<Record<string, Spoiling>> = {
  "positions aside": (lap, next) =>
    movedAside(lap, span(lap, next, 0.6, 6), 8 + 70 * next(), 2 * Math.PI * next()),
  "positions frozen": (lap, next) => frozen(lap, span(lap, next, 0.5, 5), "position_x", "position_y"),
  "speed frozen": (lap, next) => frozen(lap, span(lap, next, 0.5, 5), "speed"),
  "a wheel locked": (lap, next) => lockedWheel(lap, span(lap, next, 0.4, 2), 0.6 * next()),
  "a gap": (lap, next) => without(lap, span(lap, next, 0.4, 3))
}

/** Laps of every circuit; every second one with a fault, or all. */
const reported = (hz: number, spoil: Spoiling, all: boolean): ReadonlyArray<Reported> =>
  circuitNames.flatMap((name) => {
    const next = uniform(3)
    const from = drive(name)
    const laps = LAPS.map((number) => drivenLap(from, number, hz))
    const clean = new Set(laps.filter((_, l) => all || l % 2 === 0).map(({ lap }) => lap.id))
    return reportedOf(
      from,
      laps.map((lap, l) => (all || l % 2 === 1 ? spoil(lap, next) : lap)),
      clean,
      5
    )
  })

const covered = (places: ReadonlyArray<Reported>) =>
  places.filter(({ error, uncertainty }) => Math.abs(error) <= uncertainty).length / places.length

describe.each(some([10, 60, 4], 1))("laps of the simulator at %i Hz, compared with its model", (hz) => {
  it.each(Object.entries(whole))("%s", (_, spoil) => {
    const places = reported(hz, spoil, true)
    const width = median(places.map(({ uncertainty }) => uncertainty))
    expect(covered(places)).toBeGreaterThan(0.95)
    // Under three times the error of nine in ten, and small enough for a driver.
    const nine = quantile(
      places.map(({ error }) => Math.abs(error)),
      0.9
    )
    expect(width).toBeLessThan(Math.max(0.004, 4 * nine))
  })

  it.each(Object.entries(faults))("with %s", (_, spoil) => {
    const places = reported(hz, spoil, false)
    expect(covered(places)).toBeGreaterThan(0.95)
    const unsound = places.filter((place) => place.unsound)
    expect(unsound.length === 0 ? 1 : covered(unsound)).toBeGreaterThan(0.85)
  })
})

describe("real laps, compared with times that the method has not seen", needing(recordingsHere), () => {
  // Formula 1 reports its times at two lines across the track, which take no part in placing its laps.
  it("are right at Formula 1's official sector lines, for each pair of laps", () => {
    const { grid, laps } = align(recording("f1-bahrain-2026-ant"), 2)!
    const timed = laps.filter(({ lap }) => lap.valid && lap.lapTime! < 104 && lap.sector1Time !== null)
    const lines = [
      timed.map(({ lap }) => lap.sector1Time!),
      timed.map(({ lap }) => lap.sector1Time! + lap.sector2Time!)
    ]
    for (const official of lines) {
      const passed = timed.map(({ time }, l) => time.findIndex((value) => value >= official[l]!) * grid.step)
      const line = median(passed)
      const off = timed.map(({ time }, l) => at(time, grid.step, line) - official[l]!)
      const width = timed.map(({ deviation }) => NINE_IN_TEN * at(deviation, grid.step, line))
      let within = 0
      let pairs = 0
      for (let a = 0; a < off.length; a++) {
        for (let b = 0; b < a; b++) {
          pairs++
          if (Math.abs(off[a]! - off[b]!) <= Math.hypot(width[a]!, width[b]!)) within++
        }
      }
      expect(within / pairs).toBeGreaterThan(0.9)
      expect(Math.SQRT2 * median(width)).toBeLessThan(0.1)
    }
  })
})
