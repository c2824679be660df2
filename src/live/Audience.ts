import type { PointBatch } from "../domain/PointBatch.ts"
import { Cadence } from "./Cadence.ts"
import { Circle } from "./Circle.ts"
import type { TelemetryRun } from "./frames.ts"
import type { Listener } from "./Listener.ts"
import type { Outbox } from "./Outbox.ts"
import type { TimingService } from "../Timing.ts"

/**
 * The listeners of one rate, and the cadences that they share. A cadence exists only while somebody
 * watches its session and points arrive.
 */
export class Audience {
  readonly rate: number
  readonly #timing: TimingService
  readonly #outbox: Outbox
  readonly #everything: Circle
  readonly #bySession = new Map<number, Circle>()
  readonly #cadences = new Map<number, Cadence>()

  constructor(rate: number, timing: TimingService, outbox: Outbox) {
    this.rate = rate
    this.#timing = timing
    this.#outbox = outbox
    this.#everything = new Circle(outbox)
  }

  get empty(): boolean {
    return this.#everything.empty && this.#bySession.size === 0
  }

  publish(sessionId: number, batch: PointBatch, first: number | undefined): void {
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
    cadence.offer(batch, first)
  }

  add(listener: Listener): void {
    this.#circleOf(listener.wish.sessionId).join(listener)
  }

  /** Ends what nobody watches any more. */
  remove(listener: Listener): void {
    const { sessionId } = listener.wish
    const circle = this.#circleOf(sessionId)
    circle.leave(listener)
    if (circle.empty && sessionId !== undefined) this.#bySession.delete(sessionId)
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
    return !this.#everything.empty || this.#bySession.has(sessionId)
  }

  #circleOf(sessionId: number | undefined): Circle {
    if (sessionId === undefined) return this.#everything
    let circle = this.#bySession.get(sessionId)
    if (circle === undefined) {
      circle = new Circle(this.#outbox)
      this.#bySession.set(sessionId, circle)
    }
    return circle
  }

  #send(sessionId: number, run: TelemetryRun): void {
    if (!this.#everything.empty) this.#everything.tell(run)
    this.#bySession.get(sessionId)?.tell(run)
  }
}
