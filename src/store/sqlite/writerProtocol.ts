/** Messages between the main thread and the writer thread: plain values, copied by structured clone. */
import type { MessagePort } from "node:worker_threads"
import type { StoreUnavailable } from "../../domain/errors.ts"
import * as ThreadBatch from "../../platform/threads/threadBatch.ts"
import type { SessionGroup, SessionRows } from "../RowStore.ts"

interface ThreadRows extends SessionGroup {
  readonly batch: ThreadBatch.ThreadBatch
}

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
  /** The port on which the thread learns that the process gives up. */
  readonly abandoned: MessagePort
}

export const toThread = ({ batch, group, sessionId }: SessionRows): ThreadRows => ({
  sessionId,
  group,
  batch: ThreadBatch.toThread(batch)
})

export const fromThread = ({ batch, group, sessionId }: ThreadRows): SessionRows => ({
  sessionId,
  group,
  batch: ThreadBatch.fromThread(batch)
})
