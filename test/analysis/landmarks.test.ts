/** Laps without positions, compared with the same laps with positions, which the method has not seen. */
import { describe, expect, it } from "vitest"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { compareTraced } from "../../src/analysis/compare/comparison.ts"
import { quantile } from "../../src/analysis/math/robust.ts"
import { ABSENT } from "../../src/domain/RowBatch.ts"
import { needing } from "../support/needing.ts"
import { recordings, recordingsHere } from "../support/sharedData.ts"
import { blind } from "./blind.ts"
import { changed } from "./faults.ts"
import { atPace, recording } from "./pairs.ts"
import { drivenLaps, withoutMistake } from "./sessions.ts"

const STEP_M = 5

interface Place {
  readonly error: number
  readonly uncertainty: number
  readonly sound: boolean
}

const isIn = (stretches: ReadonlyArray<{ from: number; to: number }>, distance: number) =>
  stretches.some(({ from, to }) => distance >= from && distance <= to)

/** The delta without positions minus the one with them, where that is sound, by a share of the way. */
const heldAgainst = (laps: readonly [LapData, LapData]): ReadonlyArray<Place> => {
  const [seen, unseen] = [
    compareTraced(laps, STEP_M),
    compareTraced(
      laps.map((lap) => blind(lap)),
      STEP_M
    )
  ]
  const l = seen.closure.findIndex(({ lapId }) => lapId !== seen.fastestLapId)
  const [wanted, reported] = [seen.traces[l]!, unseen.traces[l]!]
  return Array.from({ length: 100 }, (_, share) => {
    const at = Math.round((share / 100) * (wanted.distance.length - 1))
    const n = Math.round((share / 100) * (reported.distance.length - 1))
    return {
      known: !isIn(seen.closure[l]!.unsound, wanted.distance[at]!),
      sound: !isIn(unseen.closure[l]!.unsound, reported.distance[n]!),
      error: Math.abs(reported.timeDelta[n]! - wanted.timeDelta[at]!),
      uncertainty: Math.hypot(reported.timeDeltaUncertainty[n]!, wanted.timeDeltaUncertainty[at]!)
    }
  }).filter(({ known }) => known)
}

describe("laps of real recordings without their positions", needing(recordingsHere), () => {
  // Guards against a trust that rests on itself: errors of two thirds of a second were once trusted.
  it.each(recordings)("%s: nine in ten places are as near to the truth as stated", (name) => {
    const laps = atPace(recording(name)).slice(0, 12)
    const places = laps.slice(1).flatMap((lap, l) => heldAgainst([laps[l]!, lap]))
    const within = places.filter(({ error, uncertainty }) => error <= uncertainty).length
    expect(within / places.length).toBeGreaterThan(0.9)
    const sound = places.filter((place) => place.sound).map(({ error }) => error)
    expect(sound.length / places.length).toBeGreaterThan(0.5)
    expect(quantile(sound, 0.95)).toBeLessThan(0.2)
  })
})

describe("laps without positions", () => {
  const driven = drivenLaps({ laps: 2, hz: 20, taken: withoutMistake })
  const [one, two] = [driven[0]!, driven[1]!]

  it("have places, and times by the clock, but no positions", () => {
    for (const value of [ABSENT, 0]) {
      const { closure, method, traces } = compareTraced([blind(one, value), blind(two, value)])
      expect(method).toBe("speed")
      expect(closure.map(({ timedBy }) => timedBy)).toEqual(["clock", "clock"])
      for (const { positionX, positionY } of traces) {
        expect([...positionX, ...positionY].every(Number.isNaN)).toBe(true)
      }
    }
  })

  it("are trusted nowhere if the other lap's corners do not show", () => {
    const even = changed(two, [-1, 1e4], "speed", () => 150)
    const { closure } = compareTraced([blind(one), blind(even)])
    expect(closure.map(({ trusted }) => trusted)).toContain(false)
    expect(closure.map(({ reason }) => reason).join()).toMatch(/corners/)
  })
})
