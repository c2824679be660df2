/** Entry of the thread that reads a file. It knows no store and no network. */
import { HEAD_BYTES, readerOf } from "./fileReaders.ts"
import { type Piece, type ReadOptions, UnreadableFile } from "./FileReader.ts"
import { withFile } from "./sourceFile.ts"
import { type Rows, SimulatorEvent } from "../domain/SimulatorEvent.ts"
import { serveItems } from "../platform/threads/serveItems.ts"
import { type ThreadBatch, toThread } from "../platform/threads/threadBatch.ts"

export interface ReadTask {
  readonly path: string
  readonly name: string
  readonly modified: number | undefined
  readonly options: ReadOptions
}

/** Rows with their batches as threads send them. */
export type ThreadRows = Omit<Rows, "batch" | "lap"> & {
  readonly batch: ThreadBatch
  readonly lap: ThreadBatch | undefined
}
export type ThreadEvent = Exclude<SimulatorEvent, Rows> | ThreadRows

export type FromReader =
  | { readonly format: string; readonly title: string; readonly version: number }
  | { readonly unreadable: string }
  | (Omit<Piece, "events"> & { readonly events: ReadonlyArray<ThreadEvent> })

const eventOf = (event: SimulatorEvent): ThreadEvent =>
  event._tag === "Rows"
    ? {
        ...event,
        batch: toThread(event.batch),
        lap: event.lap === undefined ? undefined : toThread(event.lap)
      }
    : event

/** The memory of the batches, which the reader has given away. */
const memoryOf = (item: FromReader): ReadonlyArray<ArrayBuffer> =>
  "events" in item
    ? item.events.flatMap((event) =>
        event._tag === "Rows"
          ? [event.batch, ...(event.lap === undefined ? [] : [event.lap])].map(
              ({ data }) => data.buffer as ArrayBuffer
            )
          : []
      )
    : []

serveItems(async function* ({ options, ...file }: ReadTask): AsyncGenerator<FromReader, void, void> {
  try {
    yield* withFile(file, async function* (source): AsyncGenerator<FromReader, void, void> {
      const { format, read, title, version } = readerOf(source.bytes(0, HEAD_BYTES), source.size)
      yield { format, title, version }
      for await (const { events, ...piece } of read(source, options))
        yield { ...piece, events: events.map(eventOf) }
    })
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    yield { unreadable: error.reason }
  }
}, memoryOf)
