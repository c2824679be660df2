/** Samples of groups on their way out of an EventBuffer: row by row, and as one batch a group and run. */
import type { Columns } from "../domain/Dictionary.ts"
import { channels, PointBatch, type SampleBatch } from "../domain/PointBatch.ts"
import { SimulatorEvent } from "../domain/SimulatorEvent.ts"

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

  /** Of all its rows. */
  get values(): number {
    return this.#length * this.group.columns.length
  }

  /** The rows as columns, which lie in `memory` from `at` on; then there are none. */
  takeInto(memory: Float64Array, at: number): SampleBatch {
    const { columns } = this.group
    const length = this.#length
    const width = columns.length
    const rows = this.#rows
    for (let c = 0; c < width; c++) {
      for (let i = 0; i < length; i++) memory[at + c * length + i] = rows[i * width + c]!
    }
    this.#length = 0
    if (rows.length > KEPT_VALUES) this.#rows = new Float64Array(FIRST_ROWS * width)
    return new PointBatch(length, memory.subarray(at, at + length * width), columns)
  }
}

export class SampleRuns {
  readonly #runs: Array<Run> = []
  #waiting = 0
  #dropped = 0

  add(group: SampleGroup, row: Float64Array): void {
    if (this.#waiting + row.length > MAX_WAITING_VALUES) {
      this.#dropped++
      return
    }
    let run = this.#runs.find((one) => one.group === group)
    if (run === undefined) {
      run = new Run(group)
      this.#runs.push(run)
    }
    run.add(row)
    this.#waiting += row.length
  }

  /** Ends the runs. Their batches share one memory: an allocation for each group would cost more than all the rest. */
  flushInto(events: Array<SimulatorEvent>): void {
    let values = 0
    for (const run of this.#runs) values += run.values
    if (values === 0) return
    const memory = new Float64Array(values)
    let at = 0
    for (const run of this.#runs) {
      if (run.values === 0) continue
      const batch = run.takeInto(memory, at)
      at += batch.data.length
      events.push(SimulatorEvent.Samples({ group: run.group.name, batch, missing: 0 }))
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
