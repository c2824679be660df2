/** Every analysis of laps without a channel: it leaves out results that need the channel, and names it. */
import { describe, expect, it } from "vitest"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../src/analysis/anomalies/anomalies.ts"
import { compareTraced, type TracedComparison } from "../../src/analysis/compare/comparison.ts"
import { metresOf } from "../../src/analysis/place/odometer.ts"
import { sectorAnalysis } from "../../src/analysis/compare/sectors.ts"
import * as Computations from "../../src/archive/workers/computations.ts"
import { type Channel, channels } from "../../src/domain/pointChannels.ts"
import { ABSENT, RowBatch } from "../../src/domain/RowBatch.ts"
import { toThread } from "../../src/platform/threads/threadBatch.ts"
import { copyOf, drivenLaps, lapsOf, withoutMistake } from "./sessions.ts"
import { allAnalyses, unspeakable } from "./allAnalyses.ts"

const session: ReadonlyArray<LapData> = drivenLaps({ laps: 5, hz: 10, seed: 3, taken: withoutMistake })
const whole = compareTraced(session)
const wholeAnomalies = sessionAnomalies(1, session).anomalies.map(({ description }) => description)
const nine = channels.filter((channel) => channel !== "timestamp")
const positions = ["position_x", "position_y", "position_z"] as const

const without = (
  laps: ReadonlyArray<LapData>,
  ...undeclared: ReadonlyArray<Channel>
): ReadonlyArray<LapData> =>
  laps.map((lap) => {
    const copy = copyOf(lap)
    for (const channel of undeclared) copy.points.column(channel).fill(ABSENT)
    return copy
  })

/** The laps with the channels that ACC sends. */
const acc = without(session, "rpm", "throttle", "brake", "steering", "position_z")

const cases: Readonly<Record<string, ReadonlyArray<Channel>>> = {
  ...Object.fromEntries(nine.map((channel) => [channel, [channel]])),
  "the positions": positions,
  "all but speed": nine.filter((channel) => channel !== "speed"),
  "all but the positions": nine.filter((channel) => !positions.some((position) => position === channel)),
  "the channels that ACC does not send": ["rpm", "throttle", "brake", "steering", "position_z"],
  "all but the time": nine
}

/** Columns of a lap on the grid and of a trace have other names; only those of points are here. */
const channelOf: Readonly<Record<string, string>> = {
  x: "position_x",
  y: "position_y",
  positionX: "position_x",
  positionY: "position_y"
}

/** Whether it is the column of one of these channels. */
const isOf = (some: ReadonlyArray<Channel>, column: string) =>
  some.some((channel) => channel === (channelOf[column] ?? column))

/** Where a result has a value that is not a number, except in columns of channels that are absent. */
const wrongIn = (result: unknown, undeclared: ReadonlyArray<Channel>) =>
  unspeakable(result).filter((found) => {
    const name = /\.(\w+)\.\d+: NaN$/.exec(found)?.[1] ?? ""
    return !isOf(undeclared, name)
  })

const missing = {
  compare: ["speed", "gear", "throttle", "brake", "steering", "position_x", "position_y"],
  anomalies: ["speed", "rpm", "gear", "throttle", "brake", "steering", "position_x", "position_y"],
  placing: ["speed", "position_x", "position_y"]
} as const

const bitsOf = ({ buffer, byteLength, byteOffset }: Float64Array) =>
  Buffer.from(buffer, byteOffset, byteLength)

const task = (laps: ReadonlyArray<LapData>) => ({
  laps: laps.map(({ lap, points }) => ({ lap, points: toThread(points), around: [] }))
})

describe.each(Object.entries(cases))("without %s", (_name, undeclared) => {
  const laps = without(session, ...undeclared)
  const named = (used: ReadonlyArray<Channel>) =>
    channels.filter((channel) => undeclared.includes(channel) && used.includes(channel))

  it("every analysis gives results that JSON can represent", () => {
    expect(wrongIn(allAnalyses(laps), undeclared)).toEqual([])
    // Also if only one of the laps lacks it, the fastest or another.
    const fastest = laps.findIndex((_, l) =>
      session.every(({ lap }) => lap.lapTime! >= session[l]!.lap.lapTime!)
    )
    for (const only of [fastest, (fastest + 1) % laps.length]) {
      const one = session.map((lap, l) => (l === only ? laps[l]! : lap))
      expect(wrongIn(allAnalyses(one), undeclared)).toEqual([])
    }
  })

  it("every analysis names the channels that were missing", () => {
    expect(compareTraced(laps).missingChannels).toEqual(named(missing.compare))
    expect(sessionAnomalies(1, laps).missingChannels).toEqual(named(missing.anomalies))
    expect(sectorAnalysis(laps[1]!, lapsOf(laps)).missingChannels).toEqual(named(missing.placing))
    expect(Computations.microSectors(task(laps)).missingChannels).toEqual(named(missing.placing))
    const alike = Computations.consistency({ ...task(laps), session: lapsOf(laps) })
    expect(alike.missingChannels).toEqual(named(missing.placing))
  })

  it("the results for all other channels stay the same", () => {
    // Otherwise the laps are placed by the remaining channels.
    if (missing.placing.some((channel) => undeclared.includes(channel))) return
    const found = compareTraced(laps).traces
    // Compared by bits: value by value it takes a second a channel.
    const changed = whole.traces.flatMap((trace, l) =>
      Object.entries(trace).flatMap(([name, wanted]) => {
        const value: unknown = found[l]![name as keyof typeof trace]
        if (!(wanted instanceof Float64Array)) return Object.is(value, wanted) ? [] : [`${name} of lap ${l}`]
        const column = isOf(undeclared, name) ? wanted.map(() => ABSENT) : wanted
        return value instanceof Float64Array && bitsOf(value).equals(bitsOf(column))
          ? []
          : [`${name} of lap ${l}`]
      })
    )
    expect(changed).toEqual([])
  })

  it("no lap has a new anomaly", () => {
    const { anomalies } = sessionAnomalies(1, laps)
    for (const { channel } of anomalies) expect(undeclared).not.toContain(channel)
    // Otherwise they are at other distances along the way.
    if (missing.placing.some((channel) => undeclared.includes(channel))) return
    expect(wholeAnomalies).toEqual(expect.arrayContaining(anomalies.map(({ description }) => description)))
  })
})

const passes = ({ corners }: TracedComparison) => corners.flatMap((corner) => corner.passes)

describe("a corner", () => {
  it("has no braking point if the brake is absent, even if the speed shows where the car slows", () => {
    expect(passes(whole).some(({ brakingPoint }) => brakingPoint !== null)).toBe(true)
    for (const laps of [without(session, "brake"), acc]) {
      const comparison = compareTraced(laps)
      expect(comparison.corners).toHaveLength(whole.corners.length)
      expect(passes(comparison).every(({ brakingPoint }) => brakingPoint === null)).toBe(true)
      expect(comparison.losses.map(({ cause }) => cause)).not.toContain("braking")
      expect(comparison.suggestions.join()).not.toMatch(/brak/)
      expect(passes(comparison).every(({ minimumSpeed }) => minimumSpeed! > 0)).toBe(true)
    }
  })

  it("has no braking point as a cause if only the fastest lap lacks the brake", () => {
    const fastest = session.findIndex(({ lap }) => lap.id === whole.fastestLapId)
    const laps = session.map((lap, l) => (l === fastest ? without([lap], "brake")[0]! : lap))
    const comparison = compareTraced(laps)
    expect(comparison.missingChannels).toEqual(["brake"])
    expect(comparison.suggestions.join()).not.toMatch(/brak/)
    const reported = passes(comparison).filter(({ lapId }) => lapId !== whole.fastestLapId)
    expect(reported.some(({ brakingPoint }) => brakingPoint !== null)).toBe(true)
  })

  it("has no throttle point if the throttle is absent", () => {
    const comparison = compareTraced(without(session, "throttle"))
    expect(passes(comparison).every(({ throttlePoint }) => throttlePoint === null)).toBe(true)
    expect(comparison.losses.map(({ cause }) => cause)).not.toContain("throttle")
  })

  it("has times, but no speeds and nothing that depends on speeds, if the speed is absent", () => {
    const comparison = compareTraced(without(session, "speed"))
    expect(comparison.method).toBe("positions")
    expect(comparison.corners).toHaveLength(whole.corners.length)
    for (const [k, pass] of passes(comparison).entries()) {
      const { apexSpeed, brakingPoint, entrySpeed, exitSpeed, minimumSpeed, minimumSpeedAt } = pass
      const speeds = [entrySpeed, apexSpeed, exitSpeed, minimumSpeed, minimumSpeedAt]
      expect([...speeds, brakingPoint, pass.throttlePoint]).toEqual(Array(7).fill(null))
      // By positions alone, times are accurate to some milliseconds.
      expect(Math.abs(pass.time! - passes(whole)[k]!.time!)).toBeLessThan(0.01)
    }
    expect(comparison.losses).toEqual([])
    expect(comparison.closure.map(({ explained }) => explained)).toEqual(session.map(() => null))
    for (const [l, { total }] of comparison.closure.entries()) {
      expect(Math.abs(total! - whole.closure[l]!.total!)).toBeLessThan(0.01)
    }
  })
})

describe("without speed and positions", () => {
  const laps = without(session, "speed", ...positions)

  it("laps cannot be compared place by place, and have no speeds", () => {
    const comparison = compareTraced(laps)
    expect(comparison).toMatchObject({ method: null, traces: [], corners: [], losses: [] })
    expect(comparison.closure[0]).toMatchObject({
      trusted: false,
      reason: "the laps tell neither positions nor speeds to be compared by"
    })
    const { sectors } = sectorAnalysis(laps[1]!, lapsOf(laps))
    for (const { speedAvg, speedMax, time } of sectors) {
      expect([speedAvg, speedMax]).toEqual([null, null])
      expect(time).toBeGreaterThan(0)
    }
  })

  it("the results by the clock stay the same", () => {
    const slow = laps.map((data, l) =>
      l === 3 ? { ...data, lap: { ...data.lap, lapTime: data.lap.lapTime! + 9 } } : data
    )
    const { anomalies } = sessionAnomalies(1, slow)
    expect(anomalies.map(({ lapId, type }) => [lapId, type])).toContainEqual([slow[3]!.lap.id, "slow_lap"])
  })
})

/** Streams merged at their own rates: a point has the channels of its stream. */
const partly = (undeclared: (i: number) => ReadonlyArray<Channel>) =>
  session.map((lap) => {
    const copy = copyOf(lap)
    for (let i = 0; i < copy.points.length; i++) {
      for (const channel of undeclared(i)) copy.points.column(channel)[i] = ABSENT
    }
    return copy
  })

describe("laps of which each point has some of the channels", () => {
  it.each<readonly [string, (i: number) => ReadonlyArray<Channel>]>([
    ["positions and speeds in turn", (i) => (i % 2 === 0 ? positions : ["speed", "brake", "gear"])],
    ["two in three without a position", (i) => (i % 3 === 0 ? [] : positions)],
    ["two in three without a speed", (i) => (i % 3 === 0 ? [] : ["speed"])],
    ["0.7 s without a position now and then", (i) => (i % 200 < 7 ? positions : [])]
  ])("are compared by all channels, with %s", (_name, undeclared) => {
    const comparison = compareTraced(partly(undeclared))
    expect(comparison.method).toBe("positions")
    expect(comparison.closure.flatMap(({ unsound }) => unsound)).toEqual([])
    for (const [l, { positionX, speed, timeDelta, timeDeltaUncertainty }] of comparison.traces.entries()) {
      const wanted = whole.traces[l]!.timeDelta
      const off = timeDelta.map((delta, n) => Math.abs(delta - wanted[n]!))
      expect(off.every((by) => by < 0.05)).toBe(true)
      const within = off.filter((by, n) => by <= timeDeltaUncertainty[n]! + 0.001).length
      expect(within / off.length).toBeGreaterThan(0.9)
      for (const column of [speed, positionX]) expect(column.some(Number.isNaN)).toBe(false)
    }
  })
})

describe("the distance driven", () => {
  const [{ points }] = session as [LapData]
  const driven = metresOf(points)
  const lap = (...undeclared: ReadonlyArray<Channel>) => without([session[0]!], ...undeclared)[0]!.points

  it("comes from the speed, else from the positions, else there is none", () => {
    expect(metresOf(lap("position_x", "position_y"))).toBe(driven)
    expect(Math.abs(metresOf(lap("speed")) / driven - 1)).toBeLessThan(0.005)
    expect(metresOf(lap("speed", ...positions))).toBe(0)
  })

  it("goes on over points without speed, positions or both, wherever they are", () => {
    for (const undeclared of [["speed"], positions, ["speed", ...positions]] as const) {
      for (const keep of [2, 3, 5]) {
        const some = lap()
        for (const channel of undeclared) {
          const column = some.column(channel)
          for (let i = 0; i < column.length; i++) if (i % keep !== 0) column[i] = ABSENT
        }
        expect(Math.abs(metresOf(some) / driven - 1)).toBeLessThan(0.005)
      }
    }
  })

  it("follows the positions where the speed is absent for a part", () => {
    const half = lap()
    half.column("speed").fill(ABSENT, half.length >> 1)
    expect(Math.abs(metresOf(half) / driven - 1)).toBeLessThan(0.02)
    const later = lap()
    later.column("speed").fill(ABSENT, 0, later.length >> 1)
    expect(Math.abs(metresOf(later) / driven - 1)).toBeLessThan(0.02)
  })

  it("does not depend on how the points are cut into batches", () => {
    const some = lap()
    const speed = some.column("speed")
    for (let i = 0; i < speed.length; i++) if (i % 7 < 3) speed[i] = ABSENT
    expect(metresOf(RowBatch.concat([some.slice(0, 101), some.slice(101, some.length)]))).toBe(metresOf(some))
  })
})
