/**
 * Columns of values at the times of one channel group, from rows of several groups. A value of another group holds until its next row:
 * nothing is interpolated. Where a value is unknown or too old it is NaN.
 */

export type Row = Readonly<Record<string, number | null>>

export interface RowsOfGroup {
  readonly rows: ReadonlyArray<Row>
  readonly names: ReadonlyArray<string>
  /** How long a value holds at most, s. */
  readonly holds: number
}

export interface Joined {
  readonly times: Float64Array
  readonly columns: ReadonlyMap<string, Float64Array>
}

const columnOf = (name: string, rows: ReadonlyArray<Row>) =>
  Float64Array.from(rows, (row) => row[name] ?? Number.NaN)

/** For each time the last of the rows that is not after it, or -1: none, or one that is too old. */
const rowsAt = (times: Float64Array, { holds, rows }: RowsOfGroup): Int32Array => {
  let row = -1
  return Int32Array.from(times, (time) => {
    while (row + 1 < rows.length && rows[row + 1]!["timestamp"]! <= time) row++
    return row >= 0 && time - rows[row]!["timestamp"]! <= holds ? row : -1
  })
}

/** The first group gives the times. */
export const joinRows = ([first, ...others]: readonly [
  RowsOfGroup,
  ...ReadonlyArray<RowsOfGroup>
]): Joined => {
  const times = columnOf("timestamp", first.rows)
  const columns = new Map(first.names.map((name) => [name, columnOf(name, first.rows)]))
  for (const other of others) {
    const at = rowsAt(times, other)
    for (const name of other.names) {
      columns.set(
        name,
        Float64Array.from(at, (row) => (row < 0 ? Number.NaN : (other.rows[row]![name] ?? Number.NaN)))
      )
    }
  }
  return { times, columns }
}

/** One after another. All must have the same columns. */
export const concatenated = (parts: ReadonlyArray<Joined>): Joined => {
  const length = parts.reduce((sum, { times }) => sum + times.length, 0)
  const together = (of: (part: Joined) => Float64Array) => {
    const all = new Float64Array(length)
    let at = 0
    for (const part of parts) {
      all.set(of(part), at)
      at += part.times.length
    }
    return all
  }
  const names = [...(parts[0]?.columns.keys() ?? [])]
  return {
    times: together(({ times }) => times),
    columns: new Map(names.map((name) => [name, together(({ columns }) => columns.get(name)!)]))
  }
}
