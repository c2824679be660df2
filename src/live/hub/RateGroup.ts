import type { PointBatch } from "../../domain/RowBatch.ts"
import type { ChannelHistory } from "../channels/ChannelHistory.ts"
import type { ChannelSelection } from "../channels/ChannelSelection.ts"
import type { TelemetryRun } from "./frames.ts"
import { SessionSampler } from "../channels/SessionSampler.ts"
import type { Subscriber } from "./Subscriber.ts"
import { SubscriberGroup } from "./SubscriberGroup.ts"
import type { TimingService } from "../../platform/Timing.ts"
import type { WriteScheduler } from "./WriteScheduler.ts"

/** The parts that the rate groups of one hub share. */
export interface RateGroupContext {
  readonly timing: TimingService
  readonly writes: WriteScheduler
  readonly history: ChannelHistory
}

/**
 * The subscribers of one rate, and of one selection of channels or none, and the samplers that they share. A session has a
 * sampler only while a subscriber watches it and points arrive.
 */
export class RateGroup {
  readonly rate: number
  readonly selection: ChannelSelection | undefined
  readonly #history: ChannelHistory
  readonly #timing: TimingService
  readonly #writes: WriteScheduler
  readonly #allSessions: SubscriberGroup
  readonly #bySession = new Map<number, SubscriberGroup>()
  readonly #samplers = new Map<number, SessionSampler>()

  constructor(
    rate: number,
    selection: ChannelSelection | undefined,
    { history, timing, writes }: RateGroupContext
  ) {
    this.rate = rate
    this.selection = selection
    this.#history = history
    this.#timing = timing
    this.#writes = writes
    this.#allSessions = new SubscriberGroup(writes)
  }

  get empty(): boolean {
    return this.#allSessions.empty && this.#bySession.size === 0
  }

  publish(sessionId: number, batch: PointBatch, first: number | undefined): void {
    if (!this.#isWatched(sessionId)) return
    let sampler = this.#samplers.get(sessionId)
    if (sampler === undefined) {
      sampler = new SessionSampler(
        sessionId,
        this.rate,
        this.#timing,
        (run) => this.#send(sessionId, run),
        () => this.#samplers.delete(sessionId),
        this.selection && this.#history.selected(sessionId, this.selection)
      )
      this.#samplers.set(sessionId, sampler)
    }
    sampler.offer(batch, first)
  }

  add(subscriber: Subscriber): void {
    this.#groupOf(subscriber.options.sessionId).add(subscriber)
  }

  /** Ends the samplers of sessions that no subscriber watches any more. */
  remove(subscriber: Subscriber): void {
    const { sessionId } = subscriber.options
    const group = this.#groupOf(sessionId)
    group.remove(subscriber)
    if (group.empty && sessionId !== undefined) this.#bySession.delete(sessionId)
    for (const [sessionId, sampler] of this.#samplers) {
      if (this.#isWatched(sessionId)) continue
      sampler.end()
      this.#samplers.delete(sessionId)
    }
  }

  /** Sends the pending points. The hub does this before it moves subscribers to another rate, so that none misses them. */
  flush(): void {
    for (const sampler of this.#samplers.values()) sampler.end()
    this.#samplers.clear()
  }

  /** To be called when the session has ended: sends its pending point before its channels are dropped. */
  end(sessionId: number): void {
    this.#samplers.get(sessionId)?.end()
    this.#samplers.delete(sessionId)
  }

  /** The number of sessions with a sampler. */
  get samplers(): number {
    return this.#samplers.size
  }

  #isWatched(sessionId: number): boolean {
    return !this.#allSessions.empty || this.#bySession.has(sessionId)
  }

  #groupOf(sessionId: number | undefined): SubscriberGroup {
    if (sessionId === undefined) return this.#allSessions
    let group = this.#bySession.get(sessionId)
    if (group === undefined) {
      group = new SubscriberGroup(this.#writes)
      this.#bySession.set(sessionId, group)
    }
    return group
  }

  #send(sessionId: number, run: TelemetryRun): void {
    if (!this.#allSessions.empty) this.#allSessions.send(run)
    this.#bySession.get(sessionId)?.send(run)
  }
}
