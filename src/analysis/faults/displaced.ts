/** Positions that are told elsewhere for a while: they jump aside, go on as the car does, and jump back. */
import { betweenHoles, faultOf, seconds } from "./fault.ts"
import type { Sources } from "./sources.ts"
import type { Steps } from "./steps.ts"

/** What a jump leaves of the one back, as a share of it, is noise of both. */
const LEFT_SHARE = 0.5
/** Cars are not in the wrong place for longer, s: two jumps further apart have nothing to do with each other. */
const LONGEST_S = 60
/** Turning within a step is no jump: half of this acceleration across, m/s^2, over the step. */
const CORNERING_MS2 = 40

/** A jump of this size is no feed's noise, m, even if positions do not come back in sight. */
const LOST_M = 20
interface Jump {
  /** The point that it leads to. */
  readonly at: number
  /** m, beyond where the way led. */
  readonly x: number
  readonly y: number
}

const sizeOf = ({ x, y }: Jump): number => Math.hypot(x, y)

const jumpsOf = (
  { t, v, x, y }: Sources,
  { across, along, base, headingX, headingY, mostAcross, mostAlong }: Steps
): ReadonlyArray<Jump> => {
  const found: Array<Jump> = []
  for (let i = 0; i < t.length; i++) {
    const a = along[i]!
    const b = across[i]!
    if (Number.isNaN(a)) continue
    const time = t[i]! - t[i - 1]!
    const last = found.at(-1)?.at ?? 0
    if (base[i]! < last) {
      // The way so far holds a jump and leads nowhere: where it led before is a guess, good enough for what is far off.
      const [dx, dy] = [x[i]! - x[i - 1]!, y[i]! - y[i - 1]!]
      const pace = Math.min(v[i]!, v[i - 1]!)
      const off = { at: i, x: dx - pace * time * headingX[last]!, y: dy - pace * time * headingY[last]! }
      if (sizeOf(off) > Math.max(mostAlong[i]!, mostAcross) + pace * time) found.push(off)
      continue
    }
    const turning = (CORNERING_MS2 / 2) * time * time
    if (Math.abs(a) <= mostAlong[i]! && Math.abs(b) <= mostAcross + turning) continue
    const [ux, uy] = [headingX[i]!, headingY[i]!]
    found.push({ at: i, x: a * ux - b * uy, y: a * uy + b * ux })
  }
  return found
}

export const displaced = (sources: Sources, steps: Steps): void => {
  const { faults, placeWrong, t } = sources
  const jumps = jumpsOf(sources, steps)
  for (let j = 0; j < jumps.length; j++) {
    const away = jumps[j]!
    const size = sizeOf(away)
    const metres = Math.round(size)
    const back = jumps.findIndex(
      (jump, k) =>
        k > j &&
        t[jump.at]! - t[away.at]! <= LONGEST_S &&
        Math.hypot(jump.x + away.x, jump.y + away.y) <= LEFT_SHARE * Math.max(size, sizeOf(jump))
    )
    if (back >= 0) {
      const last = jumps[back]!.at - 1
      for (let i = away.at; i <= last; i++) placeWrong[i] = 1
      faults.push(
        faultOf(
          "positions",
          t,
          away.at,
          last,
          (time) => `positions are ${metres} m aside for ${seconds(time)}`
        )
      )
      j = back
    } else if (size > LOST_M) {
      // Nobody knows on which side of the jump they are right; over a hole they may have come back unseen.
      const [first, last] = betweenHoles(t, away.at)
      const what = `positions jump by ${metres} m and are not seen to come back`
      faults.push(faultOf("positions", t, first, last, () => what, size))
    }
  }
}
