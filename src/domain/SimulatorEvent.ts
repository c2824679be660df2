import { Data } from "effect"
import type { ChannelSet } from "./ChannelSet.ts"
import type { GroupDeclaration } from "./Dictionary.ts"
import type { SectorSource } from "./Lap.ts"
import type { LapBatch } from "./LapBatch.ts"
import type { PointBatch, SampleBatch } from "./PointBatch.ts"

/** A line across the track, from one end to the other, in metres of the points' x and y. */
export interface StartLine {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

/** Senders that are not heard and still named: a flood has any number. */
export const MAX_FOREIGNERS = 8

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
   * absent. `toldBySome`: those that at least one of them has, where these are more. `lap`: what the source says of the laps that
   * they are in, a sample for each point. `missing`: points the feed lost before these.
   */
  Points: {
    readonly batch: PointBatch
    readonly told: ChannelSet
    readonly toldBySome?: ChannelSet
    readonly lap: LapBatch | undefined
    readonly missing: number
  }
  /**
   * What the source tells besides, from here on; what was declared before stays. It holds for the session that runs, and for
   * those that begin later over the same link.
   */
  ChannelsDeclared: { readonly groups: ReadonlyArray<GroupDeclaration> }
  /**
   * Samples of a group that was declared. Columns: "timestamp", then channels of the group; what the group has besides is
   * absent. Their values may be absent; one that is no number becomes absent. `missing`: samples of the group that the feed
   * lost before these.
   */
  Samples: {
    readonly group: string
    readonly batch: SampleBatch
    readonly missing: number
  }
  /**
   * The simulator's own word on a lap; what it does not say is undefined, what it could not time is null. `sectorSource`: whose
   * sectors they are. Left out, they are the simulator's, and of a lap for which it tells none the recorder cuts some.
   */
  LapCompleted: {
    readonly lapNumber: number | undefined
    readonly lapTime: number | null
    readonly sectors: readonly [number | null, number | null, number | null]
    readonly sectorSource?: SectorSource
    readonly valid: boolean | undefined
    readonly start: number | undefined
    readonly end: number | undefined
  }
  SessionEnded: {}
  /** A message that broke its shape, with the number of points, or of samples of another group, that went with it. */
  Refused: { readonly reason: string; readonly points: number; readonly samples?: number }
  /**
   * Points, or samples of other groups, that the driver could not pass on: overtaken by later ones or come twice, with a value that
   * is no number, or more than its buffer holds.
   */
  Discarded: {
    readonly reason: "late" | "not_finite" | "overflow"
    readonly points: number
    readonly samples?: number
  }
  /** Datagrams that somebody else sent than the one who is heard. `senders`: addresses and ports, MAX_FOREIGNERS at most. */
  Foreign: { readonly datagrams: number; readonly senders: ReadonlyArray<string> }
}>

export const SimulatorEvent = Data.taggedEnum<SimulatorEvent>()
