/**
 * Cuts sectors at lines across the track if a simulator sends none. All laps of a circuit and its layout use the same lines.
 */
import { toMicros } from "../../domain/Time.ts"
import type { SectorLines } from "../../domain/SectorLines.ts"
import type { StartLine } from "../../domain/SimulatorEvent.ts"
import { type CutSectors, uncut } from "./laps.ts"
import type { DistanceTrace } from "./DistanceTrace.ts"

/** A line reaches this far to either side of the driven way, m: the distance to a pit lane. */
const REACH_M = 60
/** The direction of the way is taken between the positions this far before and after the line, m. */
const AROUND_M = 10
/**
 * A crossing is searched within this share of the lap on either side of the line's distance: lines are wide, and
 * odometers differ.
 */
const AROUND_SHARE = 0.08

/** A line perpendicular to the way at `distance`; undefined without positions. */
const lineAt = (trail: DistanceTrace, distance: number): StartLine | undefined => {
  const [x, y] = trail.positionAt(distance)
  const [fromX, fromY] = trail.positionAt(distance - AROUND_M)
  const [toX, toY] = trail.positionAt(distance + AROUND_M)
  const [dx, dy] = [toX - fromX, toY - fromY]
  const share = REACH_M / Math.hypot(dx, dy)
  if (!(share < Infinity) || Number.isNaN(x + y)) return undefined
  return { x1: x + dy * share, y1: y - dx * share, x2: x - dy * share, y2: y + dx * share }
}

/**
 * Cuts the lap from `start` to `end` that took `lapTime`, s. It uses the lines of a known layout that the car drove.
 * Otherwise it cuts thirds of the distance driven; these become a layout's lines if `lays` is set and there are
 * positions.
 */
export const deriveSectors = (
  trail: DistanceTrace,
  { end, lapTime, start }: { readonly start: number; readonly end: number; readonly lapTime: number },
  layouts: ReadonlyArray<SectorLines>,
  lays: boolean
): CutSectors => {
  const from = trail.distanceAt(start)
  const length = trail.distanceAt(end) - from
  if (!(length > 0)) return uncut
  const cut = (one: number, two: number, lines?: SectorLines): CutSectors => {
    const sector1 = toMicros(one - start)
    const sector2 = toMicros(two - start - sector1)
    const times = [sector1, sector2, toMicros(lapTime - sector1 - sector2)] as const
    return { times, source: "derived", lines }
  }
  const passes = (line: StartLine, share: number) =>
    trail.timeAcross(line, from + (share - AROUND_SHARE) * length, from + (share + AROUND_SHARE) * length)
  for (const layout of layouts) {
    if (!(Math.abs(length / layout.length - 1) <= AROUND_SHARE)) continue
    const one = passes(layout.first, 1 / 3)
    const two = passes(layout.second, 2 / 3)
    if (one !== undefined && two !== undefined) return cut(one, two)
  }
  const [third, thirds] = [from + length / 3, from + (2 * length) / 3]
  const first = lays ? lineAt(trail, third) : undefined
  const second = lays ? lineAt(trail, thirds) : undefined
  const lines = first && second && { length, first, second }
  return cut(trail.timeAt(third), trail.timeAt(thirds), lines)
}
