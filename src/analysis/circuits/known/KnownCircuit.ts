/** A circuit with its official numbering, and how the table writes one. */
import type { Direction } from "../../../domain/analysis/comparison.ts"

export interface OfficialCorner {
  readonly number: number
  readonly direction: Direction
  /** m from the line. */
  readonly distance: number
  readonly name: string | null
}

export interface KnownCircuit {
  readonly name: string
  /** The ground that this layout shares with other layouts of the table, where there are any. */
  readonly site?: string
  /** m, as published. */
  readonly length: number
  readonly driven: "clockwise" | "anticlockwise" | "figure of eight"
  readonly corners: ReadonlyArray<OfficialCorner>
  /** By number: the least angle of a bend that is this corner, where another layout has a slighter bend there, degrees. */
  readonly sharp?: Readonly<Record<number, number>>
  readonly source: string
}

/** Corners, numbered from 1 in the order given: "740 R Michael Schumacher, 840 L" has the distance, side and name. */
export const corners = (rows: string): ReadonlyArray<OfficialCorner> =>
  rows.split(",").map((row, index) => {
    const [distance, side, ...name] = row.trim().split(/\s+/)
    return {
      number: index + 1,
      direction: side === "L" ? "left" : "right",
      distance: Number(distance),
      name: name.length === 0 ? null : name.join(" ")
    }
  })

export const onCentreLine = (map: string): string =>
  `Numbers and directions: ${map}; distances: measured along the centre line of TUMFTM/racetrack-database`

export const onLaps = (map: string, laps: string): string =>
  `Numbers and directions: ${map}; distances: measured along the line that ${laps} drove`

/** The corners of the line, counted in order. */
export const counted = (line: string): string =>
  `Numbers and directions: corners counted along the line; distances: measured along ${line}`

export const F1_CIRCUITS = "the line of bacinger/f1-circuits"
export const TUMFTM = "the centre line of TUMFTM/racetrack-database"

/** Each number has a place in the data of the Grand Prix, which lies on the line; the line gives the direction. */
export const onSessions =
  "Numbers and directions: corners in the session data of TracingInsights, on the line of bacinger/f1-circuits; distances: measured along that line"
