/** Entry of the thread that reads a file. It knows no store and no network. */
import { memoryOf } from "./eventsOfReader.ts"
import { readerOf } from "./fileReaders.ts"
import { HEAD_BYTES, type Piece, type ReadOptions, UnreadableFile } from "./FileReader.ts"
import { withFile } from "./sourceFile.ts"
import { giveBack } from "./tables/rowMemory.ts"
import { type Rows, SimulatorEvent } from "../domain/SimulatorEvent.ts"
import { answerAsks } from "../platform/threads/answerAsks.ts"
import { type ThreadBatch, toThread } from "../platform/threads/threadBatch.ts"

export interface ReadTask {
  readonly path: string
  readonly name: string
  readonly modified: number | undefined
  readonly siblings?: Readonly<Record<string, string>> | undefined
  readonly options: ReadOptions
}

/** Rows with their batches as threads send them. */
export type ThreadRows = Omit<Rows, "batch" | "lap"> & {
  readonly batch: ThreadBatch
  readonly lap: ThreadBatch | undefined
}
export type ThreadEvent = Exclude<SimulatorEvent, Rows> | ThreadRows

export type FromReader =
  | { readonly format: string }
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

async function* read({ options, ...file }: ReadTask): AsyncGenerator<FromReader, void, void> {
  try {
    yield* withFile(file, async function* (source): AsyncGenerator<FromReader, void, void> {
      const { format, read } = readerOf(source.bytes(0, HEAD_BYTES), source.size)
      yield { format }
      for await (const { events, ...piece } of read(source, options)) {
        yield { ...piece, events: events.map(eventOf) }
      }
    })
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    yield { unreadable: error.reason }
  }
}

/** The other side returns the memory of rows that it has stored. */
answerAsks(
  (task: ReadTask) => {
    const pieces = read(task)
    return (stored: ReadonlyArray<ArrayBuffer>) => {
      giveBack(stored)
      return pieces.next()
    }
  },
  // The reader has given the batches away.
  ({ value }) => (value !== undefined && "events" in value ? memoryOf(value.events) : [])
)
