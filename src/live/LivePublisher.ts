import { Context } from "effect"
import type { Dictionary } from "../domain/Dictionary.ts"
import type { PointBatch, SampleBatch } from "../domain/PointBatch.ts"
import type { LiveEvent } from "./messages.ts"

/**
 * Where the recorder publishes what happens now. All calls are plain functions that return at once, however many
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
    /**
     * Samples of another group than `points`, just received, and before points that they belong to: "timestamp", epoch seconds, is
     * among their columns. The callee copies what it needs.
     */
    readonly publishSamples: (sessionId: number, group: string, batch: SampleBatch) => void
    /** The session's dictionary; costs nothing where it is that of before. */
    readonly declare: (sessionId: number, dictionary: Dictionary) => void
    /** A lap was stored, or a session started or ended. */
    readonly announce: (event: LiveEvent) => void
  }
>() {}
