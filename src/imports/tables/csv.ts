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

/** The number in a cell; NaN where it is empty, or no number. */
export const csvNumber = (cell: string | undefined): number => {
  if (cell === undefined || cell.trim() === "") return Number.NaN
  const value = Number(cell)
  return Number.isFinite(value) ? value : Number.NaN
}
