/**
 * Measures the figures that docs/analysis/method.md quotes, and prints them by its sections; half a minute.
 *
 *   npm run node tools/docs/measureAnalysis.ts
 *
 * Those of predictions are measured by `npm run measure:predictions`.
 * Truth is the bundled simulator's model, an official time, or another method.
 *
 * Over 250 lines: a table of figures, in the order of the page that quotes them.
 */
import { align, type Alignment, type LapData } from "../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../src/analysis/anomalies/anomalies.ts"
import { compareTraced } from "../../src/analysis/compare/comparison.ts"
import { consistency } from "../../src/analysis/compare/consistency.ts"
import { analyseCorners, at } from "../../src/analysis/corners/cornerTimes.ts"
import { cornerOptions, type CornerOptions, findCorners } from "../../src/analysis/corners/corners.ts"
import type { MicroSectors } from "../../src/analysis/compare/microSectors.ts"
import { microSectors } from "../../src/analysis/compare/microSectors.ts"
import { median, quantile, robustSigma } from "../../src/analysis/math/robust.ts"
import { sectorAnalysis } from "../../src/analysis/compare/sectors.ts"
import { metresOf } from "../../src/analysis/place/odometer.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import { lowerBound } from "../../src/domain/RowBatch.ts"
import { circuitNames } from "../../simulator/model/Circuit.ts"
import { LEAD } from "../../simulator/model/plan.ts"
import { drive, drivenLap } from "../../test/analysis/lapData.ts"
import { heldCorners } from "../../test/analysis/heldCorners.ts"
import { portlandLaps } from "../../test/analysis/portland.ts"
import { drivenLaps, withoutMistake } from "../../test/analysis/sessions.ts"
import {
  brakedEarly,
  brakingsOf,
  carriedLess,
  lapOf,
  profileOf,
  timesOf
} from "../../test/analysis/syntheticLap.ts"
import {
  atPace,
  bahrain as readBahrain,
  caseLaps,
  lapNumbered,
  limeRock as readLimeRock,
  needSharedData,
  readTrack,
  recordsOf,
  roadAmerica as readRoadAmerica,
  studied,
  withoutPositions
} from "./sharedData.ts"

needSharedData()

const section = (name: string) => console.log(`\n${name}`)
const say = (what: string, figures: string) => console.log(`  ${what.padEnd(70)} ${figures}`)
const ms = (seconds: number) => `${(seconds * 1000).toFixed(1)} ms`
const percent = (share: number) => `${(100 * share).toFixed(1)} %`
/** Infinity if one of them is unknown. */
const sum = (values: ReadonlyArray<number | null>) => values.reduce<number>((a, b) => a + (b ?? Infinity), 0)
const worstOf = (values: ReadonlyArray<number>) => Math.max(...values.map(Math.abs))
const sizes = (values: ReadonlyArray<number>) => {
  const row = values.map(Math.abs)
  return `median ${ms(median(row))}, 95 % ${ms(quantile(row, 0.95))}, worst ${ms(worstOf(row))} of ${row.length}`
}

const bahrain = readBahrain()
const america = readRoadAmerica()
const limeRock = readLimeRock()
const recordings = [
  ["Bahrain", bahrain],
  ["Road America", america],
  ["Lime Rock", limeRock]
] as const
const everyRecording = [...recordings, ["Portland", portlandLaps()]] as const
section("alignment")

/** The difference of each lap's time to the model's, at every 40th node of the circuit, at the same place as the reference. */
const offTheModel = (name: string, rate: number, positions: boolean): ReadonlyArray<number> => {
  const from = drive(name)
  // With a mistake a car leaves the line, where the same place is less well defined.
  const numbers = [2, 3, 4, 5, 6, 7, 8].filter((lap) => from.lap(lap).mistake === undefined)
  const driven = numbers.map((lap) => drivenLap(from, lap, rate))
  const { grid, laps, reference } = align(positions ? driven : driven.map(withoutPositions))!
  const own = from.trace(reference.lap.lapNumber).time
  return laps.flatMap((lap) => {
    if (lap === reference) return []
    const { time } = from.trace(lap.lap.lapNumber)
    const errors: Array<number> = []
    for (let n = 40, place = 1; n < from.options.circuit.nodes; n += 40) {
      while (reference.time[place]! < own[LEAD + n]!) place++
      const rise = reference.time[place]! - reference.time[place - 1]!
      const share = (own[LEAD + n]! - reference.time[place - 1]!) / rise
      errors.push(at(lap.time, grid.step, (place - 1 + share) * grid.step) - time[LEAD + n]!)
    }
    return errors
  })
}
for (const rate of [60, 10]) {
  for (const positions of [true, false]) {
    const off = ["Hollin Moor", "Port Averno", "Cinder Bowl"].flatMap((name) =>
      offTheModel(name, rate, positions)
    )
    say(`simulator at ${rate} Hz, by ${positions ? "positions" : "speed"}, against the model`, sizes(off))
  }
}

/** Each timed lap's time at the median place of each sector line, less its official time there. */
const offTheSectorLines = ({ grid, laps }: Alignment): ReadonlyArray<ReadonlyArray<number>> => {
  const timed = laps.filter(({ lap }) => lap.valid && lap.lapTime! < 104 && lap.sector1Time !== null)
  const lines = [
    (lap: RecordedLap) => lap.sector1Time!,
    (lap: RecordedLap) => lap.sector1Time! + lap.sector2Time!
  ]
  return lines.map((official) => {
    const places = timed.map(({ lap, time }) => {
      const after = lowerBound(time, official(lap))
      const rise = time[after]! - time[after - 1]!
      return (after - 1 + (official(lap) - time[after - 1]!) / rise) * grid.step
    })
    return timed.map(({ lap, time }) => at(time, grid.step, median(places)) - official(lap))
  })
}
for (const [method, laps] of [
  ["positions", bahrain],
  ["speed", bahrain.map(withoutPositions)]
] as const) {
  offTheSectorLines(align(laps)!).forEach((off, l) =>
    say(`Bahrain by ${method}, at sector line ${l + 1}, against the official time`, sizes(off))
  )
}

const gridded = (step: number) => {
  const { grid, laps } = align(
    [2, 4].map((lap) => drivenLap(drive(), lap)),
    step
  )!
  return { step: grid.step, delta: laps[0]!.time.map((time, n) => time - laps[1]!.time[n]!) }
}
const [rough, fine] = [gridded(3.7), gridded(0.5)]
const moved = Array.from(rough.delta, (delta, n) => delta - at(fine.delta, fine.step, n * rough.step))
say("simulator: a grid of 3.7 m against one of 0.5 m", `${(1e6 * worstOf(moved)).toFixed(1)} us at most`)

section("without positions, and how far a delta can be believed")

const isIn = ({ from, to }: { readonly from: number; readonly to: number }, at: number) =>
  at >= from && at <= to

/** Pairs of real laps at pace, compared without their positions and with them, at 100 places each. */
const sayOffBySpeed = (name: string, pairs: ReadonlyArray<ReadonlyArray<LapData>>) => {
  const off: Array<number> = []
  const sound: Array<number> = []
  const widths: Array<number> = []
  let within = 0
  for (const pair of pairs) {
    const [seen, unseen] = [compareTraced(pair, 5), compareTraced(pair.map(withoutPositions), 5)]
    const k = seen.closure.findIndex(({ lapId }) => lapId !== seen.fastestLapId)
    const [wanted, reported] = [seen.traces[k]!, unseen.traces[k]!]
    for (let share = 0; share < 100; share++) {
      const m = Math.round((share / 100) * (wanted.distance.length - 1))
      const n = Math.round((share / 100) * (reported.distance.length - 1))
      if (seen.closure[k]!.unsound.some((one) => isIn(one, wanted.distance[m]!))) continue
      const error = Math.abs(reported.timeDelta[n]! - wanted.timeDelta[m]!)
      // Laps have no delta where one of them was not recorded.
      if (Number.isNaN(error)) continue
      off.push(error)
      widths.push(reported.timeDeltaUncertainty[n]!)
      if (error <= Math.hypot(reported.timeDeltaUncertainty[n]!, wanted.timeDeltaUncertainty[m]!)) within++
      if (!unseen.closure[k]!.unsound.some((one) => isIn(one, reported.distance[n]!))) sound.push(error)
    }
  }
  say(`${name}: off by speed`, sizes(off))
  say(`${name}: of them where it is sound`, sizes(sound))
  say(`${name}: within the uncertainty; its median`, `${percent(within / off.length)}; ${ms(median(widths))}`)
}
for (const [name, laps] of [
  ...everyRecording,
  // No constant was chosen on these.
  ...["pitstop-monaco", "race-monaco"].map((name) => [name, caseLaps(name)] as const)
]) {
  const [best, ...others] = studied(laps)
  const count = `${name}, ${others.length + 1} laps`
  sayOffBySpeed(
    `${count}, each with the next`,
    others.map((lap, n) => [others[n - 1] ?? best!, lap])
  )
  sayOffBySpeed(
    `${count}, each with the best`,
    others.map((lap) => [best!, lap])
  )
}

section("delta and closure")

const closing = (laps: ReadonlyArray<LapData>, step?: number) => {
  const { closure, fastestLapId } = compareTraced(laps, step)
  return closure.map((one) => ({ ...one, fastest: one.lapId === fastestLapId }))
}
const sectorsOf = (closure: ReturnType<typeof closing>) =>
  closure.flatMap(({ fastest, sector1, sector2, sector3 }) => (fastest ? [] : [sector1!, sector2!, sector3!]))
say(
  "simulator at 60 Hz, five circuits: sectors",
  sizes(
    circuitNames.flatMap((name) => {
      const from = drive(name)
      return sectorsOf(closing([2, 3, 4, 5, 6].map((lap) => drivenLap(from, lap))))
    })
  )
)
const pace = atPace(america)
const totals = pace.flatMap((lap, i) =>
  pace.slice(i + 1).map((other) => closing([lap, other], 5).find(({ fastest }) => !fastest)!.total!)
)
say(`Road America, ${pace.length} laps at pace, each with each: lap`, sizes(totals))
say(
  "Bahrain: sectors of laps under 104 s",
  sizes(sectorsOf(closing(bahrain).filter(({ official }) => (official ?? Infinity) < 104)))
)
for (const [name, laps] of recordings) {
  const closure = closing(laps)
  const reasons = closure.flatMap(({ reason }) => (reason === null ? [] : reason.replaceAll(/[\d.]+/g, "#")))
  const reported = [...new Set(reasons)].map((one) => `${reasons.filter((r) => r === one).length} x ${one}`)
  say(`${name}: trusted ${closure.length - reasons.length} of ${closure.length}`, reported.join("; "))
}

section("corners")

const official = [
  ["Monza", 11],
  ["Spa", 19],
  ["Silverstone", 18],
  ["Suzuka", 18],
  ["Sakhir", 15],
  ["Spielberg", 10]
] as const
const countOf = (name: string, options: CornerOptions) => {
  const { distance, length, x, y } = readTrack(name)
  return findCorners(x, y, distance, length, options).length
}
for (const [name, count] of official) {
  say(`${name}, centre line: found, official`, `${countOf(name, cornerOptions)}, ${count}`)
}
const around = [8, 10, 12].flatMap((smoothing) =>
  [200, 225, 250, 300].flatMap((radius) =>
    [15, 20, 30].map((merge) => {
      const options = { ...cornerOptions, smoothing, bend: 1 / radius, straight: 0.5 / radius, merge }
      return official.map(([name, count]) => Math.abs(countOf(name, options) - count))
    })
  )
)
say(
  `constants around these, ${around.length} sets: most that a circuit is off`,
  String(Math.max(...around.flat()))
)
const leftOut = official.map((_, c) => {
  const others = around.map((off) => sum(off.filter((_, other) => other !== c)))
  return around[others.indexOf(Math.min(...others))]![c]!
})
say("the set that is best on the other five circuits: how far each is off", leftOut.join(", "))
for (const [name, laps, official] of [
  ["Bahrain", bahrain, 15],
  ["Road America", america, 14],
  ["Lime Rock", limeRock, 8]
] as const) {
  const { grid, reference } = align(laps)!
  const found = findCorners(reference.x, reference.y, grid.distance, grid.length)
  say(`${name}, line driven: found, official`, `${found.length}, ${official}`)
}

section("corners without positions")

const metres = (values: ReadonlyArray<number>) => {
  const row = values.map(Math.abs)
  const [half, most, worst] = [median(row), quantile(row, 0.95), Math.max(...row)].map((one) =>
    one.toFixed(0)
  )
  return `median ${half}, 95 % ${most}, worst ${worst} m of ${row.length}`
}
for (const [name, laps] of everyRecording) {
  const chosen = studied(laps)
  const { found, fromTable, wanted, wrong } = heldCorners(chosen, chosen.map(withoutPositions))
  const missed = wanted.filter((one) => one.found === undefined).map(({ label }) => label)
  const off = (of: (one: (typeof wanted)[number]) => number) =>
    metres(wanted.flatMap((one) => (one.found === undefined ? [] : [one.found - of(one)])))
  say(
    `${name}, ${chosen.length} laps: found; slowing by the positions, missed; wrong`,
    `${found.length}; ${wanted.length}, ${missed.length} (${missed.join(", ")}); ${wrong.length}`
  )
  say(
    `${name}: from the slowest place by positions`,
    off(({ slowest }) => slowest)
  )
  say(
    `${name}: from the middle of the bend`,
    off(({ apex }) => apex)
  )
  if (fromTable.length > 0) say(`${name}: from the nearest corner of the circuit's table`, metres(fromTable))
  // All pairs of consecutive laps, as a comparison of two has no more.
  let held = 0
  let wrongs = 0
  let wants = 0
  for (let l = 1; l < chosen.length; l++) {
    const pair = [chosen[l - 1]!, chosen[l]!]
    const one = heldCorners(pair, pair.map(withoutPositions))
    wants += one.wanted.length
    held += one.wanted.filter((corner) => corner.found !== undefined).length
    wrongs += one.wrong.length
  }
  say(
    `${name}, ${chosen.length - 1} pairs: of the corners that slow found; wrong`,
    `${held} of ${wants}; ${wrongs}`
  )
}
/** Losses in corners that were found by speed, compared with the losses between the same places by positions. */
for (const [name, laps] of everyRecording) {
  const chosen = studied(laps)
  const off: Array<number> = []
  let within = 0
  let without = 0
  for (let l = 1; l < chosen.length; l++) {
    const pair = [chosen[l - 1]!, chosen[l]!]
    const unseen = align(pair.map(withoutPositions))!
    const [seen, reported] = [compareTraced(pair), compareTraced(pair.map(withoutPositions))]
    const best = unseen.laps.findIndex(({ lap }) => lap.id === reported.fastestLapId)
    const { sections } = analyseCorners(unseen, unseen.laps[best]!)
    const [truth, own] = [seen, reported].map(({ fastestLapId, traces }) =>
      traces.find(({ lapId }) => lapId !== fastestLapId)!
    )
    if (reported.losses.length === 0) without++
    for (const { seconds } of reported.losses) {
      const section = sections[1 - best]!.find(({ lost }) => lost === seconds)
      if (section === undefined) continue
      const scale = truth!.distance.at(-1)! / unseen.grid.length
      const step = truth!.distance[1]!
      const delta = (place: number) => at(truth!.timeDelta, step, place * scale)
      const error = seconds - (delta(section.to) - delta(section.from))
      if (Number.isNaN(error)) continue
      const known = (place: number) => at(own!.timeDeltaUncertainty, unseen.grid.step, place)
      off.push(error)
      if (Math.abs(error) <= Math.hypot(known(section.from), known(section.to))) within++
    }
  }
  say(`${name}, ${chosen.length - 1} pairs, ${without} without a loss: losses by speed are off`, sizes(off))
  say(`${name}: within their uncertainty`, `${within} of ${off.length}`)
}

section("losses and suggestions")

for (const [fault, cause] of [
  ["braking 20 m early", "braking"],
  ["8 km/h less in a corner", "minimum speed"]
] as const) {
  for (const rate of [60, 10]) {
    const cases = circuitNames.flatMap((name) => {
      const profile = profileOf(drive(name), 3)
      return brakingsOf(profile).map((braking) => {
        const worse =
          cause === "braking" ? brakedEarly(profile, braking, 20) : carriedLess(profile, braking, 8 / 3.6)
        const lost = timesOf(worse).at(-1)! - timesOf(profile).at(-1)!
        const { corners, losses } = compareTraced([lapOf(profile, 1, rate), lapOf(worse, 2, rate)])
        const away = ({ apex }: { readonly apex: number }) => Math.abs(apex - braking.slowest)
        const nearest = corners.toSorted((a, b) => away(a) - away(b))[0]!.number
        const first = losses[0]!
        return { right: first.cause === cause && first.corner === nearest, off: first.seconds / lost - 1 }
      })
    })
    say(
      `${fault}, ${rate} Hz: right corner and cause; seconds off`,
      `${cases.filter(({ right }) => right).length} of ${cases.length}; ` +
        `worst ${percent(worstOf(cases.map(({ off }) => off)))}`
    )
  }
}
const alignment = align(pace)!
const rest = analyseCorners(alignment, alignment.reference).sections.map((row, l) => {
  const delta = alignment.laps[l]!.time.at(-1)! - alignment.reference.time.at(-1)!
  return sum(row.map(({ lost }) => lost)) - delta
})
say(
  "Road America: losses and gains less the delta at the line",
  `${worstOf(rest).toExponential(0)} s at most`
)

section("sectors and micro-sectors")

const feasibleOf = ({
  feasibleBest,
  feasibleBestReason
}: Pick<MicroSectors, "feasibleBest" | "feasibleBestReason">): string =>
  feasibleBest === null
    ? feasibleBestReason!
    : `pieces ${feasibleBest.piecesTime.toFixed(3)}, time ${feasibleBest.time.toFixed(3)} ` +
      `(${feasibleBest.interval.map((end) => end.toFixed(3)).join(" to ")}) s, ${feasibleBest.joints.length} joints`

const best = sectorAnalysis(lapNumbered(bahrain, 15), recordsOf(bahrain))
say("Bahrain: theoretical best", `${best.theoreticalBest} s`)
for (const [name, laps] of recordings) {
  const placed = align(studied(laps))!
  const { step } = placed.grid
  for (const pieces of [undefined, 10, 40, 160]) {
    const { bounds, laps: donors, theoreticalBest, ...found } = microSectors(placed, pieces)!
    const least = Math.min(
      ...laps.flatMap(({ lap }) => (donors.some(({ lapId }) => lapId === lap.id) ? lap.lapTime! : []))
    )
    say(
      `${name}, ${donors.length} laps, ${bounds.length - 1} pieces${pieces === undefined ? " (as served)" : ""}: best lap, naive, feasible`,
      `${least.toFixed(3)}, ${theoreticalBest!.toFixed(3)}, ${feasibleOf(found)}`
    )
  }
  // The same pieces timed by the speed channel alone, without positions, on laps that are sound everywhere.
  const { bounds, laps: all } = microSectors(placed)!
  const donors = all.flatMap(({ lapId, times }) => {
    const known = times.filter((time) => time !== null)
    return known.length === times.length ? [{ lapId, times: known }] : []
  })
  const nodes = bounds.map((bound) => Math.round(bound / step))
  const byClock = donors.map(({ times }) => times)
  const bySpeed = donors.map(({ lapId }) => {
    const { speed } = placed.laps.find(({ lap }) => lap.id === lapId)!
    return nodes.slice(1).map((to, k) => {
      let seconds = 0
      for (let n = nodes[k]!; n < to; n++) seconds += (7.2 * step) / (speed[n]! + speed[n + 1]!)
      return seconds
    })
  })
  const gain = (rows: ReadonlyArray<ReadonlyArray<number>>) =>
    Math.min(...rows.map(sum)) - sum(rows[0]!.map((_, k) => Math.min(...rows.map((row) => row[k]!))))
  say(
    `${name}: a piece by the clock less by speed; naive gain by each`,
    `${ms(robustSigma(byClock.flatMap((row, d) => row.map((time, k) => time - bySpeed[d]![k]!))))}; ` +
      `${gain(byClock).toFixed(3)} and ${gain(bySpeed).toFixed(3)} s`
  )
}
/** Deterministic and nearly normal: the sum of twelve uniforms less six. */
const noise = () => {
  let state = 1
  const uniform = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  return () => sum(Array.from({ length: 12 }, uniform)) - 6
}
const once = drivenLap(drive(), 3, 1200)
for (const jitter of [0, 0.005, 0.015]) {
  const random = noise()
  const fifteen = Array.from({ length: 15 }, (_, i) => {
    // 10 Hz, each with another phase.
    const count = Math.floor(once.points.length / 120) - 1
    const points = once.points.pick(Array.from({ length: count }, (_, k) => k * 120 + i * 8))
    const t = points.timestamps
    for (let k = 0; k < t.length; k++) t[k] = t[k]! + jitter * random()
    return { lap: { ...once.lap, id: i + 1 }, points }
  })
  const { theoreticalBest, ...found } = microSectors(align(fifteen)!)!
  say(
    `one lap sampled 15 times at 10 Hz, clock off by ${jitter * 1000} ms: naive, feasible`,
    `${ms(theoreticalBest! - once.lap.lapTime!)}, ${feasibleOf(found)}`
  )
}

section("anomalies")

const clean = (
  [
    ["Hollin Moor", 0, 60],
    ["Hollin Moor", 1, 10],
    ["Port Averno", 2, 60],
    ["Sankt Arven", 0, 60],
    ["Larkspur Park", 1, 30]
  ] as const
).flatMap(([circuit, vehicle, hz]) =>
  [1, 2, 3, 4].map(
    (seed) =>
      sessionAnomalies(1, drivenLaps({ circuit, vehicle, hz, seed, laps: 20, taken: withoutMistake })).total
  )
)
say(`alarms in ${clean.length} clean simulated sessions of 20 laps`, clean.join(" "))
const drives = ["Hollin Moor", "Port Averno", "Sankt Arven"].flatMap((circuit) =>
  [1, 2, 3, 4].map((seed) => {
    const laps = drivenLaps({ circuit, seed, laps: 30 })
    return { laps, found: sessionAnomalies(1, laps).anomalies }
  })
)
for (const [mistake, type] of [
  ["spin", "lock_up_or_spin"],
  ["wide", "speed_loss"],
  ["lock-up", "lock_up_or_spin"]
] as const) {
  const made = drives.flatMap(({ found, laps }) =>
    laps
      .filter(({ driven }) => driven.mistake === mistake)
      .map(({ lap }) => found.some((one) => one.lapId === lap.id && one.type === type))
  )
  say(
    `simulated mistakes "${mistake}" reported as ${type}`,
    `${made.filter(Boolean).length} of ${made.length}`
  )
}
for (const [name, laps] of recordings) {
  const types = sessionAnomalies(1, laps).anomalies.map(({ type }) => type)
  const reported = [...new Set(types)]
    .sort()
    .map((type) => `${types.filter((t) => t === type).length} ${type}`)
  say(name, reported.join(", "))
}

section("consistency")

const spreads = (name: string, laps: ReadonlyArray<LapData>) => {
  const { line, times } = consistency(recordsOf(laps), align(studied(laps)))
  say(
    `${name}, ${times.laps} laps: deviation plain and robust, of the median`,
    `${times.standardDeviation!.toFixed(3)}, ${times.robustDeviation!.toFixed(3)} s, ${percent(times.relative!)}`
  )
  say(
    `${name}: the line's spread, median and widest`,
    `${line!.median.toFixed(3)} m, ${line!.widest.spread.toFixed(2)} m at ${line!.widest.distance.toFixed(0)} m`
  )
}
for (const [name, laps] of recordings) spreads(name, laps)
const hollin = drive()
const twenty = Array.from({ length: 60 }, (_, i) => i + 2)
  .filter((lap) => hollin.lap(lap).mistake === undefined)
  .slice(0, 20)
spreads(
  "simulator",
  twenty.map((lap) => drivenLap(hollin, lap))
)
const { normalX, normalY, x, y } = hollin.options.circuit
const offsets = twenty.map((lap) => {
  const { path } = hollin.trace(lap)
  return x.map((cx, n) => (path.x[LEAD + n]! - cx) * normalX[n]! + (path.y[LEAD + n]! - y[n]!) * normalY[n]!)
})
const truth = Array.from(x, (_, n) => robustSigma(offsets.map((row) => row[n]!)))
say("simulator: the line's spread in the model, median", `${median(truth).toFixed(3)} m`)

section("the way of a lap")

const ways = atPace(bahrain).map(({ lap, points }) => {
  const t = points.timestamps
  return metresOf(points.slice(lowerBound(t, lap.startTime), lowerBound(t, lap.endTime)))
})
say(
  `Bahrain: the way of a lap at pace, ${ways.length} laps`,
  `${Math.min(...ways).toFixed(0)} to ${Math.max(...ways).toFixed(0)} m, median ${median(ways).toFixed(0)} m`
)
