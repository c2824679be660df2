/** Turns the rows of a text table into the rows of a session. Plain. */
import type { GroupDeclaration } from "../../domain/Dictionary.ts"
import type { Rows } from "../../domain/SimulatorEvent.ts"
import { type ImportedChannel, ours } from "./importedChannels.ts"
import { Plane } from "./place.ts"
import { SessionRows } from "./SessionRows.ts"

/** Rows of a batch. */
const BATCH_ROWS = 2048

/** A channel, and the column of the table from which it is read. */
export interface TableColumn {
  readonly channel: ImportedChannel
  readonly column: number
  readonly convert?: ((value: number) => number) | undefined
}

export class TableRows {
  readonly #columns: ReadonlyArray<TableColumn>
  readonly #rows: SessionRows
  readonly #times = new Float64Array(BATCH_ROWS)
  readonly #values: ReadonlyArray<Float64Array>
  /** The indexes of latitude, longitude and altitude among the columns; -1 without one. */
  readonly #gps: readonly [latitude: number, longitude: number, altitude: number]
  readonly plane = new Plane()
  #length = 0
  #last = Number.NEGATIVE_INFINITY
  #lastCells: Float64Array | undefined
  duplicates = 0
  /** Rows whose time is not later than that of the row before. */
  outOfOrder = 0

  constructor(columns: ReadonlyArray<TableColumn>) {
    const at = (name: string) => columns.findIndex(({ channel }) => channel.name === name)
    this.#gps = [at("latitude"), at("longitude"), at("altitude")]
    const isPlaced = this.#gps[0] >= 0 && this.#gps[1] >= 0 && at("position_x") < 0
    const placed = isPlaced ? ["position_x", "position_y", ...(this.#gps[2] < 0 ? [] : ["position_z"])] : []
    if (!isPlaced) this.#gps = [-1, -1, -1]
    this.#columns = columns
    this.#rows = new SessionRows([
      ...columns.map(({ channel }) => channel),
      ...placed.map((name) => ours(name)!)
    ])
    this.#values = columns.map(() => new Float64Array(BATCH_ROWS))
  }

  get declarations(): ReadonlyArray<GroupDeclaration> {
    return this.#rows.declarations
  }

  /** The time of the last row that was kept; -Infinity before the first. */
  get last(): number {
    return this.#last
  }

  get refused(): Readonly<Record<string, number>> {
    return this.outOfOrder === 0 ? {} : { out_of_order: this.outOfOrder }
  }

  /**
   * Takes a row, and returns whether it is kept. `time`: epoch seconds; `cells`: by column of the table, NaN where absent;
   * the caller may reuse them. A full batch must be taken before the next row.
   */
  push(time: number, cells: Float64Array): boolean {
    if (!(time > this.#last)) {
      const isSame = time === this.#last && this.#lastCells?.every((cell, n) => Object.is(cell, cells[n]))
      if (isSame === true) this.duplicates++
      else this.outOfOrder++
      return false
    }
    this.#last = time
    this.#lastCells ??= new Float64Array(cells.length)
    this.#lastCells.set(cells)
    const row = this.#length++
    this.#times[row] = time
    for (let n = 0; n < this.#columns.length; n++) {
      const { column, convert } = this.#columns[n]!
      const value = cells[column]!
      this.#values[n]![row] = convert === undefined ? value : convert(value)
    }
    return true
  }

  get isFull(): boolean {
    return this.#length === BATCH_ROWS
  }

  /** The rows since the last call. */
  take(): ReadonlyArray<Rows> {
    const length = this.#length
    this.#length = 0
    if (length === 0) return []
    const open = this.#rows.open(length)
    open.times.set(this.#times.subarray(0, length))
    this.#values.forEach((values, n) => open.columns[n]!.set(values.subarray(0, length)))
    const [latitude, longitude, altitude] = this.#gps
    if (latitude >= 0) {
      const x = this.#columns.length
      this.plane.place(
        open.columns[latitude]!,
        open.columns[longitude]!,
        open.columns[x]!,
        open.columns[x + 1]!,
        length
      )
      if (altitude >= 0) open.columns[x + 2]!.set(open.columns[altitude]!)
    }
    return open.finish()
  }
}
