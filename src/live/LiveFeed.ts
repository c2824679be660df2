import { Context } from "effect"
import type { Lap } from "../domain/Lap.ts"
import type { PointBatch } from "../domain/PointBatch.ts"
import type { Session } from "../domain/Session.ts"

/**
 * Where the recorder tells what is happening now. Both calls are plain functions that return at once
 * whatever the audience: storage never waits for a live client.
 */
export class LiveFeed extends Context.Tag("live/LiveFeed")<
  LiveFeed,
  {
    /**
     * Points just received; timestamps are epoch seconds. `first` is the number of the first one among the session's, from 1;
     * undefined where that is not known. What is wanted of the batch is copied: it is the caller's again.
     */
    readonly publish: (sessionId: number, batch: PointBatch, first?: number | undefined) => void
    /** A lap was stored, or a session started or ended. */
    readonly announce: (
      event:
        | { readonly type: "lap"; readonly session_id: number; readonly data: Lap }
        | { readonly type: "session"; readonly session_id: number; readonly data: Session }
    ) => void
  }
>() {}
