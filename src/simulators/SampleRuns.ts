/** The samples of groups before they leave an EventBuffer: row by row, and then as one batch for each group and run. */
import type { Columns } from "../domain/Dictionary.ts"
import { channels } from "../domain/pointChannels.ts"
import { RowBatch } from "../domain/RowBatch.ts"
import type { SimulatorEvent } from "../domain/SimulatorEvent.ts"
import type { ColumnMemory } from "./ColumnMemory.ts"

/** The layout of a group's rows: the same object for all of its rows. */
export interface SampleGroup {
  readonly name: string
  /** "timestamp" first. */
  readonly columns: Columns
}

/**
 * The maximum number of values that wait while the connection takes none: as many bytes as of points. Further rows are
 * lost and counted.
 */
export const MAX_WAITING_VALUES = (1 << 19) * (channels.length + 2)
const FIRST_ROWS = 4
/** The number of a group's values for which memory is kept between two runs; a burst's memory is freed. */
const KEPT_VALUES = 1 << 14

/** The rows of one group since the last event. */
class Run {
  readonly group: SampleGroup
  #rows: Float64Array
  #length = 0

  constructor(group: SampleGroup) {
    this.group = group
    this.#rows = new Float64Array(FIRST_ROWS * group.columns.length)
  }

  add(row: Float64Array): void {
    const at = this.#length * row.length
    if (at === this.#rows.length) {
      const larger = new Float64Array(at * 2)
      larger.set(this.#rows)
      this.#rows = larger
    }
    this.#rows.set(row, at)
    this.#length++
  }

  get length(): number {
    return this.#length
  }

  /** The rows as columns; then there are none. */
  take(memory: ColumnMemory): RowBatch {
    const { columns } = this.group
    const length = this.#length
    const width = columns.length
    const rows = this.#rows
    const data = memory.take(length * width)
    for (let c = 0; c < width; c++) {
      for (let i = 0; i < length; i++) data[c * length + i] = rows[i * width + c]!
    }
    this.#length = 0
    if (rows.length > KEPT_VALUES) this.#rows = new Float64Array(FIRST_ROWS * width)
    return new RowBatch(length, data, columns)
  }
}

export class SampleRuns {
  readonly #memory: ColumnMemory
  readonly #runs = new Map<SampleGroup, Run>()
  #waiting = 0
  #dropped = 0

  constructor(memory: ColumnMemory) {
    this.#memory = memory
  }

  add(group: SampleGroup, row: Float64Array): void {
    if (this.#waiting + row.length > MAX_WAITING_VALUES) {
      this.#dropped++
      return
    }
    let run = this.#runs.get(group)
    if (run === undefined) this.#runs.set(group, (run = new Run(group)))
    run.add(row)
    this.#waiting += row.length
  }

  /** Ends the runs. */
  flushInto(events: Array<SimulatorEvent>): void {
    for (const run of this.#runs.values()) {
      if (run.length === 0) continue
      // A plain object: the constructor of events costs more than the rows.
      events.push({ _tag: "Rows", group: run.group.name, batch: run.take(this.#memory), missing: 0 })
    }
  }

  /** A batch waits no longer. */
  taken(batch: RowBatch): void {
    this.#waiting -= batch.data.length
  }

  /** The number of rows for which there was no room, since the last call. */
  takeDropped(): number {
    const dropped = this.#dropped
    this.#dropped = 0
    return dropped
  }
}
