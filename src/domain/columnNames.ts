/** The names of a batch's columns as one short string, for messages to threads and for files. */
import type { Columns } from "./Dictionary.ts"

/** More than all groups of all sessions that are recorded at the same time. */
const MAX_KEPT = 1024

const joined = new WeakMap<Columns, string>()
const parted = new Map<string, Columns>()

/** Joins the names once for each array. Names contain no comma. */
export const joinNames = (columns: Columns): string => {
  const known = joined.get(columns)
  if (known !== undefined) return known
  const names = columns.join(",")
  joined.set(columns, names)
  return names
}

/** The inverse. Returns the same array for the same text, for as long as it is remembered. */
export const partNames = (names: string): Columns => {
  const known = parted.get(names)
  if (known !== undefined) return known
  const columns = names.split(",")
  if (parted.size === MAX_KEPT) parted.clear()
  parted.set(names, columns)
  joined.set(columns, names)
  return columns
}
