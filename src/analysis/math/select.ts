/** The value of a rank without sorting a whole row: linear time where a sort takes n log n. */
import { hasAbsent } from "../missing.ts"

/** The value that would be at `at` if the row were sorted; sorts the row partly (Hoare 1961). The row has no NaN. */
export const select = (row: Float64Array, at: number): number => {
  let low = 0
  let high = row.length - 1
  while (low < high) {
    const pivot = row[(low + high) >>> 1]!
    let i = low
    let j = high
    while (i <= j) {
      while (row[i]! < pivot) i++
      while (row[j]! > pivot) j--
      if (i > j) break
      const value = row[i]!
      row[i++] = row[j]!
      row[j--] = value
    }
    if (at <= j) high = j
    else if (at >= i) low = i
    else break
  }
  return row[at]!
}

/** The median of a row, whose values are put into another order. A row with NaNs, which have no rank, is sorted. */
export const medianWithin = (row: Float64Array): number => {
  const half = row.length >>> 1
  if (row.length === 0) return Number.NaN
  const upper = hasAbsent(row) ? row.sort()[half]! : select(row, half)
  // Adding 0 turns -0 into 0: which of the two is selected would depend on their order.
  if (row.length % 2 === 1) return upper + 0
  // All values before the selected one are at most that.
  let lower = row[0]!
  for (let i = 1; i < half; i++) if (row[i]! > lower) lower = row[i]!
  return (lower + upper) / 2 + 0
}
