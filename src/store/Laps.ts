import { Context, type Effect } from "effect"
import type {
  LapNotFound,
  SessionBeingRecorded,
  SessionNotFound,
  StoreUnavailable
} from "../domain/errors.ts"
import type { LapChange, NewLap, RecordedLap } from "../domain/Lap.ts"

/** The laps of the sessions. */
export class Laps extends Context.Tag("store/Laps")<
  Laps,
  {
    /**
     * Numbers and keeps laps. A lap with the same session and start as a kept one is the same lap, so a retry is safe.
     */
    readonly addLaps: (
      laps: ReadonlyArray<NewLap>
    ) => Effect.Effect<ReadonlyArray<RecordedLap>, SessionNotFound | StoreUnavailable>
    /**
     * Changes a lap, by its session and start, and moves bests and statistics accordingly. Undefined if there is no such
     * lap.
     */
    readonly changeLap: (
      sessionId: number,
      startTime: number,
      change: LapChange
    ) => Effect.Effect<RecordedLap | undefined, StoreUnavailable>
    /**
     * Makes these the laps of a session that is not being recorded. A lap with the times and the number of one before keeps its
     * id and its mark; the marks of the others outlive them.
     */
    readonly replaceLaps: (
      sessionId: number,
      laps: ReadonlyArray<NewLap>
    ) => Effect.Effect<ReadonlyArray<RecordedLap>, SessionNotFound | SessionBeingRecorded | StoreUnavailable>
    readonly lap: (id: number) => Effect.Effect<RecordedLap, LapNotFound | StoreUnavailable>
    /** Ordered by lap_number, then start_time. */
    readonly laps: (
      sessionId: number
    ) => Effect.Effect<ReadonlyArray<RecordedLap>, SessionNotFound | StoreUnavailable>
  }
>() {}
