/**
 * Decides whether positions and speed describe the same drive. The difference between the place on the line and the
 * distance driven by the speed changes slowly, whatever the feed's noise; where it shifts, one of the two is wrong.
 */
import type { FaultSource } from "../faults/fault.ts"
import {
  type OffsetBlocks,
  blocksOf,
  meanOffset,
  type Offsets,
  type Shifts,
  shiftsOf,
  WINDOW
} from "./offsetBlocks.ts"
import { quantile, roughQuantile } from "../math/robust.ts"

/** Offsets, with the values that decide which of the two is wrong. */
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
  /** Whether it is a single jump, which may have come back before the next hole, or begun after the last. */
  readonly open: boolean
}

/**
 * How a lap's offsets vary by chance, m: differences of means over a window, for adjacent windows and for windows that
 * are `apart` from each other.
 */
export interface Movement {
  readonly near: number
  readonly far: number
  /** s. */
  readonly window: number
  readonly apart: number
}

/** Windows are compared when they are adjacent, and when they are this many blocks apart: faults last. */
const APART = [0, 2, 4, 8, 16]
/** Windows this many blocks (eight seconds) apart separate noise from drift. */
const FAR = 32
/** A standing car's positions have noise of their own, m/s. */
const STANDING_MS = 5
/**
 * Three quarters of a normal distribution lie within 1.15 deviations; a fault over a tenth of a lap hardly moves that.
 */
const SHARE = 0.75
const SHARE_SIGMA = 1.15
/** Clean laps of all recordings shift by up to 6.6 deviations, and by 0.04 s with GPS; smaller shifts are no fault. */
const MAX_SIGMAS = 8
const MIN_SHIFT_S = 0.06
/** Places are rough where they bend by this many times as much as nearly all of the lap's places, and by so many m. */
const ROUGH_TIMES = 3
const ROUGH_SHARE = 0.99
const ROUGH_M = 0.5
/** A step this long, s, is a hole; this many points on either side give the offset there. */
const HOLE_S = 0.5
const HOLE_POINTS = 4
/**
 * Positions are displaced for no longer, s. A remainder after the jump back, up to this share of the jump, is noise of
 * both jumps.
 */
const ELSEWHERE_S = 60
const LEFT_SHARE = 0.5
/** A jump of this size is no feed's noise, m, even if positions do not come back in sight. */
const LOST_M = 15
/** A sliding car goes at most this many m further, or less far, than its wheels; more is no slide. */
const SLIP_M = 5
/** A speed that stands still for this share of a disagreement is the wrong source. */
const STANDING_SHARE = 0.3

/** The deviation of values, from their absolute values; NaNs are ignored. */
const deviationOf = (sizes: Float64Array): number => roughQuantile(sizes, SHARE) / SHARE_SIGMA

/** The shift as clock noise: seconds; a standing car's noise is taken at STANDING_MS. */
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

/** Spans of blocks over which the offset shifted by more than chance allows. */
const shifted = (blocks: OffsetBlocks, near: Shifts): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  for (const apart of APART) {
    const { pace, shift } = apart === 0 ? near : shiftsOf(blocks, apart)
    const most = Math.max(MIN_SHIFT_S, MAX_SIGMAS * lateBy({ pace, shift }))
    // A wider span that contains a known fault shows the same fault.
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

/** The mean of some of a row's values, without NaNs. */
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
 * The car's movement over a hole is unknown: a shift of the offset there is no disagreement, and is removed. Holes are
 * steps of over HOLE_S, and are judged by the points around them.
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

/** The share of the time between two instants for which the speed stands still. */
const standing = ({ speed, time }: Judged, from: number, to: number): number => {
  let seconds = 0
  for (let i = 1; i < time.length; i++) {
    if (time[i]! > from && time[i - 1]! < to && speed[i] === speed[i - 1]) seconds += time[i]! - time[i - 1]!
  }
  return seconds / (to - from)
}

/** The result for the offsets of a drive: how they vary by chance, and where the two sources disagree, in order. */
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
  // One fault may shift the offset away and back: spans that nearly meet are joined.
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
    // An odometer that lost or gained way keeps the error; displaced positions come back.
    const returns = Math.abs(right - left) < Math.abs(shift) / 3
    const even = !drive.time.some((time, i) => time >= begin && time <= end && bent[i]! > rough)
    const stood = standing(drive, begin, end) >= STANDING_SHARE
    const odometer = stood || Math.abs(shift) > SLIP_M ? "speed" : "slip"
    const blame = returns && !(even && stood) ? "positions" : even ? odometer : "points"
    return { from: begin, to: end, shift, blame, open: false }
  })
  return paired(judged)
}

/**
 * Two jumps that cancel each other are positions that were displaced in between. The other half of a single jump may
 * lie in a hole.
 */
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
