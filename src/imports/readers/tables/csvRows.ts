/** The rows of a table of CSV whose head a layout has understood: their lines, times and cells. */
import { type Facts, type SourceFile } from "../../FileReader.ts"
import { csvCells, valueReader } from "../../tables/csv.ts"
import type { RowLaps } from "../../tables/RowLaps.ts"
import type { Checked } from "../../tables/SignCheck.ts"
import { textLines } from "../../tables/textLines.ts"

export interface CsvColumn {
  readonly name: string
  readonly unit: string
  /** The channel of the vocabulary that the name means; its unit must convert. */
  readonly channel?: string | undefined
  /** It may be this channel: its rows must show it, with its sign. */
  readonly checked?: Checked | undefined
  /** To the channel's unit, in place of that which `unit` means. */
  readonly convert?: ((value: number) => number) | undefined
  /** It says of the row, and is no channel. */
  readonly isOfRow?: boolean | undefined
  /** The column that is 1 in rows for which this one is new; in others its value is a repetition, and absent. */
  readonly newWhere?: number | undefined
}

export interface CsvHead {
  readonly separator: string
  readonly columns: ReadonlyArray<CsvColumn>
  /** The lines before the rows. */
  readonly lines: number
  /** The column of times; a number is a table without one, with so many rows a second. */
  readonly time: number | { readonly rate: number }
  /** Of the times' unit: 1000 for milliseconds; 1 where it is left out. */
  readonly perSecond?: number | undefined
  /** The epoch seconds of the time 0. */
  readonly zero: number
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
  /** Before the names of channels of the file's own: `csv`. */
  readonly prefix: string
  /** Sideways values are as the vocabulary's where the table has no way of showing their sign. */
  readonly hasUsualSigns?: boolean | undefined
  /** How it tells laps; undefined if it does not. `start`: of the session, epoch seconds. */
  readonly laps?: ((start: number) => RowLaps) | undefined
  readonly facts?: Facts | undefined
  readonly warnings: ReadonlyArray<string>
}

/** A line that begins with `#` is a remark. */
export const isRow = (line: string): boolean => line !== "" && !line.startsWith("#")

/** The rows after the head, as lines. */
export function* rowsAfter(file: SourceFile, skipped: number) {
  let line = 0
  for (const { lines, ...rest } of textLines(file)) {
    const from = Math.max(0, skipped - line)
    line += lines.length
    yield { ...rest, lines: lines.slice(from).filter(isRow) }
  }
}

/** Gives the epoch seconds of one row after the other. */
export const clockOf = ({ perSecond = 1, time, zero }: CsvHead): ((cells: ArrayLike<number>) => number) => {
  if (typeof time === "number") return (cells) => zero + cells[time]! / perSecond
  let row = 0
  return () => zero + row++ / time.rate
}

/** Reads one row after the other: `cells` are its values, with repetitions left out. Returns whether it is whole. */
export const cellsOf = ({ columns, separator }: CsvHead, cells: Float64Array) => {
  const valueOf = valueReader(separator)
  // The line of names may end with a separator where the rows do not.
  const named = columns.findLastIndex(({ name }) => name !== "") + 1
  const repeated = columns.flatMap(({ newWhere }, n) =>
    newWhere === undefined ? [] : [[n, newWhere] as const]
  )
  return (line: string): boolean => {
    const texts = csvCells(line, separator)
    for (let n = 0; n < cells.length; n++) cells[n] = valueOf(texts[n])
    for (const [n, where] of repeated) if (cells[where] !== 1) cells[n] = Number.NaN
    return texts.length >= named
  }
}
