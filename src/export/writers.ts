/** Sets of columns whose writers are kept: clients ask for the same ones again and again, and a hostile one for any. */
const MAX_KEPT = 64

/** What `make` gives for a set of columns, once for each set while it is among those last asked for. */
export const writersOf = <A>(make: (columns: ReadonlyArray<string>) => A) => {
  const kept = new Map<string, A>()
  return (columns: ReadonlyArray<string>): A => {
    const key = columns.join(",")
    const writer = kept.get(key) ?? make(columns)
    // The newest is the last.
    kept.delete(key)
    kept.set(key, writer)
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT) kept.delete(oldest!)
    return writer
  }
}
