/** When the records of an `.ibt` file began. */
import type { SourceFile } from "../../FileReader.ts"
import type { IbtFile } from "./ibtFile.ts"

/** Dates in the names of files are local times, which differ from UTC by whole quarters of an hour, s. */
const QUARTER_S = 900

const NAMED = /(\d{4})-(\d{2})-(\d{2}) (\d{2})-(\d{2})-(\d{2})(?:\.[^.]*)?$/

/** How far the difference of two times is from whole quarters of an hour, s. */
const offQuarters = (seconds: number) => {
  const rest = Math.abs(seconds) % QUARTER_S
  return Math.min(rest, QUARTER_S - rest)
}

/**
 * Epoch seconds of the first record. No source says whether the header's date is that or the session's start; where the
 * file's name has a date, it decides.
 */
export const startOf = ({ start }: IbtFile, { modified, name }: SourceFile, first: number): number => {
  if (!(start > 0)) return modified
  const [, ...digits] = NAMED.exec(name) ?? []
  if (digits.length === 0) return start
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = digits.map(Number)
  const named = Date.UTC(year, month - 1, day, hour, minute, second) / 1000
  return offQuarters(named - start - first) < offQuarters(named - start) ? start + first : start
}
