/**
 * Whether positions and speed tell of the same drive. The place on the line less the distance that the speed says was
 * driven along it changes slowly, whatever the feed's noise; where it shifts, one of the two is wrong.
 */
import type { FaultSource } from "./faults/fault.ts"
import {
  type OffsetBlocks,
  blocksOf,
  meanOffset,
  type Offsets,
  type Shifts,
  shiftsOf,
  WINDOW
} from "./offsetBlocks.ts"
import { quantile, roughQuantile } from "./robust.ts"

/** Offsets with what tells which of the two is to blame. */
export interface Judged extends Offsets {
  /** m, the place itself. */
  readonly place: Float64Array
}

export interface Disagreement {
  /** s. */
  readonly from: number
  readonly to: number
  /** m by which one source moved against the other. */
  readonly shift: number
  readonly blame: FaultSource
  /** Whether it is a jump that may have come back anywhere up to the next hole, or begun anywhere since the last. */
  readonly open: boolean
}

/** How a lap's offsets move by chance, m: of means over a window, next to each other and so far apart. */
export interface Movement {
  readonly near: number
  readonly far: number
  /** s. */
  readonly window: number
  readonly apart: number
}

/** Windows are compared next to each other, and this many blocks apart: faults last. */
const APART = [0, 2, 4, 8, 16]
/** Noise is told from drift by windows so many blocks apart: eight seconds. */
const FAR = 32
/** A standing car's positions have noise of their own, m/s. */
const STANDING_MS = 5
/** Three quarters of a normal distribution lie within 1.15 deviations; a fault over a tenth of a lap hardly moves that. */
const SHARE = 0.75
const SHARE_SIGMA = 1.15
/** Shifts of up to 6.6 deviations were found in clean laps of all recordings, and of 0.04 s by GPS; less is no fault. */
const MAX_SIGMAS = 8
const MIN_SHIFT_S = 0.06
/** Places that bend by this many times what nearly all of the lap's do, and so many m, are rough. */
const ROUGH_TIMES = 3
const ROUGH_SHARE = 0.99
const ROUGH_M = 0.5
/** A step this long, s, is a hole; so many points on either side tell where the offset was. */
const HOLE_S = 0.5
const HOLE_POINTS = 4
/** Positions are elsewhere for no longer, s; what a jump leaves of the one back, as a share of it, is noise of both. */
const ELSEWHERE_S = 60
const LEFT_SHARE = 0.5
/** A jump of this size is no feed's noise, m, even if positions do not come back in sight. */
const LOST_M = 15
/** A car that slides goes so many m further than its wheels, or less; more is no slide. */
const SLIP_M = 5
/** A speed that stands for this share of a disagreement is the one that is wrong. */
const STANDING_SHARE = 0.3

/** The deviation of values by their absolute ones; NaNs are none. */
const deviationOf = (sizes: Float64Array): number => roughQuantile(sizes, SHARE) / SHARE_SIGMA

/** Of a clock's noise: seconds, but for that of a standing car. */
const lateBy = ({ pace, shift }: Shifts): number =>
  deviationOf(shift.map((metres, b) => Math.abs(metres) / (pace[b]! + STANDING_MS)))

/** How far each place lies from the straight between its neighbours, m; 0 where one of them is not known. */
const bends = ({ place, time }: Judged): Float64Array => {
  const result = new Float64Array(place.length)
  for (let i = 1; i + 1 < place.length; i++) {
    const share = (time[i]! - time[i - 1]!) / (time[i + 1]! - time[i - 1]!)
    const off = place[i]! - place[i - 1]! - share * (place[i + 1]! - place[i - 1]!)
    result[i] = Number.isNaN(off) ? 0 : Math.abs(off)
  }
  return result
}

interface Span {
  from: number
  to: number
  shift: number
}

/** Spans of blocks over which the offset shifted by more than chance. */
const shifted = (blocks: OffsetBlocks, near: Shifts): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  for (const apart of APART) {
    const { pace, shift } = apart === 0 ? near : shiftsOf(blocks, apart)
    const most = Math.max(MIN_SHIFT_S, MAX_SIGMAS * lateBy({ pace, shift }))
    // What a shorter span told already is the same fault seen from further away.
    const known = [...found]
    let open: Span | undefined
    for (let b = 0; b < shift.length; b++) {
      if (!(Math.abs(shift[b]!) > most * (pace[b]! + STANDING_MS))) continue
      const [from, to] = [b - WINDOW / 2, b + apart + WINDOW / 2]
      if (known.some((span) => span.from < to && from < span.to)) continue
      if (open !== undefined && from <= open.to) {
        open.to = to
        if (Math.abs(shift[b]!) > Math.abs(open.shift)) open.shift = shift[b]!
      } else {
        open = { from, to, shift: shift[b]! }
        found.push(open)
      }
    }
  }
  return found.sort((a, b) => a.from - b.from)
}

/** The mean of some of a row's values, NaNs left out. */
const meanOf = (values: Float64Array, from: number, to: number): number => {
  let sum = 0
  let count = 0
  for (let k = Math.max(0, from); k < Math.min(values.length, to); k++) {
    if (Number.isNaN(values[k]!)) continue
    sum += values[k]!
    count++
  }
  return count > 0 ? sum / count : Number.NaN
}

/**
 * Over a hole what the car did is unknown: what the offset moved there by is no disagreement, and is taken off. Holes are
 * steps of over HOLE_S, and judged by the points around them.
 */
const withoutHoles = (offsets: Offsets): Offsets => {
  const { time } = offsets
  let offset = offsets.offset
  let moved = 0
  for (let i = 1; i < time.length; i++) {
    if (time[i]! - time[i - 1]! > HOLE_S) {
      if (offset === offsets.offset) offset = offset.slice()
      const by = meanOf(offsets.offset, i, i + HOLE_POINTS) - moved - meanOf(offset, i - HOLE_POINTS, i)
      if (!Number.isNaN(by)) moved += by
    }
    if (moved !== 0) offset[i] = offset[i]! - moved
  }
  return { ...offsets, offset }
}

/** The share of the time from one instant to another for which the speed stands. */
const standing = ({ speed, time }: Judged, from: number, to: number): number => {
  let seconds = 0
  for (let i = 1; i < time.length; i++) {
    if (time[i]! > from && time[i - 1]! < to && speed[i] === speed[i - 1]) seconds += time[i]! - time[i - 1]!
  }
  return seconds / (to - from)
}

/** What the offsets of a drive say: how they move by chance, and where the two disagree, in order. */
export interface DriveAgreement {
  readonly movement: Movement
  readonly found: ReadonlyArray<Disagreement>
}

export const judge = (drive: Judged): DriveAgreement => {
  const blocks = blocksOf(withoutHoles(drive))
  const near = shiftsOf(blocks, 0)
  const movement = {
    near: deviationOf(near.shift.map(Math.abs)),
    far: deviationOf(shiftsOf(blocks, FAR).shift.map(Math.abs)),
    window: WINDOW * blocks.length,
    apart: FAR * blocks.length
  }
  const spans = shifted(blocks, near)
  return { movement, found: spans.length === 0 ? [] : blamed(drive, blocks, spans) }
}

const blamed = (
  drive: Judged,
  blocks: OffsetBlocks,
  spans: ReadonlyArray<Span>
): ReadonlyArray<Disagreement> => {
  const bent = bends(drive)
  const rough = ROUGH_M + ROUGH_TIMES * quantile(bent, ROUGH_SHARE)
  // One fault may shift the offset away and back: spans that nearly meet are one.
  const joined: Array<Span> = []
  for (const span of spans) {
    const last = joined.at(-1)
    if (last !== undefined && span.from <= last.to + WINDOW) {
      last.to = Math.max(last.to, span.to)
      if (Math.abs(span.shift) > Math.abs(last.shift)) last.shift = span.shift
    } else joined.push({ ...span })
  }
  const judged = joined.map(({ from, shift, to }): Disagreement => {
    const left = meanOffset(blocks, from + WINDOW / 2 - WINDOW, from + WINDOW / 2)
    const right = meanOffset(blocks, to - WINDOW / 2, to - WINDOW / 2 + WINDOW)
    const begin = blocks.start + from * blocks.length
    const end = blocks.start + to * blocks.length
    // An odometer that lost or gained way has it for good; positions that are elsewhere come back.
    const returns = Math.abs(right - left) < Math.abs(shift) / 3
    const even = !drive.time.some((time, i) => time >= begin && time <= end && bent[i]! > rough)
    const stood = standing(drive, begin, end) >= STANDING_SHARE
    const odometer = stood || Math.abs(shift) > SLIP_M ? "speed" : "slip"
    const blame = returns && !(even && stood) ? "positions" : even ? odometer : "points"
    return { from: begin, to: end, shift, blame, open: false }
  })
  return paired(judged)
}

/** Two jumps that cancel are positions that were elsewhere in between; one alone may have its other half in a hole. */
const paired = (judged: ReadonlyArray<Disagreement>): ReadonlyArray<Disagreement> => {
  const found: Array<Disagreement> = []
  for (let k = 0; k < judged.length; k++) {
    const one = judged[k]!
    if (one.blame !== "points") {
      found.push(one)
      continue
    }
    const back = judged.findIndex(
      ({ blame, from, shift }, j) =>
        j > k &&
        blame === "points" &&
        from - one.to <= ELSEWHERE_S &&
        Math.abs(shift + one.shift) <= LEFT_SHARE * Math.max(Math.abs(shift), Math.abs(one.shift))
    )
    if (back < 0) found.push({ ...one, open: Math.abs(one.shift) > LOST_M })
    else found.push({ ...one, to: judged[back]!.to, blame: "positions" })
    k = Math.max(k, back)
  }
  return found
}
