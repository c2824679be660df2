/**
 * Maximum of column sets whose writers are kept: clients ask for the same ones repeatedly, but a hostile client may ask
 * for any.
 */
const MAX_KEPT = 64

/** Calls `make` once for each set of columns, and keeps the results for the sets that were used last. */
export const writersOf = <A>(make: (columns: ReadonlyArray<string>) => A) => {
  const kept = new Map<string, A>()
  return (columns: ReadonlyArray<string>): A => {
    const key = columns.join(",")
    const writer = kept.get(key) ?? make(columns)
    // The newest entry is the last.
    kept.delete(key)
    kept.set(key, writer)
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT) kept.delete(oldest!)
    return writer
  }
}
