/** The interface to a file format that can be imported. Readers run on a thread of their own (readerThread.ts). */
import type { Gate } from "../domain/Gate.ts"
import type { SimulatorEvent } from "../domain/SimulatorEvent.ts"

/** A format is recognised by this many bytes at most. */
export const HEAD_BYTES = 64 * 1024

/** The bytes of a file, read synchronously. */
export interface SourceFile {
  /** Its last path part, as the user knows it. */
  readonly name: string
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** When the file was changed last, epoch seconds. */
  readonly modified: number
  /** The bytes from `position` on, at most `length`; fewer at the end of the file. In `memory` if it is given, which has room for them. */
  readonly bytes: (position: number, length: number, memory?: Uint8Array) => Uint8Array
  /** The text file that belongs to this one: the same name with another ending, ignoring case; undefined if there is none. */
  readonly sibling: (ending: string) => string | undefined
}

export interface ReadOptions {
  /** The zone of local times that name no zone, an IANA name. */
  readonly timeZone: string
  /** Start lines of other sessions, for files that have neither laps nor a line; the ones to be preferred first. */
  readonly startLines?: ReadonlyArray<Gate>
}

/** A scalar that a reader found out about a session, and that no channel or name holds. */
export type Facts = Readonly<Record<string, string | number | boolean | ReadonlyArray<number>>>

/** What a reader found since the last piece. */
export interface Piece {
  /** As a driver's: times are epoch seconds, and sessions begin with `clockZero: 0`. Their batches belong to the taker. */
  readonly events: ReadonlyArray<SimulatorEvent>
  /** The bytes of the file that were read so far. */
  readonly read: number
  /** Sentences for the user about what was left out, converted or assumed. */
  readonly warnings?: ReadonlyArray<string>
  /** Rows equal to the one before, which were left out. */
  readonly duplicates?: number
  /** Rows that were refused, by reason. */
  readonly refused?: Readonly<Record<string, number>>
  /** One for each session of the file, in their order; in the last piece. */
  readonly facts?: ReadonlyArray<Facts>
  /** The file is damaged: a sentence about what is missing. What came before stands. */
  readonly partial?: string
}

/** The reader cannot use the file at all; `reason` is a sentence for the user. */
export class UnreadableFile extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

export interface FileReader {
  /** Its name in answers: `iracing-ibt`. */
  readonly format: string
  /** Its name for people. */
  readonly title: string
  /** The endings of its files' names, in lower case, with the dot. Only folders are searched by them. */
  readonly endings: ReadonlyArray<string>
  /** Whether these first bytes of a file are of the format. `size`: of the file, bytes. */
  readonly recognises: (head: Uint8Array, size: number) => boolean
  /** Throws `UnreadableFile` before the first piece if it can use nothing of the file. */
  readonly read: (file: SourceFile, options: ReadOptions) => Iterable<Piece> | AsyncIterable<Piece>
}
