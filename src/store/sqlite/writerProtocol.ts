/** What the main thread and the writer thread say to each other: plain values, copied by structured clone. */
import { PointBatch } from "../../domain/PointBatch.ts"
import type { SessionPoints } from "../PointStore.ts"

/** A batch of all channels without its class, which does not survive the copy. */
interface WirePoints {
  readonly sessionId: number
  readonly length: number
  readonly data: Float64Array
}

export type WriterRequest =
  | { readonly _tag: "Write"; readonly batches: ReadonlyArray<WirePoints> }
  | { readonly _tag: "Seal"; readonly sessionId: number }
  | { readonly _tag: "Remove"; readonly sessionId: number }

/** Why a request was not carried out; an error's class and fields do not survive the copy either. */
export interface WriterFailure {
  readonly reason: string
}

export interface WriterSettings {
  readonly filename: string
}

export const toWire = ({ sessionId, batch }: SessionPoints): WirePoints => ({
  sessionId,
  length: batch.length,
  // A copied view takes its whole buffer along, which may be that of a long receive.
  data: batch.data.byteLength === batch.data.buffer.byteLength ? batch.data : batch.data.slice()
})

export const fromWire = ({ sessionId, length, data }: WirePoints): SessionPoints => ({
  sessionId,
  batch: new PointBatch(length, data)
})
