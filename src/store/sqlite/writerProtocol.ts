/** What the main thread and the writer thread say to each other: plain values, copied by structured clone. */
import type { MessagePort } from "node:worker_threads"
import * as Points from "../../threads/wirePoints.ts"
import type { SessionPoints } from "../PointStore.ts"

interface WireSessionPoints {
  readonly sessionId: number
  readonly points: Points.WirePoints
}

export type WriterRequest =
  | { readonly _tag: "Write"; readonly batches: ReadonlyArray<WireSessionPoints> }
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

export const toWire = ({ batch, sessionId }: SessionPoints): WireSessionPoints => ({
  sessionId,
  points: Points.toWire(batch)
})

export const fromWire = ({ points, sessionId }: WireSessionPoints): SessionPoints => ({
  sessionId,
  batch: Points.fromWire(points)
})
