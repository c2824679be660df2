import { MAX_LAYOUTS } from "../../domain/CircuitLayout.ts"
import type { SectorLines } from "../../domain/SectorLines.ts"
import type { DrivenDistance } from "./DrivenDistance.ts"
import type { CutSectors } from "./laps.ts"

/**
 * Cuts laps into sectors if the source sends no sector times. It keeps the sector lines that it defines in doing so.
 */
export class SectorCutter {
  readonly #layouts: Array<SectorLines>

  constructor(layouts: ReadonlyArray<SectorLines>) {
    this.#layouts = [...layouts]
  }

  /** The sector lines of the circuit's layouts that were driven, the oldest first. */
  get layouts(): ReadonlyArray<SectorLines> {
    return this.#layouts
  }

  /** Cuts a lap from `start` to `end` that took `lapTime`, s. Only valid laps define lines. */
  cut(
    driven: DrivenDistance,
    {
      end,
      lapTime,
      start,
      valid
    }: { readonly start: number; readonly end: number; readonly lapTime: number; readonly valid: boolean }
  ): CutSectors {
    const lays = valid && this.#layouts.length < MAX_LAYOUTS
    const sectors = driven.sectors(start, end, lapTime, this.#layouts, lays)
    if (sectors.lines !== undefined) this.#layouts.push(sectors.lines)
    return sectors
  }
}
