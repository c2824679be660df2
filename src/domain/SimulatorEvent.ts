import { Data } from "effect"
import type { ChannelSet } from "./ChannelSet.ts"
import type { PointBatch } from "./PointBatch.ts"

/** A line across the track, from one end to the other, in metres of the points' x and y. */
export interface StartLine {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

/**
 * What a simulator said, whatever its protocol. Times are seconds on the feed's own clock; the recorder
 * anchors them. Points come as batches, never one by one.
 */
export type SimulatorEvent = Data.TaggedEnum<{
  /**
   * A session runs. Names are "" where the protocol does not say. `clockZero`: epoch seconds of the feed's zero.
   * `tellsLaps`: the simulator times laps itself, and each comes as LapCompleted; none is to be found in the points.
   */
  SessionStarted: {
    readonly circuit: string
    readonly vehicle: string
    readonly driver: string
    readonly datetime: number | undefined
    readonly clockZero: number | undefined
    readonly circuitLength: number | undefined
    readonly startLine: StartLine | undefined
    readonly tellsLaps?: boolean
  }
  /**
   * `told`: the channels that each of these points has, where a NaN was sent and refuses its point; in the others it is
   * absent. `lapNumber` and `lapDistance` (m since the line): one value a point. `missing`: points the feed lost before
   * these.
   */
  Points: {
    readonly batch: PointBatch
    readonly told: ChannelSet
    readonly lapNumber: Float64Array | undefined
    readonly lapDistance: Float64Array | undefined
    readonly missing: number
  }
  /** The simulator's own word on a lap; what it does not say is undefined, what it could not time is null. */
  LapCompleted: {
    readonly lapNumber: number | undefined
    readonly lapTime: number | null
    readonly sectors: readonly [number | null, number | null, number | null]
    readonly valid: boolean | undefined
    readonly start: number | undefined
    readonly end: number | undefined
  }
  SessionEnded: {}
  /** A message that broke its shape, with the number of points that went with it. */
  Refused: { readonly reason: string; readonly points: number }
  /**
   * Points that the driver could not pass on: overtaken by later ones or come twice, with a value that is no number,
   * or more than its buffer holds.
   */
  Discarded: { readonly reason: "late" | "not_finite" | "overflow"; readonly points: number }
}>

export const SimulatorEvent = Data.taggedEnum<SimulatorEvent>()
