/** A histogram with more bins than this is drawn without the rare values at its ends, which would leave no room for the others. */
const MANY = 60
/** Share of the time that may be left out at each end. */
const RARE = 0.001

/** The bins to draw: from `from` to `until` (exclusive). `lines`: seconds in the same bins. */
export const croppedBins = (
  lines: ReadonlyArray<ReadonlyArray<number>>
): { readonly from: number; readonly until: number } => {
  const count = lines[0]?.length ?? 0
  if (count <= MANY) return { from: 0, until: count }
  const sums = Array.from({ length: count }, (_, bin) => lines.reduce((sum, line) => sum + line[bin]!, 0))
  const most = RARE * sums.reduce((sum, seconds) => sum + seconds, 0)
  let [from, until] = [0, count]
  for (let left = most; from < until - 1 && sums[from]! <= left; from++) left -= sums[from]!
  for (let left = most; until > from + 1 && sums[until - 1]! <= left; until--) left -= sums[until - 1]!
  return { from, until }
}
