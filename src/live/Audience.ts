import type { PointBatch } from "../domain/PointBatch.ts"
import { Cadence } from "./Cadence.ts"
import type { TelemetryRun } from "./frames.ts"
import type { Outbox } from "./Outbox.ts"
import type { Listener } from "./Listener.ts"
import type { TimingService } from "./Timing.ts"

/**
 * The listeners of one rate, and the cadences that they share. A cadence exists only while somebody
 * watches its session and points arrive.
 */
export class Audience {
  readonly rate: number
  readonly #timing: TimingService
  readonly #outbox: Outbox
  readonly #everything = new Set<Listener>()
  readonly #bySession = new Map<number, Set<Listener>>()
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

  add(listener: Listener): void {
    const { sessionId } = listener.wish
    if (sessionId === undefined) {
      this.#everything.add(listener)
      return
    }
    const watchers = this.#bySession.get(sessionId)
    if (watchers === undefined) this.#bySession.set(sessionId, new Set([listener]))
    else watchers.add(listener)
  }

  /** Ends what nobody watches any more. */
  remove(listener: Listener): void {
    this.#everything.delete(listener)
    const { sessionId } = listener.wish
    if (sessionId !== undefined) {
      const watchers = this.#bySession.get(sessionId)
      watchers?.delete(listener)
      if (watchers?.size === 0) this.#bySession.delete(sessionId)
    }
    for (const [sessionId, cadence] of this.#cadences) {
      if (this.#watches(sessionId)) continue
      cadence.end()
      this.#cadences.delete(sessionId)
    }
  }

  /** Sends what is pending: before its listeners move to another rate, so that none of them misses it. */
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

  #send(sessionId: number, run: TelemetryRun): void {
    this.#outbox.beginFanout()
    for (const listener of this.#everything) listener.send(sessionId, run)
    const watchers = this.#bySession.get(sessionId)
    if (watchers !== undefined) for (const listener of watchers) listener.send(sessionId, run)
  }
}
