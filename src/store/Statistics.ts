import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../domain/errors.ts"
import type { RecordedLap, SectorSource } from "../domain/Lap.ts"
import type { Session, SessionNamesWanted } from "../domain/Session.ts"

/** The laps of a ranking. */
export interface RankedWanted extends SessionNamesWanted {
  readonly tag?: string | undefined
}

/** A lap with its circuit, vehicle, driver and date. */
export type PlacedLap = RecordedLap & Pick<Session, "circuit" | "vehicle" | "driver" | "datetime">

/**
 * The totals of a set of sessions. For a driver, they cover the laps that the driver drove, and the sessions that have
 * such a lap or are the driver's own. A timed lap is a valid one with a time of more than 0 s and at most a day. Only
 * timed laps count for `bestLapTime` (null without one) and for `seconds`, the sum of their times to the nanosecond.
 */
export interface Totals {
  readonly sessions: number
  /** All laps that the catalog keeps, valid or not, without those that were withdrawn. */
  readonly laps: number
  readonly timedLaps: number
  readonly seconds: number
  readonly bestLapTime: number | null
  /**
   * To the micrometre, over the sessions whose distance was measured. A session's distance counts for its own driver.
   */
  readonly metres: number
}

export interface CircuitTotals extends Totals {
  /** The spelling of the newest session. */
  readonly circuit: string
  /** The best sector times of valid laps, s; null if a sector was never timed. */
  readonly bestSectors: readonly [number | null, number | null, number | null]
  /** The origin of the sectors. */
  readonly sectorSource: SectorSource
  /** Each spelling once, sorted by code units. */
  readonly drivers: ReadonlyArray<string>
  readonly vehicles: ReadonlyArray<string>
}

/** Totals and best laps over all sessions, and which circuits and vehicles they have. */
export class Statistics extends Context.Tag("store/Statistics")<
  Statistics,
  {
    /**
     * The fastest timed laps with these names: the circuit and vehicle of the session, and the driver of the lap (whole
     * names, ignoring case). Without names, those of all sessions. With a tag, the laps that have it or whose session has
     * it. Laps with equal times are ordered by start, then by
     * id.
     */
    readonly bestLaps: (
      wanted: RankedWanted,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PlacedLap>, StoreUnavailable>
    /** The totals of all sessions on a circuit; undefined if there is none. */
    readonly circuitTotals: (circuit: string) => Effect.Effect<CircuitTotals | undefined, StoreUnavailable>
    /** Totals of these names by circuit, sorted. A circuit is spelled as in its newest session, whoever drove it. */
    readonly totalsByCircuit: (
      names: SessionNamesWanted
    ) => Effect.Effect<ReadonlyArray<{ readonly circuit: string; readonly totals: Totals }>, StoreUnavailable>
    /** The driver's name as spelled in the driver's newest session; undefined for a driver without a session and a lap. */
    readonly driverName: (driver: string) => Effect.Effect<string | undefined, StoreUnavailable>
    /** The sessions with these names whose distance is not known, by increasing id. */
    readonly notMeasured: (
      names: SessionNamesWanted
    ) => Effect.Effect<
      ReadonlyArray<{ readonly sessionId: number; readonly circuit: string }>,
      StoreUnavailable
    >
    readonly counts: Effect.Effect<{ readonly sessions: number; readonly laps: number }, StoreUnavailable>
    /** The circuits that have a session, sorted. */
    readonly circuits: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    readonly vehicles: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  }
>() {}
