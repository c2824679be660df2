/** What the main thread and the writer thread say to each other: plain values, copied by structured clone. */
import type { MessagePort } from "node:worker_threads"
import * as Points from "../../threads/wirePoints.ts"
import type { SessionRows } from "../PointStore.ts"

interface WireSessionPoints {
  readonly sessionId: number
  readonly points: Points.WirePoints
}

interface WireSessionSamples {
  readonly sessionId: number
  readonly group: string
  readonly samples: Points.WireSamples
}

type WireRows = WireSessionPoints | WireSessionSamples

export type WriterRequest =
  | { readonly _tag: "Write"; readonly batches: ReadonlyArray<WireRows> }
  | { readonly _tag: "Seal"; readonly sessionId: number }
  | { readonly _tag: "Remove"; readonly sessionId: number }
  | { readonly _tag: "Reclaim" }

/** Why a request was not carried out; an error's class and fields do not survive the copy either. */
export interface WriterFailure {
  readonly reason: string
}

export interface WriterSettings {
  readonly filename: string
  /** At which it hears that the process gives up. */
  readonly abandoned: MessagePort
}

export const toWire = (rows: SessionRows): WireRows =>
  rows.group === undefined
    ? { sessionId: rows.sessionId, points: Points.toWire(rows.batch) }
    : { sessionId: rows.sessionId, group: rows.group, samples: Points.samplesToWire(rows.batch) }

export const fromWire = (rows: WireRows): SessionRows =>
  "points" in rows
    ? { sessionId: rows.sessionId, batch: Points.fromWire(rows.points) }
    : { sessionId: rows.sessionId, group: rows.group, batch: Points.samplesFromWire(rows.samples) }
