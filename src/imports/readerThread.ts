/** Entry of the thread that reads a file. It knows no store and no network. */
import { readerOf } from "./fileReaders.ts"
import { HEAD_BYTES, type Piece, type ReadOptions, UnreadableFile } from "./FileReader.ts"
import { withFile } from "./sourceFile.ts"
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

/** The memory of the batches, which the reader has given away. */
const memoryOf = ({ value }: IteratorResult<FromReader, void>): ReadonlyArray<ArrayBuffer> =>
  value !== undefined && "events" in value
    ? value.events.flatMap((event) =>
        event._tag === "Rows"
          ? [event.batch, ...(event.lap === undefined ? [] : [event.lap])].map(
              ({ data }) => data.buffer as ArrayBuffer
            )
          : []
      )
    : []

answerAsks((task: ReadTask) => {
  const pieces = read(task)
  // The thread reads the next piece while the other side stores the last one: memory holds two.
  let next = pieces.next()
  return async (_ask: null) => {
    const piece = await next
    next = pieces.next()
    // Its failure is that of the ask that awaits it.
    next.catch(() => undefined)
    return piece
  }
}, memoryOf)
