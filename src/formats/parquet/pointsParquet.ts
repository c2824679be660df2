/**
 * Rows as a Parquet file: doubles, exact to the bit, null where a channel is absent. What a JSON document has beside its
 * rows is key-value metadata, as JSON.
 */
import { Effect, Stream } from "effect"
import type { RowBatch } from "../../domain/RowBatch.ts"
import { entryOf } from "../../platform/threads/entry.ts"
import * as ThreadDialogue from "../../platform/threads/ThreadDialogue.ts"
import { toThread } from "../../platform/threads/threadBatch.ts"
import type { ParquetAsk, ParquetTask } from "./encoderThread.ts"

export const PARQUET_TYPE = "application/vnd.apache.parquet"

/** The batches must have the task's columns, in its order. */
export const table = <E, R>(
  batches: Stream.Stream<RowBatch, E, R>,
  task: ParquetTask
): Stream.Stream<Uint8Array, E, R> =>
  Stream.unwrapScoped(
    Effect.map(
      ThreadDialogue.start<ParquetAsk, Uint8Array>(entryOf("./encoderThread", import.meta.url), task),
      (ask) => {
        const rows = Stream.mapEffect(batches, (batch) => ask(toThread(batch)))
        const end = Stream.fromEffect(Effect.suspend(() => ask(null)))
        return Stream.filter(Stream.concat(rows, end), (bytes) => bytes.length > 0)
      }
    )
  )
