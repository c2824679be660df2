import type { ChosenRows } from "../archive/chosenRows.ts"

/**
 * The maximum number of column sets whose writers are kept: clients request the same sets repeatedly, but a hostile
 * client may request any.
 */
const MAX_KEPT = 64

/** Columns, and those of them whose values are whole numbers. */
export type WrittenColumns = Pick<ChosenRows, "columns" | "whole">

/** Calls `make` once for each set of columns, and keeps the results for the sets that were used last. */
export const writersOf = <A>(make: (written: WrittenColumns) => A) => {
  const kept = new Map<string, A>()
  return (written: WrittenColumns): A => {
    const { columns, whole } = written
    const key = columns.map((column) => (whole.has(column) ? `${column}!` : column)).join(",")
    const writer = kept.get(key) ?? make(written)
    // The newest entry is the last.
    kept.delete(key)
    kept.set(key, writer)
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT) kept.delete(oldest!)
    return writer
  }
}
