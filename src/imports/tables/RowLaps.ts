import type { SimulatorEvent } from "../../domain/SimulatorEvent.ts"

export type Lap = Extract<SimulatorEvent, { readonly _tag: "LapCompleted" }>

/** How a table tells laps, row by row. Plain. */
export interface RowLaps {
  /** Takes the next row that is kept; gives the laps that end with it. `time`: epoch seconds; `cells`: by column. */
  readonly take: (time: number, cells: Float64Array) => ReadonlyArray<SimulatorEvent>
  /** The laps that have not ended, at the last row. */
  readonly finish: (last: number) => ReadonlyArray<SimulatorEvent>
  readonly warnings: ReadonlyArray<string>
}
