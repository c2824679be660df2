/** Where a row of speeds is slowest between two faster places. */

/** Indices of a row: the slowest, and the fastest before and after it. */
export interface Valley {
  readonly low: number
  readonly before: number
  readonly after: number
}

/**
 * The places that are slower by more than `least` than some place before and some place after them, in order. A smaller
 * dip is part of its surroundings. `last`: whether the row's end may be the faster place after the last valley.
 */
export const valleysOf = (speed: Float64Array, least: number, last: boolean): ReadonlyArray<Valley> => {
  const found: Array<Valley> = []
  let low = 0
  let high = 0
  /** The fastest before `low`. */
  let top = 0
  const add = (): void => {
    if (speed[top]! > speed[low]! + least) found.push({ low, before: top, after: high })
  }
  /** The last rise from a minimum, or fall from a maximum. */
  let falling = true
  for (let k = 1; k < speed.length; k++) {
    if (falling) {
      if (speed[k]! < speed[low]!) low = k
      else if (speed[k]! > speed[low]! + least) {
        falling = false
        high = k
      }
    } else if (speed[k]! > speed[high]!) high = k
    else if (speed[k]! < speed[high]! - least) {
      add()
      falling = true
      top = high
      low = k
    }
  }
  if (last && !falling) add()
  return found
}
