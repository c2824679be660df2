/** What a writer of a text format of other programs gets, and what it gives. */
import type { Gate } from "../../domain/Gate.ts"
import type { ChannelDefinition } from "../../domain/Dictionary.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import type { RowBatch } from "../../domain/RowBatch.ts"
import type { Session } from "../../domain/Session.ts"

/** The file that is written. */
export interface ExchangeFile {
  readonly session: Session
  /** Those in the file, in order of time. */
  readonly laps: ReadonlyArray<RecordedLap>
  /** Of the rows' columns after the timestamp: those of the coordinates first, if there are any. */
  readonly columns: ReadonlyArray<ChannelDefinition>
  /** The time of the first row, epoch seconds. */
  readonly start: number
  /** The start line; undefined without a timed lap and coordinates. */
  readonly gate: Gate | undefined
}

export interface ExchangeFormat {
  readonly ending: string
  readonly contentType: string
  /** It has nothing but what has a place on the Earth. */
  readonly needsCoordinates: boolean
  readonly head: (file: ExchangeFile) => string
  /** The text of rows of one lap, or of none. A writer is made for each file, and gets its rows in order. */
  readonly writer: (file: ExchangeFile) => (batch: RowBatch, lap: number | null) => string
  /** Between the rows of one lap and those after it. */
  readonly between?: string
  readonly foot: string
}

/** The column of a channel among a batch's; undefined if the file does not have it. */
export const columnIn = ({ channels, data, length }: RowBatch, name: string): Float64Array | undefined => {
  const at = channels.indexOf(name)
  return at < 0 ? undefined : data.subarray(at * length, (at + 1) * length)
}

/** A number as its shortest decimal; empty where it is absent. */
export const cell = (value: number): string => (Number.isNaN(value) ? "" : String(value))

/** A cell of CSV. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '""').replace(/[\r\n]+/g, " ")}"`

const two = (value: number) => String(value).padStart(2, "0")

/** `dd/mm/yyyy`, UTC. */
export const dayOf = (epochSeconds: number): string => {
  const date = new Date(epochSeconds * 1000)
  return `${two(date.getUTCDate())}/${two(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}`
}

/** `hh:mm:ss`, UTC. */
export const clockOf = (epochSeconds: number): string =>
  new Date(epochSeconds * 1000).toISOString().slice(11, 19)
