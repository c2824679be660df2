/** Positions that are displaced for a while: they jump aside, move on as the car does, and jump back. */
import { betweenHoles, faultOf, secondsText } from "./fault.ts"
import type { Sources } from "./sources.ts"
import { mostAlong, type Noise, stepTo, unknownStep } from "./steps.ts"

/** A remainder after the jump back, up to this share of the jump, is noise of both jumps. */
const LEFT_SHARE = 0.5
/** Positions are displaced for no longer, s: two jumps further apart are unrelated. */
const MAX_S = 60
/** Turning within a step is no jump: half of this lateral acceleration, m/s^2, over the step is allowed. */
const CORNERING_MS2 = 40

/** A jump of this size is no noise of the feed, m, even if the positions never come back. */
const LOST_M = 20
interface Jump {
  /** The point after the jump. */
  readonly at: number
  /** m beyond the place to which the way led. */
  readonly x: number
  readonly y: number
}

const sizeOf = ({ x, y }: Jump): number => Math.hypot(x, y)

const jumpsOf = (sources: Sources, noise: Noise): ReadonlyArray<Jump> => {
  const { hasSpeed, t, v, x, y } = sources
  const found: Array<Jump> = []
  const step = unknownStep()
  let last = 0
  let [lastX, lastY] = [0, 0]
  for (let i = 2; i < t.length; i++) {
    if (!stepTo(sources, i, step)) continue
    const time = t[i]! - t[i - 1]!
    const { across, along, base, headingX, headingY } = step
    const isReported = hasSpeed && !Number.isNaN(v[i]! + v[i - 1]!)
    const most = mostAlong(noise, isReported ? Math.max(v[i]!, v[i - 1]!) : step.pace)
    if (base < last) {
      // A jump within the way so far makes its direction wrong. The direction before it is a guess, which is good
      // enough for far places.
      const slow = isReported ? Math.min(v[i]!, v[i - 1]!) * time : 0
      const off = { at: i, x: x[i]! - x[i - 1]! - slow * lastX, y: y[i]! - y[i - 1]! - slow * lastY }
      if (!(sizeOf(off) > Math.max(most, noise.aside) + slow)) continue
      found.push(off)
    } else {
      const turning = (CORNERING_MS2 / 2) * time * time
      if (Math.abs(along) <= most && Math.abs(across) <= noise.aside + turning) continue
      found.push({
        at: i,
        x: along * headingX - across * headingY,
        y: along * headingY + across * headingX
      })
      lastX = headingX
      lastY = headingY
    }
    last = i
  }
  return found
}

export const displaced = (sources: Sources, noise: Noise): void => {
  const { faults, placeWrong, t } = sources
  const jumps = jumpsOf(sources, noise)
  for (let j = 0; j < jumps.length; j++) {
    const away = jumps[j]!
    const size = sizeOf(away)
    const metres = Math.round(size)
    const back = jumps.findIndex(
      (jump, k) =>
        k > j &&
        t[jump.at]! - t[away.at]! <= MAX_S &&
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
          (time) => `positions are ${metres} m aside for ${secondsText(time)}`
        )
      )
      j = back
    } else if (size > LOST_M) {
      // It is unknown on which side of the jump the positions are right; over a hole they may have come back unseen.
      const [first, last] = betweenHoles(t, away.at)
      const what = `positions jump by ${metres} m and are not seen to come back`
      faults.push(faultOf("positions", t, first, last, () => what, size))
    }
  }
}
