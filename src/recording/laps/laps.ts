/** Input and output of lap tracking. Times are epoch seconds. */
import type { NewLap, SectorSource } from "../../domain/Lap.ts"
import type { SectorLines } from "../../domain/SectorLines.ts"
import type { StartLine } from "../../domain/SimulatorEvent.ts"

/** A lap that was found. The recorder adds its session. */
export type LapCut = Omit<NewLap, "sessionId">

/**
 * A lap message of the simulator. A field that it does not send is undefined; a time that it could not measure is null.
 */
export interface LapMessage {
  readonly lapNumber: number | undefined
  readonly lapTime: number | null
  readonly sectors: Sectors
  /** The origin of the sectors, if the recorder must not cut any. */
  readonly sectorSource?: SectorSource | undefined
  readonly valid: boolean | undefined
  readonly start: number | undefined
  readonly end: number | undefined
  /** The driver of the lap, if it is not the session's driver. */
  readonly driver?: string
}

export interface TrackFacts {
  readonly circuitLength: number | undefined
  readonly startLine: StartLine | undefined
  /** The simulator sends a message for every lap. The recorder must not replace a lost message by a lap from the points. */
  readonly tellsLaps?: boolean
  /** Also for the lap that is under way at the end. */
  readonly tellsLastLap?: boolean
  /**
   * A lap runs from start line to start line. The way before the first passage is not a lap, nor is a lap that was
   * given up.
   */
  readonly lapsFromLine?: boolean
  /**
   * A point without a lap number, among points with one, is in no lap: it is on the way to the line, or after the
   * finish.
   */
  readonly numbersLaps?: boolean
}

/** Where the recording of an existing session continues. */
export interface Continuation {
  readonly nextNumber: number
  readonly lastLapEnd: number
}

export type Sectors = readonly [number | null, number | null, number | null]
export const untimed: Sectors = [null, null, null]

/** Sectors, their origin, and the lines that were defined to cut them. */
export interface CutSectors {
  readonly times: Sectors
  readonly source: SectorSource | null
  readonly lines?: SectorLines | undefined
}
export const uncut: CutSectors = { times: untimed, source: null }

export const cutOf = (
  span: { readonly number: number; readonly start: number; readonly end: number },
  lapTime: number | null,
  { lines, source, times: [sector1, sector2, sector3] }: CutSectors,
  valid: boolean
): LapCut => ({
  lapNumber: span.number,
  lapTime,
  sector1Time: sector1,
  sector2Time: sector2,
  sector3Time: sector3,
  sectorSource: source,
  ...(lines === undefined ? {} : { sectorLines: lines }),
  valid,
  startTime: span.start,
  endTime: span.end
})
