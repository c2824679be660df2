import type { PointBatch } from "../domain/PointBatch.ts"
import { Cadence } from "./Cadence.ts"
import type { FrameRun } from "./frames.ts"
import type { Outbox } from "./Outbox.ts"
import type { Subscriber } from "./Subscriber.ts"
import type { TimingService } from "./Timing.ts"

/**
 * The subscribers of one rate, and the cadences that they share. A cadence exists only while somebody
 * watches its session and points arrive.
 */
export class Audience {
  readonly rate: number
  readonly #timing: TimingService
  readonly #outbox: Outbox
  readonly #everything = new Set<Subscriber>()
  readonly #bySession = new Map<number, Set<Subscriber>>()
  readonly #cadences = new Map<number, Cadence>()

  constructor(rate: number, timing: TimingService, outbox: Outbox) {
    this.rate = rate
    this.#timing = timing
    this.#outbox = outbox
  }

  get empty(): boolean {
    return this.#everything.size === 0 && this.#bySession.size === 0
  }

  publish(sessionId: number, batch: PointBatch): void {
    if (!this.#watches(sessionId)) return
    let cadence = this.#cadences.get(sessionId)
    if (cadence === undefined) {
      cadence = new Cadence(
        sessionId,
        this.rate,
        this.#timing,
        (run) => this.#send(sessionId, run),
        () => this.#cadences.delete(sessionId)
      )
      this.#cadences.set(sessionId, cadence)
    }
    cadence.offer(batch)
  }

  add(subscriber: Subscriber): void {
    const { sessionId } = subscriber
    if (sessionId === undefined) {
      this.#everything.add(subscriber)
      return
    }
    const watchers = this.#bySession.get(sessionId)
    if (watchers === undefined) this.#bySession.set(sessionId, new Set([subscriber]))
    else watchers.add(subscriber)
  }

  /** Ends what nobody watches any more. */
  remove(subscriber: Subscriber): void {
    this.#everything.delete(subscriber)
    if (subscriber.sessionId !== undefined) {
      const watchers = this.#bySession.get(subscriber.sessionId)
      watchers?.delete(subscriber)
      if (watchers?.size === 0) this.#bySession.delete(subscriber.sessionId)
    }
    for (const [sessionId, cadence] of this.#cadences) {
      if (this.#watches(sessionId)) continue
      cadence.end()
      this.#cadences.delete(sessionId)
    }
  }

  /** Sends what is pending: before its subscribers move to another rate, so that none of them misses it. */
  flush(): void {
    for (const cadence of this.#cadences.values()) cadence.end()
    this.#cadences.clear()
  }

  /** Sessions of which this audience remembers something. */
  get cadences(): number {
    return this.#cadences.size
  }

  #watches(sessionId: number): boolean {
    return this.#everything.size > 0 || this.#bySession.has(sessionId)
  }

  #send(sessionId: number, run: FrameRun): void {
    this.#outbox.beginFanout()
    for (const subscriber of this.#everything) subscriber.send(sessionId, run)
    const watchers = this.#bySession.get(sessionId)
    if (watchers !== undefined) for (const subscriber of watchers) subscriber.send(sessionId, run)
  }
}
