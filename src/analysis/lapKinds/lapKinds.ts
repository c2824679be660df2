/**
 * Decides what kind of lap each lap is: running, in lap, out lap, start or neutralised, and which parts of it were not
 * driven at the driver's own pace. A channel decides where the session has one (declared.ts), else the laps do.
 */
import type { RecordedLap } from "../../domain/Lap.ts"
import { MAX_GAP_S } from "../../domain/lapLimits.ts"
import { isTimed } from "../compare/comparable.ts"
import { median } from "../math/robust.ts"
import type { Alignment } from "../place/alignment.ts"
import { declaredFlags, declaredStops } from "./declared.ts"
import { slowEverywhere, slowInOnePlace } from "./neutralised.ts"
import {
  type Candidate,
  type Interruption,
  type KnownLap,
  LAUNCH_M,
  LAUNCH_SHARE,
  type LapKind,
  type OnLap,
  type Placed,
  type Usual
} from "./placedLaps.ts"
import { stopsOf } from "./stops.ts"

/** Fewer laps at pace do not show what is usual. */
const MIN_LAPS = 3
const unknown: KnownLap = { kinds: new Set(), interruptions: [], pace: 1 }

const follows = (lap: RecordedLap, next: RecordedLap): boolean =>
  Math.abs(next.startTime - lap.endTime) <= MAX_GAP_S

const usualOf = (placed: ReadonlyArray<Placed>, { grid }: Alignment): Usual | undefined => {
  const atPace = placed.filter(({ atPace, onGrid }) => atPace && onGrid.complete)
  if (atPace.length < MIN_LAPS) return undefined
  const row = new Float64Array(atPace.length)
  const speed = Float64Array.from(grid.distance, (_, k) => {
    atPace.forEach(({ onGrid }, l) => (row[l] = onGrid.speed[k]!))
    return median(row)
  })
  return { step: grid.step, speed, times: atPace.map(({ onGrid }) => onGrid.time) }
}

const placedOf = (
  laps: ReadonlyArray<Candidate>,
  after: (lap: RecordedLap) => RecordedLap | undefined
): ReadonlyArray<Placed> => {
  const placed: Array<Placed> = []
  let following: Placed | undefined
  for (const one of laps.toReversed()) {
    if (one.onGrid === undefined) continue
    const next = after(one.lap)
    const goesOn = next !== undefined && follows(one.lap, next) && isTimed(next)
    following = {
      ...one,
      onGrid: one.onGrid,
      next: goesOn && following?.lap.id === next.id ? following : undefined
    }
    placed.unshift(following)
  }
  return placed
}

/** The part of a neutralisation that is no stop. */
const without = (part: OnLap, stops: ReadonlyArray<OnLap>): ReadonlyArray<OnLap> =>
  stops.reduce<ReadonlyArray<OnLap>>(
    (rest, { from, lap, to }) =>
      lap !== part.lap
        ? rest
        : rest.flatMap((piece) =>
            [
              { ...piece, to: Math.min(piece.to, from - 1) },
              { ...piece, from: Math.max(piece.from, to + 1) }
            ].filter((left) => left.from < left.to)
          ),
    [part]
  )

const isLaunch = ({ begins, onGrid }: Placed, usual: Usual): boolean =>
  begins && onGrid.speed[0]! < LAUNCH_SHARE * usual.speed[0]!

const paceOf = ({ onGrid }: Placed, { speed, step }: Usual): number => {
  const ratios: Array<number> = []
  for (let k = Math.round(LAUNCH_M / step); k < speed.length; k++) {
    if (onGrid.speed[k]! > 0) ratios.push(speed[k]! / onGrid.speed[k]!)
  }
  return ratios.length === 0 ? 1 : Math.max(1, median(ratios))
}

/**
 * The kinds of a session's laps by lap id. `after`: the lap that was driven next, which need not be among `laps`. A lap
 * that is not in the answer is a running lap, or has no places.
 */
export const lapKinds = (
  laps: ReadonlyArray<Candidate>,
  after: (lap: RecordedLap) => RecordedLap | undefined,
  alignment: Alignment | undefined
): ((lapId: number) => KnownLap) => {
  if (alignment === undefined) return () => unknown
  const placed = placedOf(laps, after)
  const usual = usualOf(placed, alignment)
  if (usual === undefined) return () => unknown
  const found = new Map<number, { kinds: Set<LapKind>; interruptions: Array<Interruption>; pace: number }>()
  const of = ({ lap }: Placed) => {
    const known = found.get(lap.id) ?? { kinds: new Set<LapKind>(), interruptions: [], pace: 1 }
    found.set(lap.id, known)
    return known
  }
  const flags = declaredFlags(placed)
  const neutral = flags ?? slowEverywhere(placed, usual)
  const stops = declaredStops(placed, usual) ?? stopsOf(placed, usual, neutral)
  const slow = neutral.flatMap((part) => without(part, stops))
  const local = flags === undefined ? slowInOnePlace(placed, usual, [...slow, ...stops]) : []
  for (const one of placed.filter((lap) => isLaunch(lap, usual))) {
    of(one).kinds.add("start")
    of(one).pace = paceOf(one, usual)
  }
  for (const { lap, ...stop } of stops) {
    const { interruptions, kinds } = of(lap)
    interruptions.push(stop)
    if (stop.from === 0) kinds.add("out_lap")
    if (stop.to === usual.speed.length - 1) kinds.add("in_lap")
    if (stop.from > 0 && stop.to < usual.speed.length - 1) kinds.add("in_lap").add("out_lap")
  }
  for (const { lap, ...part } of [...slow, ...local]) {
    const { interruptions, kinds } = of(lap)
    interruptions.push(part)
    kinds.add("neutralised")
  }
  for (const { interruptions } of found.values()) interruptions.sort((a, b) => a.from - b.from)
  return (lapId) => found.get(lapId) ?? unknown
}
