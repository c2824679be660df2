import { parseDateTime } from "../../domain/Time.ts"

/** The cells of a line of CSV (RFC 4180), for tables whose cells have no line breaks. */
export const csvCells = (line: string, separator = ","): ReadonlyArray<string> => {
  if (!line.includes('"')) return line.split(separator)
  const cells: Array<string> = []
  let at = 0
  while (at <= line.length) {
    if (line[at] === '"') {
      let text = ""
      at++
      for (; at < line.length; at++) {
        if (line[at] !== '"') text += line[at]
        else if (line[at + 1] === '"') text += line[at++]
        else break
      }
      const next = line.indexOf(separator, at)
      cells.push(text)
      if (next < 0) return cells
      at = next + 1
    } else {
      const next = line.indexOf(separator, at)
      if (next < 0) return [...cells, line.slice(at)]
      cells.push(line.slice(at, next))
      at = next + 1
    }
  }
  return cells
}

/** The number in a cell, with a decimal point; NaN where it is empty, or no number. */
export const csvNumber = (cell: string | undefined): number => {
  if (cell === undefined || cell.trim() === "") return Number.NaN
  const value = Number(cell)
  return Number.isFinite(value) ? value : Number.NaN
}

/** What else is a value: a truth, or a date and time, which becomes epoch seconds; without a zone it is taken as UTC. */
const otherValue = (text: string): number => {
  if (/^true$/i.test(text)) return 1
  if (/^false$/i.test(text)) return 0
  return parseDateTime(text) ?? Number.NaN
}

/** Reads the cells of a table's rows: as `csvNumber`, with a decimal comma too if cells are separated by semicolons. */
export const valueReader = (separator: string): ((cell: string | undefined) => number) => {
  const plain = separator === ";" ? (cell: string) => csvNumber(cell.replace(",", ".")) : csvNumber
  return (cell) => {
    if (cell === undefined || cell === "") return Number.NaN
    const value = plain(cell)
    return Number.isNaN(value) ? otherValue(cell.trim()) : value
  }
}
