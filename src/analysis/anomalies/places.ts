/**
 * The session's other comparable laps at the same place: the median and spread of speed, brake and deceleration, node
 * by node, without the judged lap (leave one out), so that no lap hides its own deviation.
 */
import { lowerBound } from "../../domain/RowBatch.ts"
import type { LapOnGrid } from "../place/alignment.ts"
import { baselineOf, baselineWithout } from "../math/robust.ts"
import { NINE_IN_TEN } from "../compare/trust.ts"
import type { Cost } from "./cost.ts"
import { tailSigma, usuallyWithin } from "./fewLaps.ts"
import type { LapEvidence, SessionEvidence } from "./evidence.ts"
import { LAUNCH_M, LAUNCH_SHARE } from "../lapKinds/placedLaps.ts"
import { MIN_OTHERS } from "./times.ts"

/** A column over nodes, compared with the others at each node. */
export interface ComparedColumn {
  readonly centre: Float64Array
  readonly sigma: Float64Array
  /** The number of others; fewer than 2 are no baseline. */
  readonly count: Int32Array
}

export interface JudgedLap {
  readonly evidence: LapEvidence
  readonly onGrid: LapOnGrid
  /** 1 where the lap has points of its own, is past its launch, and was driven at its own pace. */
  readonly known: Uint8Array
  /** m/s^2, positive when slowing. */
  readonly slowing: Float64Array
  readonly speed: ComparedColumn
  readonly brake: ComparedColumn
  readonly slowed: ComparedColumn
  /** The node up to which the lap was getting up to speed; 0 for a lap that began at speed. */
  readonly launched: number
}

export interface Places {
  readonly step: number
  readonly distance: Float64Array
  readonly laps: ReadonlyArray<JudgedLap>
  readonly costBetween: (lap: LapOnGrid, from: number, to: number) => Cost | null
}

/** The cost of an event on a lap from one instant to another (epoch s), until its effect was over. */
export type CostOf = (lapId: number, from: number, to: number) => Cost | null

/** A launched lap is up to speed when it reaches this share; at the latest after LAUNCH_M. */
const UP_TO_SPEED = 0.98
/**
 * The maximum spread of times over a stretch, as a share, where laps are at pace but too few to show their true spread.
 */
const MAX_SPREAD = 0.02
/** Deceleration is measured over this distance on either side, m: it evens out the speed noise of a 10 Hz feed. */
const SLOWING_M = 10

const slowingOf = (speed: Float64Array, step: number): Float64Array => {
  const reach = Math.max(1, Math.round(SLOWING_M / step))
  const slowing = new Float64Array(speed.length)
  for (let k = 0; k < slowing.length; k++) {
    const a = Math.max(0, k - reach)
    const b = Math.min(speed.length - 1, k + reach)
    const before = speed[a]! / 3.6
    const after = speed[b]! / 3.6
    slowing[k] = (before * before - after * after) / (2 * (b - a) * step)
  }
  return slowing
}

/**
 * Nodes with the lap's own speed, where it was driven at its own pace. A place that only the positions do not know is
 * bridged by the speed.
 */
const knownNodes = (
  { unsound }: LapOnGrid,
  distance: Float64Array,
  { known: { interruptions } }: LapEvidence
): Uint8Array => {
  const known = new Uint8Array(distance.length).fill(1)
  for (const { from, lacks, to } of unsound) {
    if (lacks !== "speed" && lacks !== "points") continue
    for (let k = 0; k < known.length; k++) if (distance[k]! >= from && distance[k]! <= to) known[k] = 0
  }
  for (const { from, to } of interruptions) known.fill(0, from, to + 1)
  return known
}

interface Row {
  readonly values: Float64Array
  readonly known: Uint8Array
  readonly counts: boolean
}

const counted = ({ counts, known, values }: Row, k: number): boolean =>
  counts && known[k] === 1 && !Number.isNaN(values[k])

/** A lap's values as they would be at the session's middle pace, or back. */
const scaled = (values: Float64Array, factor: number): Float64Array =>
  factor === 1 ? values : values.map((value) => value * factor)

/** Compares each row with the others that count, node by node; a lap whose value is absent there does not count. */
const compare = (rows: ReadonlyArray<Row>, nodes: number): ReadonlyArray<ComparedColumn> => {
  const result = rows.map(() => ({
    centre: new Float64Array(nodes),
    sigma: new Float64Array(nodes),
    count: new Int32Array(nodes)
  }))
  const gathered = new Float64Array(rows.length)
  const all = { centre: Number.NaN, sigma: Number.NaN, count: 0 }
  const others = { ...all }
  for (let k = 0; k < nodes; k++) {
    let size = 0
    for (const row of rows) if (counted(row, k)) gathered[size++] = row.values[k]!
    const sorted = gathered.subarray(0, size).sort()
    baselineWithout(sorted, size, -1, all)
    // Pedals are often equal on many laps, which then have the same others.
    let without = -1
    for (let r = 0; r < rows.length; r++) {
      const row = rows[r]!
      const isOne = counted(row, k)
      const own = isOne ? lowerBound(sorted, row.values[k]!) : without
      if (own !== without) baselineWithout(sorted, size, own, others)
      without = own
      const { centre, count, sigma } = isOne ? others : all
      result[r]!.centre[k] = centre
      result[r]!.sigma[k] = sigma
      result[r]!.count[k] = count
    }
  }
  return result
}

/** The node at which a lap that began slowly was up to the others' speed. */
const launchOf = (speed: Float64Array, others: ComparedColumn, most: number): number => {
  if (!(others.count[0]! >= MIN_OTHERS) || speed[0]! >= LAUNCH_SHARE * others.centre[0]!) return 0
  let k = 0
  while (k < most && speed[k]! < UP_TO_SPEED * others.centre[k]!) k++
  return k
}

export const places = ({ alignment, enough, laps, levelOf }: SessionEvidence): Places | undefined => {
  if (alignment === undefined || !enough) return undefined
  const { distance, step } = alignment.grid
  const nodes = distance.length
  const placed = laps.flatMap((evidence) =>
    evidence.onGrid === undefined ? [] : [{ evidence, onGrid: evidence.onGrid }]
  )
  const known = placed.map(({ evidence, onGrid }) => knownNodes(onGrid, distance, evidence))
  // A lap whose positions do not lead from line to line has no places; one with faults has places between them.
  const counts = placed.map(({ evidence, onGrid }) => evidence.comparable && onGrid.complete)
  // Fuel and tyres change the pace: each lap is held against the others as they would be at its own pace.
  const level = placed.map(({ onGrid }) => levelOf(onGrid.lap.id))
  /** `power`: with which power of the pace the values grow. */
  const rows = (values: (l: number) => Float64Array, power: number) =>
    compare(
      placed.map((_, l) => ({
        values: scaled(values(l), level[l]! ** power),
        known: known[l]!,
        counts: counts[l]!
      })),
      nodes
    ).map(({ centre, count, sigma }, l): ComparedColumn => ({
      centre: scaled(centre, level[l]! ** -power),
      sigma: scaled(sigma, level[l]! ** -power),
      count
    }))
  const slowing = placed.map(({ onGrid }) => slowingOf(onGrid.speed, step))
  const speed = rows((l) => placed[l]!.onGrid.speed, 1)
  const brake = rows((l) => placed[l]!.onGrid.brake, 0)
  const slowed = rows((l) => slowing[l]!, 2)
  const costBetween = (lap: LapOnGrid, from: number, to: number): Cost | null => {
    const others: Array<number> = []
    const own = levelOf(lap.lap.id)
    placed.forEach(({ onGrid }, l) => {
      if (counts[l]! && onGrid !== lap)
        others.push((onGrid.time[to]! - onGrid.time[from]!) * (own / level[l]!))
    })
    if (others.length < MIN_OTHERS) return null
    const { centre, count, sigma } = baselineOf(others)
    const spread = Math.max(sigma, tailSigma(others))
    const usual = usuallyWithin(count, spread, MAX_SPREAD * centre)
    const clock = Math.hypot(lap.deviation[from]!, lap.deviation[to]!)
    return {
      seconds: lap.time[to]! - lap.time[from]! - centre,
      uncertainty: Math.hypot(usual, NINE_IN_TEN * clock),
      deviation: Math.hypot(spread, clock),
      laps: count
    }
  }
  const judged = placed.map(({ evidence, onGrid }, l): JudgedLap => {
    const launched = !evidence.begins
      ? 0
      : launchOf(onGrid.speed, speed[l]!, Math.min(nodes - 1, Math.round(LAUNCH_M / step)))
    known[l]!.fill(0, 0, launched)
    return {
      evidence,
      onGrid,
      known: known[l]!,
      slowing: slowing[l]!,
      speed: speed[l]!,
      brake: brake[l]!,
      slowed: slowed[l]!,
      launched
    }
  })
  return { step, distance, laps: judged, costBetween }
}
