/** Corners of laps without positions, compared with sources that the finder does not see (positions, maps, the model). */
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { align, type LapData } from "../../src/analysis/place/alignment.ts"
import { foundCircuit } from "../../src/analysis/circuits/description.ts"
import { numberCorners } from "../../src/analysis/circuits/numbering.ts"
import { compare } from "../../src/analysis/compare/comparison.ts"
import { analyseCorners } from "../../src/analysis/corners/cornerTimes.ts"
import { lowerBound } from "../../src/domain/RowBatch.ts"
import { median } from "../../src/analysis/math/robust.ts"
import { speedCorners } from "../../src/analysis/corners/speedCorners.ts"
import { circuitNames } from "../../simulator/model/Circuit.ts"
import { needing } from "../support/needing.ts"
import { recordings, recordingsHere } from "../support/sharedData.ts"
import { blind } from "./blind.ts"
import { changed, slower } from "./faults.ts"
import { heldCorners } from "./heldCorners.ts"
import { drive } from "./lapData.ts"
import { atPace, recording } from "./pairs.ts"
import { copyOf, drivenLaps, withoutMistake } from "./sessions.ts"
import {
  brakedEarly,
  brakingsOf,
  carriedLess,
  lapOf,
  type Profile,
  profileOf,
  timesOf
} from "./syntheticLap.ts"
import { bell, uniform } from "./uniform.ts"

const blinded = (laps: ReadonlyArray<LapData>) => laps.map((lap) => blind(lap))
const cornersOf = (laps: ReadonlyArray<LapData>) => speedCorners(align(blinded(laps))!)
const apexes = (laps: ReadonlyArray<LapData>) => cornersOf(laps).map(({ apex }) => apex)

/** docs/analysis/method.md lists corners that are missed or further off, and the reason. */
const known = {
  "f1-bahrain-2026-ant": { missed: [], off: 20, table: 65 },
  "ams2-road-america": { missed: [], off: 25, table: 60 },
  "ac-lime-rock": { missed: [], off: 12, table: 0 },
  "portland-gps": { missed: ["1", "10"], off: 12, table: 60 }
} as const

describe("corners by speed on real laps", needing(recordingsHere), () => {
  it.each(recordings)("%s: are those that slow by the positions, and no others", (name) => {
    const laps = atPace(recording(name)).slice(0, 12)
    const { found, fromTable, wanted, wrong } = heldCorners(laps, blinded(laps))
    expect(wrong).toEqual([])
    expect(found.length).toBeGreaterThan(2)
    expect(wanted.filter((one) => one.found === undefined).map(({ label }) => label)).toEqual(
      known[name].missed
    )
    const off = wanted.flatMap((one) => (one.found === undefined ? [] : [Math.abs(one.found - one.slowest)]))
    expect(Math.max(...off)).toBeLessThan(known[name].off)
    expect(median(off)).toBeLessThan(10)
    expect(Math.max(0, ...fromTable)).toBeLessThanOrEqual(known[name].table)
  })
})

/** m from the line at each node. */
const wayOf = ({ step }: Profile) => {
  const way = new Float64Array(step.length)
  for (let n = 1; n < way.length; n++) way[n] = way[n - 1]! + step[n - 1]!
  return way
}

describe("corners by speed", () => {
  // Each is where the model brakes for a corner, and the model slows at each.
  it.each(circuitNames.flatMap((name) => [60, 10, 4].map((hz) => [name, hz] as const)))(
    "%s at %i Hz: are the model's",
    (circuit, hz) => {
      const laps = drivenLaps({
        circuit,
        hz,
        laps: 4,
        taken: (lap) => lap.lapNumber > 1 && withoutMistake(lap)
      })
      const alignment = align(blinded(laps))!
      const found = speedCorners(alignment)
      const { reference } = alignment
      const profile = profileOf(drive(circuit), reference.lap.lapNumber)
      const way = wayOf(profile)
      const scale = way.at(-1)! / alignment.grid.length
      for (const { slowest } of brakingsOf(profile)) {
        const [nearest] = found
          .map(({ apex }) => apex * scale)
          .toSorted((a, b) => Math.abs(a - way[slowest]!) - Math.abs(b - way[slowest]!))
        const off = Math.abs(nearest! - way[slowest]!)
        // Nearby the car may be even slower.
        expect(off < 20 || profile.speed[lowerBound(way, nearest!)]! < profile.speed[slowest]!).toBe(true)
        expect(off).toBeLessThan(35)
      }
      for (const { apex, entry, exit } of found) {
        const inside = profile.speed.filter(
          (_, n) => way[n]! > apex * scale - 30 && way[n]! < apex * scale + 30
        )
        const around = profile.speed.filter(
          (_, n) => way[n]! > entry * scale - 150 && way[n]! < exit * scale + 150
        )
        expect(Math.max(...around) - Math.min(...inside)).toBeGreaterThan(3)
        expect(entry < apex && apex < exit).toBe(true)
      }
      expect(found.map(({ number }) => number)).toEqual(found.map((_, k) => k + 1))
    }
  )

  const four = drivenLaps({ hz: 20, laps: 4, taken: (lap) => lap.lapNumber > 1 && withoutMistake(lap) })
  const clean = apexes(four)

  /** m by which any corner is elsewhere than in clean laps; Infinity if there are more or fewer. */
  const movedBy = (laps: ReadonlyArray<LapData>): number => {
    const found = apexes(laps)
    if (found.length !== clean.length) return Infinity
    return Math.max(...found.map((apex, k) => Math.abs(apex - clean[k]!)))
  }

  // Slowed and sped up as cars do: a leap would be a fault of the data, which the finder ignores.
  it.each([15, 30])("are not found where only one lap is %i m/s slower, of two or of more", (by) => {
    const profiles = [2, 3, 4, 5].map((lap) => profileOf(drive(), lap))
    const [first, ...others] = profiles.map((profile, k) => lapOf(profile, k + 2, 20))
    const lifted = lapOf(liftedOn(profiles[0]!, by), 2, 20)
    for (const count of [1, 3]) {
      const beside = others.slice(0, count)
      const wanted = apexes([first!, ...beside])
      const found = apexes([lifted, ...beside])
      expect(found).toHaveLength(wanted.length)
      for (const [k, apex] of found.entries()) expect(Math.abs(apex - wanted[k]!)).toBeLessThan(25)
    }
    const all = profiles.map((profile, k) => lapOf(liftedOn(profile, by), k + 2, 20))
    expect(apexes(all)).toHaveLength(apexes([first!, ...others]).length + 1)
  })

  it("are not found where all laps lift by some km/h", () => {
    const lifting = four.map((lap) => {
      const fastest = fastestAt(lap)
      return slower(lap, [fastest - 1, fastest + 1], 1.03)
    })
    expect(movedBy(lifting)).toBeLessThan(25)
  })

  it("are not found in noise", () => {
    for (const hz of [60, 10]) {
      const laps = drivenLaps({ hz, laps: 4, taken: (lap) => lap.lapNumber > 1 && withoutMistake(lap) })
      const noisy = laps.map((lap, l) => {
        const next = uniform(l + 1)
        return changed(lap, [-1, 1e4], "speed", (value) => Math.max(0, value + 2 * bell(next)))
      })
      expect(movedBy(noisy)).toBeLessThan(25)
    }
  })

  it("are the same in any order of the laps, and in a second run", () => {
    const seven = drivenLaps({ hz: 10, laps: 11, circuit: "Port Averno" })
    const wanted = JSON.stringify(cornersOf(seven))
    fc.assert(
      fc.property(fc.shuffledSubarray([...seven], { minLength: 11 }), (laps) => {
        expect(JSON.stringify(cornersOf(laps.map(copyOf))) === wanted).toBe(true)
      }),
      { numRuns: 5 }
    )
  })

  it("lie across the line if the line is in one", () => {
    const profile = profileOf(drive(), 3)
    const [braking] = brakingsOf(profile)
    const size = profile.speed.length - 1
    const moved = (column: Float64Array) =>
      Float64Array.from({ length: size + 1 }, (_, n) => column[(n + braking!.slowest) % size]!)
    const turned: Profile = {
      x: moved(profile.x),
      y: moved(profile.y),
      step: moved(profile.step),
      speed: moved(profile.speed)
    }
    const laps = blinded([
      lapOf(turned, 1),
      lapOf({ ...turned, speed: turned.speed.map((v) => v * 0.99) }, 2)
    ])
    const alignment = align(laps)!
    const across = speedCorners(alignment).filter(({ entry, exit }) => exit < entry)
    expect(across).toHaveLength(1)
    const { length } = alignment.grid
    expect(Math.min(across[0]!.apex, length - across[0]!.apex)).toBeLessThan(15)
    const { sections } = analyseCorners(alignment, alignment.reference)
    alignment.laps.forEach((lap, l) => {
      const delta = lap.time.at(-1)! - alignment.reference.time.at(-1)!
      expect(sections[l]!.reduce((sum, { lost }) => sum + lost, 0)).toBeCloseTo(delta, 9)
    })
  })

  it("are not found in a start from standing, nor in a single lap", () => {
    const standing = cornersOf(four.slice(0, 2).map(fromStanding))
    expect(standing.every(({ apex, entry, exit }) => entry < apex && apex < exit)).toBe(true)
    expect(standing[0]!.apex).toBeGreaterThan(50)
    expect(cornersOf([four[0]!])).toEqual([])
  })

  it("have neither side, angle nor radius, and no numbers except those of a user", () => {
    const laps = blinded(four)
    const { circuit, corners, method } = compare(laps)
    expect([circuit, method]).toEqual([null, "speed"])
    expect(corners.length).toBe(clean.length)
    for (const [k, { angle, direction, foundBy, label, number, numberedBy, radius }] of corners.entries()) {
      expect([angle, direction, radius]).toEqual([null, null, null])
      expect({ foundBy, label, number, numberedBy }).toEqual({
        foundBy: "speed",
        label: `${k + 1}`,
        number: k + 1,
        numberedBy: "detected"
      })
    }
    const [tower] = corners
    const details = {
      displayName: "Club circuit",
      corners: [{ number: 7, name: "Tower", direction: "left", distance: tower!.apex + 20 } as const]
    }
    const edited = numberCorners({ length: 1e4, corners: cornersOf(four) }, { details, layouts: [] })
    expect(edited.corners[0]).toMatchObject({
      number: 7,
      name: "Tower",
      numberedBy: "edited",
      direction: null
    })
    const { description: described } = foundCircuit("Club", laps)
    expect(described).toMatchObject({ numberedBy: "detected", match: null, length: expect.any(Number) })
    expect(described.corners.length).toBe(clean.length)
    for (const one of described.corners) expect(one).toMatchObject({ direction: null, foundBy: "speed" })
    expect(compare(four).corners.every(({ foundBy }) => foundBy === "positions")).toBe(true)
  })
})

/** Begun as a race is: 30 km/h more with each second. */
const fromStanding = (lap: LapData): LapData =>
  changed(lap, [0, 8], "speed", (value, i) => Math.min(value, (i / 20) * 30))

/** Slows 200 m before the fastest place, braking at 8 m/s^2 and gaining speed at 4. */
const liftedOn = (profile: Profile, by: number): Profile => {
  const way = wayOf(profile)
  const fastest = profile.speed.indexOf(Math.max(...profile.speed))
  const least = (profile.speed[fastest]! - by) ** 2
  const speed = profile.speed.map((value, n) => {
    const beyond = way[n]! - (way[fastest]! - 200)
    return Math.min(value, Math.sqrt(least + (beyond < 0 ? -16 : 8) * beyond))
  })
  return { ...profile, speed }
}

/** When a lap is fastest, s since it began. */
const fastestAt = ({ lap, points }: LapData) => {
  const speed = points.column("speed")
  let best = 0
  for (let i = 1; i < speed.length; i++) if (speed[i]! > speed[best]!) best = i
  return points.timestamps[best]! - lap.startTime
}

describe("losses of laps without positions", () => {
  const faults = [
    ["braking", (profile: Profile, at: Parameters<typeof brakedEarly>[1]) => brakedEarly(profile, at, 40)],
    [
      "minimum speed",
      (profile: Profile, at: Parameters<typeof carriedLess>[1]) => carriedLess(profile, at, 5)
    ]
  ] as const

  // A corner of every circuit, at a game's rate and at a slow logger's: losses far above the uncertainty without positions.
  it.each(circuitNames.flatMap((name) => [60, 10].map((rate) => [name, rate] as const)))(
    "%s at %i Hz: have the place and the cause that was put there",
    (name, rate) => {
      const profile = profileOf(drive(name), 3)
      const way = wayOf(profile)
      let named = 0
      for (const braking of brakingsOf(profile)) {
        for (const [cause, spoil] of faults) {
          const worse = spoil(profile, braking)
          const lost = timesOf(worse).at(-1)! - timesOf(profile).at(-1)!
          const { corners, losses } = compare(blinded([lapOf(profile, 1, rate), lapOf(worse, 2, rate)]))
          const away = ({ apex }: { readonly apex: number }) => Math.abs(apex - way[braking.slowest]!)
          const [nearest] = corners.toSorted((a, b) => away(a) - away(b))
          // Nothing else differs; a loss below its uncertainty has no cause.
          for (const loss of losses) {
            expect([loss.corner, loss.cause]).toEqual([nearest!.number, cause])
            expect(Math.abs(loss.seconds / lost - 1)).toBeLessThan(0.15)
            named++
          }
        }
      }
      expect(named).toBeGreaterThan(1)
    }
  )

  // Guards against silence: the time of a whole lap is certain even if no place is.
  it("are of the lap as one if no place certainly lost time", () => {
    const profile = profileOf(drive(), 3)
    const worse = brakedEarly(profile, brakingsOf(profile)[1]!, 4)
    const lost = timesOf(worse).at(-1)! - timesOf(profile).at(-1)!
    const { closure, losses } = compare(blinded([lapOf(profile, 1), lapOf(worse, 2)]))
    expect(losses).toHaveLength(1)
    expect(losses[0]).toMatchObject({ lapId: 2, corner: null, cornerLabel: null })
    expect(losses[0]!.sentence).toMatch(/^Over the lap: Lap 2 .*loses 0\.\d{3} s\.$/)
    expect(Math.abs(losses[0]!.seconds - lost)).toBeLessThan(0.001)
    expect(closure[1]!.explained!.lost).toBe(losses[0]!.seconds)
  })
})
