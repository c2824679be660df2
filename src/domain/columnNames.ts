/** The names of a batch's columns as one short string: what crosses to threads and stands in files. */
import type { Columns } from "./Dictionary.ts"

/** Of all groups of all sessions that are recorded at once there are fewer. */
const MAX_KEPT = 1024

const joined = new WeakMap<Columns, string>()
const parted = new Map<string, Columns>()

/** Joined once for each array. Names have no comma. */
export const joinNames = (columns: Columns): string => {
  const known = joined.get(columns)
  if (known !== undefined) return known
  const names = columns.join(",")
  joined.set(columns, names)
  return names
}

/** The inverse; the same array again and again, for as long as it is remembered. */
export const partNames = (names: string): Columns => {
  const known = parted.get(names)
  if (known !== undefined) return known
  const columns = names.split(",")
  if (parted.size === MAX_KEPT) parted.clear()
  parted.set(names, columns)
  joined.set(columns, names)
  return columns
}
