/** Imports of files: what became of each file that was given to the service. */
import { Schema } from "effect"
import { DateTime } from "./DateTime.ts"
import { Id } from "./Id.ts"

/**
 * `uploading`: bytes of the file are missing. `queued`: it waits. `reading`: it is read and stored. `done`: all of it is stored. `partial`: the file is damaged, and
 * what is whole is stored. `failed`: nothing is stored. `cancelled`: it was ended, and nothing is stored.
 */
export const ImportState = Schema.Literal(
  "uploading",
  "queued",
  "reading",
  "done",
  "partial",
  "failed",
  "cancelled"
)
export type ImportState = typeof ImportState.Type

/** What a reader found in the file so far, and what was stored of it. */
export const ImportReport = Schema.Struct({
  format: Schema.NullOr(Schema.String).annotations({ description: "Null until the format is recognised" }),
  read: Schema.Int.annotations({ description: "Bytes of the file that were read" }),
  rows: Schema.Int.annotations({ description: "Points and samples" }),
  values: Schema.Int,
  rowsPerSecond: Schema.NullOr(Schema.Number).annotations({ description: "Null before it is read" }),
  laps: Schema.Int,
  warnings: Schema.Array(Schema.String).annotations({ description: "Sentences, 100 at most" }),
  duplicates: Schema.Int.annotations({ description: "Rows equal to the one before, which were left out" }),
  refused: Schema.Record({ key: Schema.String, value: Schema.Int }).annotations({
    description: "Rows that were refused, by reason"
  }),
  overlaps: Schema.Array(Id).annotations({
    description: "Sessions that were recorded live of the same drive"
  }),
  detail: Schema.NullOr(Schema.String).annotations({
    description: "Why it failed, or what is missing of a damaged file; else null"
  })
})
export type ImportReport = typeof ImportReport.Type

export const noReport: ImportReport = {
  format: null,
  read: 0,
  rows: 0,
  values: 0,
  rowsPerSecond: null,
  laps: 0,
  warnings: [],
  duplicates: 0,
  refused: {},
  overlaps: [],
  detail: null
}

export const FileImport = Schema.Struct({
  id: Id,
  name: Schema.String.annotations({ description: "The name of the file" }),
  sha256: Schema.NullOr(Schema.String).annotations({
    description: "Of its bytes; null while some are missing"
  }),
  size: Schema.Int.annotations({ description: "Bytes; 0 while they are not known" }),
  received: Schema.Int.annotations({ description: "Bytes that are here" }),
  batch: Schema.NullOr(Schema.String).annotations({ description: "The batch that it was uploaded in" }),
  state: ImportState,
  progress: Schema.Number.annotations({ description: "The part of the file that was read, 0 to 1" }),
  sessions: Schema.Array(Id).annotations({ description: "Those that were made of the file and still exist" }),
  started: Schema.NullOr(DateTime),
  finished: Schema.NullOr(DateTime),
  ...ImportReport.fields
}).annotations({ identifier: "FileImport" })
export type FileImport = typeof FileImport.Type

/** A user's words for what a file does not say, and how it is to be read. */
export const ImportOptions = Schema.Struct({
  circuit: Schema.optional(Schema.String),
  vehicle: Schema.optional(Schema.String),
  driver: Schema.optional(Schema.String),
  /** The zone of times that name none, an IANA name. */
  timeZone: Schema.optional(Schema.String),
  /** When the file was changed last, epoch seconds. */
  modified: Schema.optional(Schema.Number),
  /** Also if the same bytes were imported before. */
  again: Schema.optional(Schema.Boolean),
  /** The import whose laps the file cuts anew. */
  of: Schema.optional(Schema.Int)
})
export type ImportOptions = typeof ImportOptions.Type

export interface NewFileImport {
  readonly name: string
  /** Null while bytes are missing. */
  readonly sha256: string | null
  /** Bytes; 0 while they are not known. */
  readonly size: number
  readonly state: ImportState
  readonly options: ImportOptions
  readonly batch?: string
}

/** An import that has not finished, with what it is to be read by. */
export type UnfinishedImport = FileImport & { readonly options: ImportOptions }

/** Which imports are listed; all without a choice. */
export interface ImportsWanted {
  readonly state?: ImportState | undefined
  readonly batch?: string | undefined
  /** Those of a file with these bytes. */
  readonly sha256?: string | undefined
  /** Those that made this session. */
  readonly sessionId?: number | undefined
}

/** Changes of an import; what is left out stays. Times are epoch seconds. */
export interface ImportChange {
  readonly state?: ImportState
  readonly sha256?: string
  readonly size?: number
  readonly started?: number
  readonly finished?: number | null
  readonly report?: ImportReport
}
