import { Context } from "effect"
import type { Dictionary } from "../../domain/Dictionary.ts"
import type { RowBatch } from "../../domain/RowBatch.ts"
import type { LiveEvent } from "./messages.ts"

/**
 * The port through which the recorder publishes live points and events. All calls are plain functions that return
 * immediately, however many clients there are: storage never waits for a live client.
 */
export class LivePublisher extends Context.Tag("live/LivePublisher")<
  LivePublisher,
  {
    /**
     * Rows of a group, just received; timestamps are epoch seconds. Rows that belong to points come before them. `first`: the
     * number of the first of these points in the session, from 1; undefined if unknown. The callee copies what it needs; the
     * caller may then reuse the batch.
     */
    readonly publish: (sessionId: number, group: string, batch: RowBatch, first?: number | undefined) => void
    /** The session's dictionary. Costs nothing if it has not changed. */
    readonly declare: (sessionId: number, dictionary: Dictionary) => void
    /** A lap was stored, or a session started or ended. */
    readonly announce: (event: LiveEvent) => void
  }
>() {}
