/** Words of lap kinds: laps with places, what is usual there, and the parts that are not driven at the driver's pace. */
import type { RecordedLap } from "../../domain/Lap.ts"
import type { SamplesAround } from "../compare/channelTraces.ts"
import type { LapOnGrid } from "../place/alignment.ts"

/** A first lap that passes the line slower than this share of the others starts from standstill, or rolling. */
export const LAUNCH_SHARE = 0.75

/** The launch itself is no pace, m. */
export const LAUNCH_M = 600

/** `running` is none of the others. A lap may be in lap and out lap. */
export type LapKind = "in_lap" | "out_lap" | "start" | "neutralised"

/** The kinds of laps that are no running laps, by lap id. */
export type LapKinds = ReadonlyMap<number, ReadonlySet<LapKind>>

/** Nodes of the grid, the last included. */
export interface Nodes {
  readonly from: number
  readonly to: number
}

/** A part of a lap that was not driven at the driver's own pace. */
export interface Interruption extends Nodes {
  readonly type: "pit_stop" | "neutralised"
  /** The channel that shows it; `speed` where the laps do. */
  readonly channel: string
  /** How the sentence calls it. */
  readonly what: string
}

export interface KnownLap {
  readonly kinds: ReadonlySet<LapKind>
  /** In the order driven. */
  readonly interruptions: ReadonlyArray<Interruption>
  /** Its own pace, as a multiple of the usual time: a field that has just started is slow everywhere. 1 for others. */
  readonly pace: number
}

/** A lap of the session, in the order driven. */
export interface Candidate {
  readonly lap: RecordedLap
  readonly onGrid: LapOnGrid | undefined
  /** Whether its time is at pace. */
  readonly atPace: boolean
  /** No timed lap came right before it. */
  readonly begins: boolean
  readonly around: ReadonlyArray<SamplesAround>
}

/** A lap with places, and what is usual there. */
export interface Placed extends Candidate {
  readonly onGrid: LapOnGrid
  /** The lap that follows without a break; undefined where it has no places, or is not among the laps. */
  readonly next: Placed | undefined
}

/** The session's own pace, node by node. */
export interface Usual {
  readonly step: number
  /** km/h. */
  readonly speed: Float64Array
  /** Times at the nodes, of each lap at pace. */
  readonly times: ReadonlyArray<Float64Array>
}

/** An interruption of a lap. */
export type OnLap = Interruption & { readonly lap: Placed }
