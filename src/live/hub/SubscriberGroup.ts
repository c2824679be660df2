import type { TelemetryRun } from "./frames.ts"
import { MessageBatch } from "./MessageBatch.ts"
import type { Subscriber } from "./Subscriber.ts"
import type { WriteScheduler } from "./WriteScheduler.ts"

/**
 * A batch of this many messages, or of fewer longer ones, is written as soon as possible. It is far below the size at which a
 * subscriber counts as behind (BEHIND_BYTES), and far above the size from which more messages in a write make it cheaper.
 */
const FULL_MESSAGES = 128

/** A batch that is being written to the subscribers that were in its group when the write began. */
export interface GroupWrite {
  readonly batch: MessageBatch
  readonly subscribers: ReadonlyArray<Subscriber>
  /** The index of the next subscriber that gets the batch. */
  next: number
}

/**
 * Subscribers that get exactly the same telemetry: with one rate, and of one session or of all. Runs wait here until
 * the write scheduler takes them.
 */
export class SubscriberGroup {
  readonly #writes: WriteScheduler
  readonly #members = new Set<Subscriber>()
  /** The members in the form that a write takes; undefined after a change. */
  #listed: ReadonlyArray<Subscriber> | undefined
  #runs: Array<TelemetryRun> = []
  #count = 0
  /** The messages' length, as a multiple of a message with points alone. */
  #size = 0
  /** When the last write began, ms. */
  #lastWrite = -Infinity

  constructor(writes: WriteScheduler) {
    this.#writes = writes
  }

  get empty(): boolean {
    return this.#members.size === 0
  }

  get lastWrite(): number {
    return this.#lastWrite
  }

  get full(): boolean {
    return this.#size >= FULL_MESSAGES
  }

  /** A new subscriber may get messages that have waited here for a few milliseconds. */
  add(subscriber: Subscriber): void {
    this.#members.add(subscriber)
    this.#listed = undefined
  }

  remove(subscriber: Subscriber): void {
    this.#members.delete(subscriber)
    this.#listed = undefined
  }

  send(run: TelemetryRun): void {
    this.#runs.push(run)
    this.#count += run.count
    this.#size += run.count * run.size
    this.#writes.request(this)
  }

  /** Takes all runs that wait; there is at least one. */
  beginWrite(now: number): GroupWrite {
    const batch = new MessageBatch(this.#runs, this.#count)
    this.#listed ??= [...this.#members]
    this.#runs = []
    this.#count = 0
    this.#size = 0
    this.#lastWrite = now
    return { batch, subscribers: this.#listed, next: 0 }
  }
}
