import { Data } from "effect"
import type { ChannelSet } from "./ChannelSet.ts"
import type { GroupDeclaration } from "./Dictionary.ts"
import type { LapChange, SectorSource } from "./Lap.ts"
import type { LapBatch } from "./LapBatch.ts"
import type { RowBatch } from "./RowBatch.ts"
import type { SessionNames } from "./Session.ts"

/** A line across the track, from one end to the other, in metres of the points' x and y. */
export interface StartLine {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

/** The maximum number of ignored senders that are named: a flood can have any number of them. */
export const MAX_FOREIGNERS = 8

/**
 * A report of a simulator, whatever its protocol. Times are seconds on the feed's own clock; the recorder anchors them.
 * Points come as batches, never one by one.
 */
export type SimulatorEvent = Data.TaggedEnum<{
  /**
   * A session runs. Names are "" if the protocol does not have them.
   *
   * `clockZero`: the feed's zero in epoch seconds. `tellsLaps`: the simulator times laps itself, and reports each as
   * LapCompleted; the recorder must find none in the points. `tellsLastLap`: also the one that is under way at the end.
   * `numbersLaps`: a point without a lap number, among points
   * with one, is in no lap. `lapsFromLine`: the way before the start line is in no lap. `clockDecides`: the feed may
   * repeat this event while the session runs; the feed's clock then shows whether another session has begun. Not set if
   * the driver decides that.
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
    readonly tellsLastLap?: boolean
    readonly numbersLaps?: boolean
    readonly lapsFromLine?: boolean
    readonly clockDecides?: boolean
  }
  /**
   * Further channels that the source sends from here on; earlier declarations stay. The declaration applies to the
   * current session and to later sessions of the same link.
   */
  ChannelsDeclared: { readonly groups: ReadonlyArray<GroupDeclaration> }
  /**
   * Rows of a group: of the points, or of one that was declared. Columns: "timestamp", then channels of the group; its other
   * channels are absent. `missing`: rows that the feed lost before these.
   *
   * `declared`: the channels that each of these points has; a NaN in one of them was sent, and makes the recorder
   * refuse the point. Any other value may be absent; one that is not a number becomes absent. `declaredBySome`: the
   * channels that at least one of the points has, if these are more. `lap`: the source's lap data, one row for each
   * point; the recorder keeps it in the declared group `lapGroup`, or only uses it to cut laps.
   */
  Rows: {
    readonly group: string
    readonly batch: RowBatch
    readonly missing: number
    readonly declared?: ChannelSet
    readonly declaredBySome?: ChannelSet
    readonly lap?: LapBatch | undefined
    readonly lapGroup?: string | undefined
  }
  /**
   * The simulator's own report of a lap. A value that it does not report is undefined; a time that it could not measure
   * is null. `sectorSource`: the origin of the sectors, by default the simulator. If the simulator reports no sectors,
   * the recorder cuts them.
   */
  LapCompleted: {
    readonly lapNumber: number | undefined
    readonly lapTime: number | null
    readonly sectors: readonly [number | null, number | null, number | null]
    readonly sectorSource?: SectorSource
    readonly valid: boolean | undefined
    readonly start: number | undefined
    readonly end: number | undefined
    /** The driver of the lap, if it is not the session's driver. */
    readonly driver?: string
    /** A number of the driver's own, by which it may change the lap later. */
    readonly ref?: number
  }
  /** The simulator changes a lap of the running session that it reported with this `ref`. */
  LapChanged: { readonly ref: number; readonly change: LapChange }
  /** The session of the link before goes on, with the same feed clock, if it still runs. */
  SessionContinued: {}
  /** Names of the running session that came late or have changed. */
  SessionNamed: { readonly names: { readonly [K in keyof SessionNames]?: string } }
  SessionEnded: {}
  /** A malformed message, with the number of points, or of samples of another group, that were lost with it. */
  Refused: { readonly reason: string; readonly points: number; readonly samples?: number }
  /**
   * Points, or samples of other groups, that the driver could not pass on: later ones overtook them, they came twice, a
   * value was not a number, or the driver's buffer was full.
   */
  Discarded: {
    readonly reason: "late" | "not_finite" | "overflow"
    readonly points: number
    readonly samples?: number
  }
  /**
   * Datagrams from senders other than the recorded one. `senders`: addresses and ports, MAX_FOREIGNERS at most.
   */
  Foreign: { readonly datagrams: number; readonly senders: ReadonlyArray<string> }
}>

export const SimulatorEvent = Data.taggedEnum<SimulatorEvent>()

/** Rows of a group, as a simulator reports them. */
export type Rows = Extract<SimulatorEvent, { readonly _tag: "Rows" }>
