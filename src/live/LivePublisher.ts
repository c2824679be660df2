import { Context } from "effect"
import type { PointBatch } from "../domain/PointBatch.ts"
import type { LiveEvent } from "./messages.ts"

/**
 * Where the recorder publishes what happens now. Both calls are plain functions that return at once, however many
 * clients there are: storage never waits for a live client.
 */
export class LivePublisher extends Context.Tag("live/LivePublisher")<
  LivePublisher,
  {
    /**
     * Points just received; timestamps are epoch seconds. `first` is the number of the first one among the session's, from 1;
     * undefined where that is not known. The callee copies what it needs of the batch, which is the caller's again.
     */
    readonly publish: (sessionId: number, batch: PointBatch, first?: number | undefined) => void
    /** A lap was stored, or a session started or ended. */
    readonly announce: (event: LiveEvent) => void
  }
>() {}
