/** Samples of groups on their way out of an EventBuffer: row by row, and as one batch a group and run. */
import type { Columns } from "../domain/Dictionary.ts"
import { channels, PointBatch, type SampleBatch } from "../domain/PointBatch.ts"
import type { SimulatorEvent } from "../domain/SimulatorEvent.ts"
import type { ColumnMemory } from "./ColumnMemory.ts"

/** A group as its rows are laid out: the same object for all of its rows. */
export interface SampleGroup {
  readonly name: string
  /** "timestamp" first. */
  readonly columns: Columns
}

/** Values that wait for a connection which is held up: as many bytes as points may have. More rows are lost, and counted. */
export const MAX_WAITING_VALUES = (1 << 19) * (channels.length + 2)
const FIRST_ROWS = 4
/** Values kept of a group between two runs; a burst's memory is given back. */
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
  take(memory: ColumnMemory): SampleBatch {
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
    return new PointBatch(length, data, columns)
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
      // An object as it is: the constructor of events costs more than the rows.
      events.push({ _tag: "Samples", group: run.group.name, batch: run.take(this.#memory), missing: 0 })
    }
  }

  /** A batch waits no longer. */
  taken(batch: SampleBatch): void {
    this.#waiting -= batch.data.length
  }

  /** How many rows there was no room for, since this was last asked. */
  takeDropped(): number {
    const dropped = this.#dropped
    this.#dropped = 0
    return dropped
  }
}
