/** Messages between the main thread and the writer thread: plain values, copied by structured clone. */
import type { MessagePort } from "node:worker_threads"
import type { StoreUnavailable } from "../../domain/errors.ts"
import * as Points from "../../threads/threadPoints.ts"
import type { SessionRows } from "../PointStore.ts"

interface ThreadSessionPoints {
  readonly sessionId: number
  readonly points: Points.ThreadPoints
}

interface ThreadSessionSamples {
  readonly sessionId: number
  readonly group: string
  readonly samples: Points.ThreadSamples
}

type ThreadRows = ThreadSessionPoints | ThreadSessionSamples

export type WriterRequest =
  | { readonly _tag: "Write"; readonly batches: ReadonlyArray<ThreadRows> }
  | { readonly _tag: "Seal"; readonly sessionId: number }
  | { readonly _tag: "Remove"; readonly sessionId: number }
  | { readonly _tag: "Reclaim" }

/** Why a request failed. Plain, because an error's class and fields do not survive the copy. */
export interface WriterFailure {
  readonly reason: string
  readonly refusal: StoreUnavailable["refusal"]
}

export interface WriterSettings {
  readonly filename: string
  /** On this port the thread hears that the process gives up. */
  readonly abandoned: MessagePort
}

export const toThread = (rows: SessionRows): ThreadRows =>
  rows.group === undefined
    ? { sessionId: rows.sessionId, points: Points.toThread(rows.batch) }
    : { sessionId: rows.sessionId, group: rows.group, samples: Points.samplesToThread(rows.batch) }

export const fromThread = (rows: ThreadRows): SessionRows =>
  "points" in rows
    ? { sessionId: rows.sessionId, batch: Points.fromThread(rows.points) }
    : { sessionId: rows.sessionId, group: rows.group, batch: Points.samplesFromThread(rows.samples) }
